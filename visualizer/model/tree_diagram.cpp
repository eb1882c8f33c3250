#include "visualizer/model/tree_diagram.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::uint32_t most_listed = 16, most_per_line = 4;  // number of points of a bucket

/// Returns the coordinates of a point. They never change, so the array's first version has them.
std::string coordinates_of(const Trace& trace, std::uint32_t point) {
  const Trace::Array* array = trace.find(points_array);
  const std::uint32_t k = trace.header.dim;
  if (!array || array->versions.empty() || (point + std::uint64_t(1)) * k > array->versions.front().values.size())
    return {};
  const TypedArray& points = array->versions.front().values;
  std::string text;
  for (std::uint32_t d = 0; d < std::min(k, 3u); ++d)
    text += (d ? ", " : "") + with_minus_sign(short_number(points.number(std::uint64_t(point) * k + d), 4));
  return k > 3 ? text + ", …" : text;
}

/// Returns whether the nodes of a step are connected as in the layout of the finished tree.
bool fits(const TreeLayout& layout, const NodeList& list) {
  std::uint32_t root = no_id;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const std::uint32_t up = list.parent(i), rank = layout.rank_of({i});
    if (up == no_id) {
      root = std::min(root, i);
      continue;
    }
    if (rank == no_id) {
      if (list.split_dim(up) >= 0 && layout.rank_of({up}) != no_id) return false;
    } else if (layout.parent(rank) != layout.rank_of({up})) {
      return false;
    }
  }
  return root == no_id || layout.rank_of({root}) == 0;
}

template <class T>
TypedArray copy_of(const Cursor& cursor, const char* name) {
  const TypedArray* array = cursor.array(name);
  return array && array->type() == ElementTypeOf<T>::value ? *array : TypedArray(ElementTypeOf<T>::value);
}

}  // namespace

/// Takes the counts that the nodes themselves keep of what they list. A node that is not a leaf yet may have no count.
void TreeDiagram::take_counts(const TypedArray& counts, const NodeList& list) {
  counted_known_ = true;
  for (std::uint32_t rank = 0; rank < layout_->size(); ++rank) {
    const std::uint32_t node = layout_->node(rank).value;
    count_[rank] = node < counts.size() ? counts.as<std::uint32_t>()[node] : 0;
    held_[rank] = count_[rank] > 0 || !list.keeps_bucket(node);
    bucket_[rank] = list.keeps_bucket(node) && count_[rank] > 0;
  }
}

/// Counts the points of each node, sums them from the leaves up, and lists the points of buckets.
void TreeDiagram::count_points(const Cursor& cursor, const NodeList& list) {
  const TypedArray *of_point = cursor.array(partition_arrays::node_of_point),
                   *counts = cursor.array(partition_arrays::count);
  count_.assign(layout_->size(), 0);
  held_.assign(layout_->size(), false);
  bucket_.assign(layout_->size(), false);
  bucket_end_.clear();
  if (counts && counts->type() == ElementType::uint32) return take_counts(*counts, list);
  counted_known_ = of_point && of_point->type() == ElementType::uint32 && of_point->size() > 0;
  if (!counted_known_) return;
  const auto nodes = of_point->as<std::uint32_t>();
  for (const std::uint32_t node : nodes)
    if (const std::uint32_t rank = layout_->rank_of({node}); rank != no_id) ++count_[rank];
  std::uint32_t held = 0;  // points in the buckets before this rank
  std::vector<std::uint32_t> begin(layout_->size());
  for (std::uint32_t rank = 0; rank < layout_->size(); ++rank) {
    begin[rank] = held;
    bucket_[rank] = list.keeps_bucket(layout_->node(rank).value) && count_[rank] > 0;
    if (bucket_[rank]) held += count_[rank];
  }
  if (held > 0) {
    bucket_end_ = std::move(begin);
    bucket_points_.resize(held);
    for (std::uint32_t point = 0; point < nodes.size(); ++point)
      if (const std::uint32_t rank = layout_->rank_of({nodes[point]}); rank != no_id && list.keeps_bucket(nodes[point]))
        bucket_points_[bucket_end_[rank]++] = point;
  }
  for (std::uint32_t rank = layout_->size(); rank-- > 0;) {
    held_[rank] = count_[rank] > 0;
    for (std::uint32_t c = 0; c < layout_->child_count(rank); ++c)
      count_[rank] += count_[layout_->first_child(rank) + c];
  }
}

