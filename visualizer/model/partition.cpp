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

bool finite(std::span<const double> values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::string level_range(int first, int last) {
  return first == last ? "level " + std::to_string(first)
                       : "levels " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

Partition Partition::at(const Cursor& cursor, const PartitionOptions& options, const Concealment& concealed) {
  Partition p;
  const std::uint32_t k = p.dim_ = cursor.trace().header.dim;
  if (cursor.step_count() == 0) return p;
  const NodeList list(cursor);
  const NodeList::Children children = list.children();
  const auto whole = children.root == no_id ? std::span<const double>() : list.box(children.root);
  p.domain_ =
      finite(whole) ? Box{{whole.begin(), whole.begin() + k}, {whole.begin() + k, whole.end()}} : box_of_points(cursor);
  if (children.root == no_id || concealed.splits) return p;
  const std::vector<std::uint32_t> order = p.read_nodes(list, children);
  p.find_empty_leaves(cursor, order);
  p.show_levels(order, options, cursor, concealed);
  return p;
}

std::vector<std::uint32_t> Partition::read_nodes(const NodeList& list, const NodeList::Children& children) {
  const std::uint32_t m = list.size(), k = dim_;
  nodes_.resize(m);
  boxes_.assign(std::size_t(m) * 2 * k, std::nan(""));
  std::vector<std::uint32_t> order{children.root};
  nodes_[children.root].alive = true;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t i = order[at];
    PartitionNode& node = nodes_[i];
    node.parent = list.parent(i);
    node.split_dim = list.split_dim(i);
    node.split_value = list.split_value(i);
    node.point = list.point(i);
    node.bucket = list.keeps_bucket(i);
    if (const auto b = list.tight_box(i); !b.empty()) {
      tight_boxes_.resize(std::size_t(m) * 2 * k, std::nan(""));
      std::copy(b.begin(), b.end(), tight_boxes_.begin() + std::ptrdiff_t(i) * 2 * k);
    }
    if (const auto b = list.box(i); !b.empty()) {
      for (std::uint32_t d = 0; d < k && !domain_.lo.empty(); ++d) {
        boxes_[std::size_t(i) * 2 * k + d] = std::max(b[d], domain_.lo[d]);
        boxes_[std::size_t(i) * 2 * k + k + d] = std::min(b[k + d], domain_.hi[d]);
      }
    }
    level_count_ = node.level + 1;
    if (node.split_dim < 0) continue;
    std::uint32_t left = children.first[i], right = children.second[i];
    if (left != no_id && list.is_right_child(left)) std::swap(left, right);
    for (const auto& [child, on_right] : {std::pair{left, false}, std::pair{right, true}}) {
      if (child == no_id) continue;
      (on_right ? node.right : node.left) = child;
      PartitionNode& below = nodes_[child];
      below.alive = true;
      below.level = static_cast<std::uint16_t>(std::min(node.level + 1, 0xffff));
      below.place = child_of(node.place, on_right);
      order.push_back(child);
    }
  }
  return order;
}

void Partition::find_empty_leaves(const Cursor& cursor, std::span<const std::uint32_t> order) {
  // Nodes that count what they list may not have counted before they are leaves
  const TypedArray* counts = cursor.array(partition_arrays::count);
  if (counts && counts->type() != ElementType::uint32) counts = nullptr;
  if (const TypedArray* of_point = cursor.array(partition_arrays::node_of_point);
      of_point && of_point->type() == ElementType::uint32 && of_point->size() > 0) {
    std::vector<bool> holds(nodes_.size());
    const auto nodes = of_point->as<std::uint32_t>();
    for (std::uint32_t point = 0; point < nodes.size(); ++point) {
      if (nodes[point] >= nodes_.size()) continue;
      holds[nodes[point]] = true;
      if (nodes_[nodes[point]].bucket) bucket_points_.push_back({point});
    }
    for (const std::uint32_t i : order) {
      PartitionNode& node = nodes_[i];
      const bool some = counts ? i >= counts->size() || counts->as<std::uint32_t>()[i] > 0 : holds[i];
      node.empty = !some && node.split_dim < 0 && node.point == no_id && (!counts || node.bucket);
      node.bucket = node.bucket && some;
    }
  }
}

void Partition::show_levels(std::span<const std::uint32_t> order, const PartitionOptions& options, const Cursor& cursor,
                            const Concealment& concealed) {
  split_on_level_.resize(static_cast<std::size_t>(level_count_));
  for (const std::uint32_t i : order)
    if (nodes_[i].split_dim >= 0) ++split_on_level_[nodes_[i].level];
  int shown = 0;
  std::uint64_t planes = 0;
  while (shown < level_count_ && planes + split_on_level_[shown] <= options.max_planes)
    planes += split_on_level_[shown++];
  shown_levels_ = shown;
  const int deepest = deepest_split();

  const std::vector<std::uint32_t> before = split_dims_before(cursor.trace(), cursor.step());
  const auto was_split = [&](std::uint32_t i) { return i < before.size() && before[i] < dim_; };
  for (std::uint32_t i : order) {
    const PartitionNode& node = nodes_[i];
    if (node.level > shown) break;
    const bool splits = node.split_dim >= 0 && node.level < shown;
    if (splits) {
      const bool newest = node.level == deepest;
      planes_.push_back(
          {{i}, node.level, node.split_dim, node.split_value, newest, !concealed.changes && !was_split(i)});
    }
    if (!splits || (node.left == no_id && node.right == no_id)) cells_.push_back({i});
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

ShownPartition ShownPartition::of(const Cursor& cursor, const PartitionOptions& options, const Concealment& concealed) {
  const std::optional<Cursor> known = concealed.shown_partition(cursor);
  ShownPartition shown;
  shown.partition = known ? Partition::at(*known, options) : Partition::at(cursor, options, concealed);
  if (known) shown.of_points = nodes_of_points(*known);
  shown.nodes_hidden = !known;
  shown.marks_hidden = concealed.marks;
  shown.is_earlier = known && known->step() != cursor.step();
  return shown;
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
