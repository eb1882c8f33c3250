#include "algorithms/checks/left_balanced_checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope {

CheckResult check_tags_in_range(const TagState& state, int level) {
  CheckResult f{"tags in range", "every tag names a node of the tree on level " + std::to_string(level) + " or above",
                true, ""};
  const std::uint32_t end = std::min(state.points.n, full_tree_size(level + 1));
  for (std::size_t i = 0; i < state.node_of_position.size(); ++i)
    if (state.node_of_position[i] >= end)
      f.fail_at("tags", i,
                [&] { return element_text("tags", i) + " is " + std::to_string(state.node_of_position[i]); });
  return f;
}

CheckResult check_observation_3_1(const TagState& state, int level) {
  const std::uint32_t inner = std::min(state.points.n, full_tree_size(level));
  CheckResult f{"observation 3.1",
                (inner == 1 ? "the one node" : "each of the " + std::to_string(inner) + " nodes") + " above level " +
                    std::to_string(level) + " is the tag of exactly one point",
                true, ""};
  std::vector<std::uint32_t> count(inner, 0);
  for (std::uint32_t tag : state.node_of_position)
    if (tag < inner) ++count[tag];
  for (std::uint32_t node = 0; node < inner; ++node)
    if (count[node] != 1)
      f.fail_at("partition.point", node, [&] {
        return "node " + std::to_string(node) + " is the tag of " + std::to_string(count[node]) + " points";
      });
  return f;
}

CheckResult check_observation_3_2(const TagState& state, int level) {
  const std::uint32_t n = state.points.n, settled = std::min(n, full_tree_size(level));
  CheckResult f{
      "observation 3.2",
      (settled == 1 ? "the first point is settled" : "the first " + std::to_string(settled) + " points are settled") +
          "; then each segment of level " + std::to_string(level) + " follows, sorted",
      true, ""};
  const auto wrong_tag = [&](std::uint32_t i, const std::string& where) {
    f.fail_at("tags", i,
              [&] { return element_text("tags", i) + " is " + std::to_string(state.node_of_position[i]) + where; });
  };
  for (std::uint32_t i = 0; i < settled; ++i)
    if (state.node_of_position[i] != i) wrong_tag(i, ", not settled");
  std::uint32_t begin = settled;
  for (NodeId s{full_tree_size(level)}; s.value < std::min(n, full_tree_size(level + 1)); ++s.value) {
    const std::uint32_t end = begin + subtree_size(s, n);
    for (std::uint32_t i = begin; i < end; ++i) {
      if (state.node_of_position[i] != s.value) {
        wrong_tag(i, " in the segment of " + std::to_string(s.value));
        continue;
      }
      if (i == begin || state.node_of_position[i - 1] != s.value) continue;
      const std::uint32_t dim = state.dim_of_position.empty() ? static_cast<std::uint32_t>(level) % state.points.dim
                                                              : state.dim_of_position[i];
      const PointId a = state.point_of_position[i - 1], b = state.point_of_position[i];
      const std::uint32_t x = state.points.key(a.value, dim), y = state.points.key(b.value, dim);
      if (x > y || (x == y && !(a < b)))
        f.fail_at("tags", i, [&] {
          return "positions " + std::to_string(i - 1) + " and " + std::to_string(i) +
                 " are out of order in dimension " + std::to_string(dim);
        });
    }
    begin = end;
  }
  if (f.passed && begin != n) f.fail("the segments end at " + std::to_string(begin) + ", not at " + std::to_string(n));
  return f;
}

CheckResult check_segments_split(const SegmentState& state, int level) {
  const std::uint32_t n = state.points.n, dim = static_cast<std::uint32_t>(level) % state.points.dim;
  CheckResult f{"medians",
                "each node of level " + std::to_string(level) +
                    " holds the point between the smaller and the larger ones of its segment",
                true, ""};
  const auto before = [&](PointId a, PointId b) {
    const std::uint32_t x = state.points.key(a.value, dim), y = state.points.key(b.value, dim);
    return x != y ? x < y : a < b;
  };
  for (NodeId s{full_tree_size(level)}; s.value < std::min(n, full_tree_size(level + 1)); ++s.value) {
    const std::uint64_t begin = state.first[s.value], end = begin + subtree_size(s, n),
                        pivot = begin + subtree_size(left_child(s), n);
    if (end > n) {
      f.fail_at("first", s.value, [&] {
        return "node " + std::to_string(s.value) + " has positions to " + std::to_string(end) + " of " +
               std::to_string(n);
      });
      continue;
    }
    const PointId median = state.point_of_position[pivot];
    if (!(state.point_of_node[s.value] == median) || median.value >= n) {
      f.fail_at("tree", s.value, [&] {
        return "node " + std::to_string(s.value) + " does not hold the point at position " + std::to_string(pivot);
      });
      continue;
    }
    for (std::uint64_t i = begin; i < end; ++i) {
      const PointId point = state.point_of_position[i];
      if (i == pivot || (point.value < n && before(point, median) == (i < pivot))) continue;
      f.fail_at("index", i, [&] {
        return "position " + std::to_string(i) + " is on the wrong side of node " + std::to_string(s.value);
      });
    }
  }
  return f;
}

CheckResult check_kd_order_of_prefix(const TagState& state, std::uint32_t settled) {
  CheckResult f{"kd-order",
                (settled == 1 ? "the settled point" : "each of the " + std::to_string(settled) + " settled points") +
                    " lies on its side of all ancestors' planes",
                true, ""};
  for (std::uint32_t i = 0; i < settled; ++i)
    for (NodeId below{i}; below.value != 0; below = parent_of(below)) {
      const NodeId above = parent_of(below);
      const std::uint32_t dim = state.dim_of_position.empty()
                                    ? static_cast<std::uint32_t>(level_of(above)) % state.points.dim
                                    : state.dim_of_position[above.value];
      const PointId own = state.point_of_position[i], pivot = state.point_of_position[above.value];
      const std::uint32_t x = state.points.key(own.value, dim), plane = state.points.key(pivot.value, dim);
      if ((x != plane ? x < plane : own < pivot) == (below == left_child(above))) continue;
      f.fail_at("index", i, [&] {
        return "position " + std::to_string(i) + " is on the wrong side of node " + std::to_string(above.value);
      });
      break;
    }
  return f;
}

}  // namespace kdscope
