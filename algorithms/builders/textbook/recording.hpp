#pragma once
// What the steps of the textbook builder show. Any contents are shown, a broken kernel's too.

#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::textbook {

struct Recording {
  PointSet points;  ///< in their original order

  /// After the splits of a level, -1 before the first.
  StepReport after(int level, const std::vector<PointId>& index, const std::vector<std::uint32_t>& first, const std::vector<PointId>& tree) const {
    const std::uint32_t level_begin = level < 0 ? 0 : full_tree_size(level);
    const auto n = static_cast<std::uint32_t>(points.size()), settled = std::min(n, full_tree_size(level + 1)), nodes = std::min(n, full_tree_size(level + 2));
    StepReport report;
    PartitionSoFar partition(points, nodes);
    std::vector<std::uint32_t> owner(n, no_id), node_first(first.begin(), first.begin() + nodes);
    std::vector<PointId> node_point(tree.begin(), tree.begin() + settled);
    Highlight segments{Role::segment, Space::position, {}, {}}, medians{Role::pivot, Space::position, {}, {}};
    for (NodeId node{0}; node.value < nodes; ++node.value) {
      const std::uint32_t begin = std::min(n, first[node.value]), end = std::min(n, begin + subtree_size(node, n));
      if (node.value > 0) partition.hang(node.value, parent_of(node).value, node == right_child(parent_of(node)));
      std::fill(owner.begin() + begin, owner.begin() + end, node.value);
      if (node.value >= level_begin && node.value < settled) segments.ranges.push_back({begin, end}), segments.nodes.push_back(node.value);
      if (node.value >= settled || tree[node.value].value >= n) continue;
      const std::uint32_t dim = static_cast<std::uint32_t>(level_of(node)) % points.dim, median = begin + subtree_size(left_child(node), n);
      partition.store(node.value, tree[node.value].value);
      if (left_child(node).value < n) partition.split(node.value, dim, points.value(tree[node.value].value, dim));
      if (median < n && level_of(node) == level) medians.ranges.push_back({median, median + 1}), medians.nodes.push_back(node.value);
    }
    for (std::uint32_t i = 0; i < n; ++i)
      if (index[i].value < n) partition.place(index[i].value, owner[i]);
    if (level < 0) report.arrays.emplace_back(points_array, coordinates_of(points));
    report.add("index", values_of(index)), report.add("node", owner), report.add("first", node_first), report.add("tree", values_of(node_point));
    partition.add_to(report);
    report.highlights = {segments, medians};
    report.checks.push_back(check_permutation(index));
    if (level >= 0) report.checks.push_back(check_segments_split({index, first, tree, view_of(points)}, level));
    report.title = level < 0 ? "Give all points to the root"
                             : std::to_string(settled - level_begin) + (level == 0 ? " thread finds" : " threads find") + " the medians along " +
                                   coordinate_name(static_cast<std::uint32_t>(level) % points.dim, points.dim) + ": smaller points go left, larger ones right";
    return report;
  }

  static std::vector<ArrayInfo> arrays(const TraceHeader& header) {
    using enum ElementType;
    std::vector<ArrayInfo> infos = points_and_rows(header, "index");
    infos.push_back({"index", "index", uint32, Space::position, Space::point});
    infos.push_back({"node", "node", uint32, Space::position, Space::node});
    infos.push_back({"first", "first", uint32, Space::node, Space::position});
    infos.push_back({"tree", "tree", uint32, Space::node, Space::point});
    for (ArrayInfo& info : partition_infos(header.dim)) infos.push_back(std::move(info));
    return infos;
  }
};

}  // namespace kdscope::textbook