void TreeDiagram::find_states(const Cursor& cursor, const NodeList& list, std::span<const Highlight> added,
                              const Concealment& concealed) {
  state_.assign(layout_->size(), absent);
  for (std::uint32_t rank = 0; rank < layout_->size(); ++rank) {
    const std::uint32_t i = layout_->node(rank).value, up = layout_->parent(rank);
    if (i >= list.size()) continue;
    if (up != no_id && (state_[up] == absent || list.split_dim(layout_->node(up).value) < 0 || list.parent(i) == no_id))
      continue;
    const bool split = list.split_dim(i) >= 0, stored = list.point(i) != no_id;
    const bool done = split || stored || (list.keeps_bucket(i) && (!counted_known_ || held_[rank]));
    state_[rank] = static_cast<std::uint8_t>(done                             ? NodeState::settled
                                             : counted_known_ && !held_[rank] ? NodeState::empty
                                                                              : NodeState::open);
  }
  // Mark the pivots of the step: nodes that its highlights name, or nodes to which the marked positions belong.
  const auto pivot = [&](std::uint64_t node) {
    const std::uint32_t rank = node < no_id ? layout_->rank_of({static_cast<std::uint32_t>(node)}) : no_id;
    if (rank != no_id && state_[rank] != absent && state(rank) != NodeState::empty)
      state_[rank] = static_cast<std::uint8_t>(NodeState::pivot);
  };
  const std::string node_row = node_of_position_array(cursor.trace());
  each_highlight(cursor, added, concealed, [&](const Highlight& h) {
    if (h.role != Role::pivot) return;
    for (const std::uint32_t node : h.nodes) pivot(node);
    for (const IndexRange& r : h.ranges)
      for (std::uint64_t i = r.begin; i < r.end && h.nodes.empty(); ++i) {
        if (h.space == Space::node)
          pivot(i);
        else if (h.space == Space::position && !node_row.empty() && i < cursor.row_size(node_row))
          pivot(static_cast<std::uint64_t>(cursor.number(node_row, i)));
      }
  });
}

TreeDiagram TreeDiagram::at(const Cursor& cursor, const TreeDiagramOptions& options, const TreeDiagram* last,
                            std::span<const Highlight> added, const Concealment& concealed) {
  TreeDiagram diagram;
  if (cursor.step_count() == 0 || concealed.tree) return diagram;
  const NodeList list(cursor);
  diagram.trace_ = cursor.shared_trace();
  diagram.of_triangles = sorts_triangles(cursor.trace());
  diagram.layout_ = last && last->trace_ == diagram.trace_ ? last->layout_ : TreeLayout::at_the_end(cursor.trace());
  diagram.final_levels = diagram.layout_->level_count();
  if (!fits(*diagram.layout_, list)) {
    diagram.layout_ = TreeLayout::of(list);
    diagram.final_levels = std::max(diagram.final_levels, diagram.layout_->level_count());
  }
  const TreeLayout& layout = *diagram.layout_;
  if (!concealed.splits) {
    diagram.split_dim_ = copy_of<std::uint32_t>(cursor, partition_arrays::split_dim);
    diagram.split_value_ = copy_of<double>(cursor, partition_arrays::split_value);
  }
  diagram.point_ = copy_of<std::uint32_t>(cursor, partition_arrays::point);
  diagram.count_points(cursor, list);
  diagram.find_states(cursor, list, added, concealed);
  diagram.roles = role_marks(cursor, added, concealed).nodes;

  for (int level = 0; level < layout.level_count(); ++level) {
    DiagramLevel filled;
    filled.level = level;
    filled.capacity = std::ldexp(1.0, level);
    filled.final_nodes = layout.level_end(level) - layout.level_begin(level);
    for (std::uint32_t rank = layout.level_begin(level); rank < layout.level_end(level); ++rank) {
      if (!diagram.has(rank)) continue;
      ++filled.nodes;
      switch (diagram.state(rank)) {
        case NodeState::open:
          ++filled.open;
          break;
        case NodeState::pivot:
          ++filled.pivots;
          break;
        case NodeState::settled:
          ++filled.settled;
          break;
        case NodeState::empty:
          ++filled.empty;
          break;
      }
      const bool waits = diagram.state(rank) == NodeState::open || diagram.state(rank) == NodeState::pivot;
      if (waits && list.split_dim(layout.node(rank).value) < 0) filled.points_below += diagram.count_[rank];
    }
    if (filled.nodes == 0) break;
    diagram.node_count += filled.nodes;
    diagram.levels.push_back(filled);
  }
  diagram.folded = diagram.node_count > options.fold_above;
  if (diagram.folded) return diagram;

  std::vector<std::ptrdiff_t> index_of(layout.size(), -1);
  for (std::uint32_t rank = 0; rank < layout.size(); ++rank) {
    if (!diagram.has(rank)) continue;
    index_of[rank] = static_cast<std::ptrdiff_t>(diagram.nodes.size());
    diagram.nodes.push_back(diagram.node_at(rank));
    if (layout.parent(rank) != no_id) diagram.nodes.back().parent = index_of[layout.parent(rank)];
  }
  return diagram;
}

