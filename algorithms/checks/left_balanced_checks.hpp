#pragma once
// Checks of the steps of left-balanced builds (Wald 2023). All on the host, over plain views; used by the recorder and
// the tests.

#include <cstdint>
#include <span>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope {

/// State during a build, as downloaded: position -> node, position -> point.
struct TagState {
  std::span<const std::uint32_t> node_of_position;  ///< [n] tags without dimension bits
  std::span<const PointId> point_of_position;       ///< [n]
  std::span<const std::uint8_t> dim_of_position;  ///< [n] split dimension of the tagged sub-tree; empty for round-robin
  PointsView points;                              ///< original order
};

/// Every tag names a node of the tree, on level `level` or above.
CheckResult check_tags_in_range(const TagState& state, int level);
/// Observation 3.1: with tags at level-`level` ancestors, each node above that level is the tag of exactly one point.
CheckResult check_observation_3_1(const TagState& state, int level);
/// Observation 3.2: after the sort of step `level`, the first F(level) tags are 0, 1, ...; then come the level's
/// segments, in order, each of its sub-tree's size and sorted by (coordinate, original index).
CheckResult check_observation_3_2(const TagState& state, int level);
/// State of a build that splits each node's segment in place: segment s begins at first[s] and has subtree_size(s)
/// positions.
struct SegmentState {
  std::span<const PointId> point_of_position;  ///< [n]
  std::span<const std::uint32_t> first;        ///< [n] by node
  std::span<const PointId> point_of_node;      ///< [n]
  PointsView points;                           ///< original order
};
/// Each node of a level holds the point at its pivot position; its segment has smaller points in front of that, and
/// larger ones behind it, in the dimension level mod k, equal coordinates by original index. Any contents may be given.
/// Work O(n).
CheckResult check_segments_split(const SegmentState& state, int level);
/// Each of the first `settled` points lies on its side of all ancestors' planes.
CheckResult check_kd_order_of_prefix(const TagState& state, std::uint32_t settled);

}  // namespace kdscope
