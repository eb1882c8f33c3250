#include "algorithms/record/segments_in_place.hpp"

#include <algorithm>

#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope {

void add_segments_in_place(StepWriter& step, const PointSet& points, const SegmentState& state, int level) {
  const std::uint32_t n = state.points.n, level_begin = level < 0 ? 0 : full_tree_size(level);
  const std::uint32_t split = std::min(n, full_tree_size(level + 1)), nodes = std::min(n, full_tree_size(level + 2));
  PartitionSoFar partition(points, nodes);
  std::vector<std::uint32_t> owner(n, no_id);
  Highlight segments{Role::segment, Space::position, {}, {}}, pivots{Role::pivot, Space::position, {}, {}};
  for (NodeId node{0}; node.value < nodes; ++node.value) {
    // List the node and give it its positions
    const std::uint32_t begin = std::min(n, state.first[node.value]), end = std::min(n, begin + subtree_size(node, n));
    if (node.value > 0) partition.add_child(node.value, parent_of(node).value, node == right_child(parent_of(node)));
    std::fill(owner.begin() + begin, owner.begin() + end, node.value);
    if (node.value >= split) continue;
    // Split the node at its point
    const std::uint32_t point = state.point_of_node[node.value].value;
    const std::uint32_t dim = static_cast<std::uint32_t>(level_of(node)) % points.dim;
    if (point < n) partition.set_point(node.value, point);
    if (point < n && left_child(node).value < n) partition.split(node.value, dim, points.value(point, dim));
    if (node.value < level_begin) continue;
    const std::uint32_t pivot = begin + subtree_size(left_child(node), n);
    segments.ranges.push_back({begin, end});
    segments.nodes.push_back(node.value);
    if (pivot >= n) continue;
    pivots.ranges.push_back({pivot, pivot + 1});
    pivots.nodes.push_back(node.value);
  }
  for (std::uint32_t i = 0; i < n; ++i)
    if (const std::uint32_t point = state.point_of_position[i].value; point < n) partition.place(point, owner[i]);
  step.wrote(arrays::node, owner);
  partition.add_to(step);
  step.highlight(std::move(segments));
  step.highlight(std::move(pivots));
}

}  // namespace kdscope