DiagramNode TreeDiagram::node_at(std::uint32_t rank) const {
  DiagramNode drawn;
  drawn.node = layout_->node(rank);
  drawn.place = layout_->place(rank);
  drawn.level = layout_->level_of(rank);
  drawn.x = layout_->x(rank);
  drawn.parent_x = layout_->parent(rank) == no_id ? drawn.x : layout_->x(layout_->parent(rank));
  drawn.state = state(rank);
  drawn.count = count_[rank];
  const std::uint32_t i = drawn.node.value, dim = trace_->header.dim;
  if (i < point_.size()) drawn.point = point_.as<std::uint32_t>()[i];
  if (i < split_dim_.size() && i < split_value_.size() && split_dim_.as<std::uint32_t>()[i] < dim) {
    drawn.split_dim = static_cast<int>(split_dim_.as<std::uint32_t>()[i]);
    drawn.split_value = split_value_.as<double>()[i];
    drawn.split_text = coordinate_name(static_cast<std::uint32_t>(drawn.split_dim), dim) + " = " +
                       with_minus_sign(short_number(drawn.split_value, 4));
  }
  if (drawn.point != no_id) drawn.coordinates = coordinates_of(*trace_, drawn.point);
  drawn.keeps_bucket = bucket_[rank];
  if (!bucket_end_.empty()) {
    const std::uint32_t first = rank == 0 ? 0 : bucket_end_[rank - 1], end = bucket_end_[rank];
    drawn.bucket.assign(bucket_points_.begin() + first, bucket_points_.begin() + std::min(end, first + most_listed));
  }
  return drawn;
}

std::string DiagramNode::bucket_text() const {
  if (bucket.empty() || bucket.size() > most_per_line) return {};
  return "{" + point_names(bucket) + "}";
}

std::optional<DiagramNode> TreeDiagram::node(NodeId id) const {
  const std::uint32_t rank = layout_->rank_of(id);
  return rank != no_id && has(rank) ? std::optional(node_at(rank)) : std::nullopt;
}

std::vector<DensityBin> TreeDiagram::density(int level, double x0, double x1, int bins,
                                             const std::vector<bool>& changed) const {
  std::vector<DensityBin> found(static_cast<std::size_t>(std::max(bins, 1)));
  if (x1 <= x0) return found;
  const double scale = static_cast<double>(found.size()) / (x1 - x0);
  for (std::uint32_t rank = layout_->first_from(level, x0); rank < layout_->level_end(level) && layout_->x(rank) <= x1;
       ++rank) {
    const auto at = std::min(static_cast<std::size_t>((layout_->x(rank) - x0) * scale), found.size() - 1);
    DensityBin& bin = found[at];
    bin.place = layout_->place(rank);
    ++bin.final_nodes;
    if (!has(rank)) continue;
    ++(state(rank) == NodeState::open ? bin.open : bin.made);
    bin.pivots |= state(rank) == NodeState::pivot;
    const std::uint32_t node = layout_->node(rank).value;
    bin.changed |= node < changed.size() && changed[node];
  }
  return found;
}

}  // namespace kdscope
