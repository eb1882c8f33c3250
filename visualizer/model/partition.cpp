#include "visualizer/model/partition.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/counts.hpp"

namespace kdscope {
namespace {

/// Returns the box of the trace's points; empty without points.
Box box_of_points(const Cursor& cursor) {
  Box box;
  const TypedArray* points = cursor.array(points_array);
  const std::uint32_t k = cursor.trace().header.dim;
  if (!points || k == 0 || points->size() < k) return box;
  for (std::uint32_t d = 0; d < k; ++d) {
    double lo = points->number(d), hi = lo;
    for (std::size_t i = d + k; i < points->size(); i += k) {
      const double v = points->number(i);
      lo = std::min(lo, v);
      hi = std::max(hi, v);
    }
    box.lo.push_back(lo);
    box.hi.push_back(hi);
  }
  return box;
}

/// All arrays that a partition is read from.
constexpr const char* arrays_read[]{partition_arrays::parent,        partition_arrays::split_dim,
                                    partition_arrays::split_value,   partition_arrays::box,
                                    partition_arrays::tight_box,     partition_arrays::leaf,
                                    partition_arrays::count,         partition_arrays::point,
                                    partition_arrays::node_of_point, points_array};

bool finite(std::span<const double> values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::string level_range(int first, int last) {
  return first == last ? "level " + std::to_string(first)
                       : "levels " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

Partition Partition::at(const Cursor& cursor, const PartitionOptions& options, const Concealment& concealed) {
  Partition partition;
  partition.move_to(cursor, options, concealed);
  return partition;
}

void Partition::move_to(const Cursor& cursor, const PartitionOptions& options, const Concealment& concealed) {
  std::vector<const ArrayVersion*> written;
  for (const char* name : arrays_read)
    written.push_back(cursor.array(name) ? version_at(*cursor.trace().find(name), cursor.step()) : nullptr);
  if (concealed.splits || trace_ != cursor.shared_trace() || read_ != written) {
    read_.clear();
    read(cursor, concealed);
    trace_ = cursor.shared_trace();
    if (!concealed.splits) read_ = std::move(written);
  }
  show_levels(options, cursor, concealed);
}

void Partition::read(const Cursor& cursor, const Concealment& concealed) {
  const std::uint32_t k = dim_ = cursor.trace().header.dim;
  root_ = no_id;
  domain_ = {};
  nodes_.clear();
  bucket_points_.clear();
  split_on_level_.clear();
  tight_boxes_.clear();
  if (cursor.step_count() == 0) return;
  const NodeList list(cursor);
  const NodeList::Children children = list.children();
  const auto whole = children.root == no_id ? std::span<const double>() : list.box(children.root);
  domain_ =
      finite(whole) ? Box{{whole.begin(), whole.begin() + k}, {whole.begin() + k, whole.end()}} : box_of_points(cursor);
  if (children.root == no_id || concealed.splits) return;
  root_ = children.root;
  read_nodes(list, children);
  find_empty_leaves(cursor);
}

void Partition::read_nodes(const NodeList& list, const NodeList::Children& children) {
  boxes_.assign(list.boxes().begin(), list.boxes().end());
  nodes_.reserve(list.size());
  bool tight = false;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    PartitionNode& node = nodes_.emplace_back();
    const std::uint32_t up = list.parent(i);
    if (i != root_) {
      if (up == no_id || (nodes_[up].left != i && nodes_[up].right != i)) continue;
      node.level = static_cast<std::uint16_t>(std::min(nodes_[up].level + 1, 0xffff));
      node.place = child_of(nodes_[up].place, nodes_[up].right == i);
    }
    node.alive = true;
    node.parent = up;
    node.split_dim = list.split_dim(i);
    node.split_value = list.split_value(i);
    node.point = list.point(i);
    node.bucket = list.keeps_bucket(i);
    tight = tight || !list.tight_box(i).empty();
    if (node.level == split_on_level_.size()) split_on_level_.push_back(0);
    if (node.split_dim < 0) continue;
    ++split_on_level_[node.level];
    node.left = children.first[i];
    node.right = children.second[i];
    if (node.left != no_id && list.is_right_child(node.left)) std::swap(node.left, node.right);
  }
  if (tight) tight_boxes_.assign(list.tight_boxes().begin(), list.tight_boxes().end());
}

void Partition::find_empty_leaves(const Cursor& cursor) {
  // Nodes that count what they list may not have counted before they are leaves
  const TypedArray* counts = cursor.array(partition_arrays::count);
  if (counts && counts->type() != ElementType::uint32) counts = nullptr;
  if (const TypedArray* of_point = cursor.array(partition_arrays::node_of_point);
      of_point && of_point->type() == ElementType::uint32 && of_point->size() > 0) {
    constexpr std::uint8_t holds = 1, bucket = 2;
    std::vector<std::uint8_t> found(nodes_.size());  // small, because points reach it in any order
    for (std::uint32_t i = 0; i < found.size(); ++i) found[i] = nodes_[i].bucket ? bucket : 0;
    const auto nodes = of_point->as<std::uint32_t>();
    for (std::uint32_t point = 0; point < nodes.size(); ++point) {
      if (nodes[point] >= found.size()) continue;
      if (found[nodes[point]] & bucket) bucket_points_.push_back({point});
      found[nodes[point]] |= holds;
    }
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      PartitionNode& node = nodes_[i];
      if (!node.alive) continue;
      const bool some = counts ? i >= counts->size() || counts->as<std::uint32_t>()[i] > 0 : (found[i] & holds) != 0;
      node.empty = !some && node.split_dim < 0 && node.point == no_id && (!counts || node.bucket);
      node.bucket = node.bucket && some;
    }
  }
}

void Partition::show_levels(const PartitionOptions& options, const Cursor& cursor, const Concealment& concealed) {
  int shown = 0;
  std::uint64_t planes = 0;
  while (shown < level_count() && planes + split_on_level_[shown] <= options.max_planes)
    planes += split_on_level_[shown++];
  shown_levels_ = shown;
  const int deepest = deepest_split();

  planes_.clear();
  cells_.clear();
  if (root_ == no_id) return;
  const Trace::Array* split_dims = cursor.trace().find(partition_arrays::split_dim);
  const RowReader before = cursor.step() > 0 ? RowReader(cursor, split_dims, cursor.step() - 1) : RowReader();
  std::vector<std::uint32_t> order{root_};  // breadth first, so that levels come in order
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t i = order[at];
    const PartitionNode& node = nodes_[i];
    if (node.level > shown) break;
    const bool splits = node.split_dim >= 0 && node.level < shown;
    if (splits) {
      const bool newest = node.level == deepest, was_split = before.id(i) < dim_;
      planes_.push_back({{i}, node.level, node.split_dim, node.split_value, newest, !concealed.changes && !was_split});
    }
    if (!splits || (node.left == no_id && node.right == no_id)) cells_.push_back({i});
    for (const std::uint32_t child : {node.left, node.right})
      if (child != no_id) order.push_back(child);
  }
}

int Partition::deepest_split() const {
  int level = static_cast<int>(split_on_level_.size()) - 1;
  while (level >= 0 && split_on_level_[level] == 0) --level;
  return level;
}

std::string Partition::left_out(int first_level) const {
  const int deepest = deepest_split();
  std::uint64_t hidden = 0;
  std::string levels;
  const auto add = [&](int first, int last) {
    if (first > last) return;
    for (int level = first; level <= last; ++level) hidden += split_on_level_[level];
    levels += (levels.empty() ? "" : " and ") + level_range(first, last);
  };
  if (first_level >= shown_levels_) {
    add(0, deepest);
  } else {
    add(0, first_level - 1);
    add(shown_levels_, deepest);
  }
  return hidden == 0 ? "" : "Not drawn: " + count_text(hidden, "split plane", "split planes") + " of " + levels + ".";
}

bool Partition::box(NodeId node, Box& box) const {
  if (domain_.lo.empty() || !box_of(boxes_, node, box)) return false;
  for (std::uint32_t d = 0; d < dim_; ++d) {
    box.lo[d] = std::max(box.lo[d], domain_.lo[d]);
    box.hi[d] = std::min(box.hi[d], domain_.hi[d]);
  }
  return true;
}

bool Partition::box_of(const std::vector<double>& boxes, NodeId node, Box& box) const {
  const std::size_t width = 2 * std::size_t(dim_), from = node.value * width;
  if (width == 0 || !alive(node) || from + width > boxes.size() || std::isnan(boxes[from])) return false;
  box.lo.assign(boxes.begin() + from, boxes.begin() + from + dim_);
  box.hi.assign(boxes.begin() + from + dim_, boxes.begin() + from + width);
  return true;
}

int first_of_newest_levels(const Partition& partition) {
  constexpr std::size_t few = 16;
  const auto& planes = partition.planes();
  const bool all = planes.size() <= few && partition.left_out().empty();
  return all ? 0 : std::max(0, partition.deepest_split() - 1);
}

bool shows_whole(const Partition& partition, const Axes& axes) {
  const Box& domain = partition.domain();
  for (std::uint32_t d = 0; d < partition.dim(); ++d)
    if (!is_on_axis(axes, d) && (d >= domain.lo.size() || domain.hi[d] > domain.lo[d])) return false;
  return true;
}

std::string hidden_dimensions(const Partition& partition, const Axes& axes) {
  if (shows_whole(partition, axes)) return {};
  constexpr int most_named = 6;
  const std::uint32_t dim = partition.dim();
  std::string names;
  int hidden = 0;
  for (std::uint32_t d = 0; d < dim; ++d)
    if (!is_on_axis(axes, d) && ++hidden <= most_named) names += (names.empty() ? "" : ", ") + coordinate_name(d, dim);
  if (hidden == 0) return {};
  const auto planes = std::count_if(
      partition.planes().begin(), partition.planes().end(),
      [&](const PartitionPlane& plane) { return !is_on_axis(axes, static_cast<std::uint32_t>(plane.dim)); });
  std::string text = hidden > most_named
                         ? "Not shown: " + std::to_string(hidden) + " of " + std::to_string(dim) + " dimensions"
                         : (hidden == 1 ? "Not shown: dimension " : "Not shown: dimensions ") + names;
  if (planes > 0)
    text += ", and " + count_text(planes, "plane that splits", "planes that split") + (hidden == 1 ? " it" : " them");
  return text + ". Cells overlap in this view and are not tinted.";
}

std::vector<PointId> Partition::settled_points() const {
  std::vector<PointId> points;
  for (const PartitionNode& node : nodes_)
    if (node.alive && node.point != no_id) points.push_back({node.point});
  points.insert(points.end(), bucket_points_.begin(), bucket_points_.end());
  return points;
}

void ShownPartition::move_to(const Cursor& cursor, const PartitionOptions& options, const Concealment& concealed) {
  const std::optional<std::uint32_t> step = concealed.step_of_partition(cursor);
  nodes_hidden = !step;
  marks_hidden = concealed.marks;
  is_earlier = step && *step != cursor.step();
  if (nodes_hidden) {
    partition.move_to(cursor, options, concealed);
    of_points = {};
    return;
  }
  std::optional<Cursor> earlier;
  if (is_earlier) earlier.emplace(cursor.shared_trace()).seek(*step);
  const Cursor& known = earlier ? *earlier : cursor;
  partition.move_to(known, options);
  of_points = nodes_of_points(known);
}

std::vector<bool> ShownPartition::settled_points(std::size_t n) const {
  if (marks_hidden) return std::vector<bool>(n);
  std::vector<bool> settled(n, false);
  for (const PointId point : partition.settled_points())
    if (point.value < n) settled[point.value] = true;
  for (const std::uint32_t point : of_points.left_out)
    if (const std::uint32_t node = of_points.node[point]; point < n && node < partition.nodes().size())
      settled[point] = partition.nodes()[node].settled();
  return settled;
}

}  // namespace kdscope
