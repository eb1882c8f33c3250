#pragma once
// Checks of the steps of left-balanced builds (Wald 2023). They run on the host over plain views; the recorder and the
// tests use them.

#include <cstdint>
#include <span>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope {

/// The downloaded state during a build: the node and the point at each position.
struct TagState {
  std::span<const std::uint32_t> node_of_position;  ///< [n] tags without dimension bits
  std::span<const PointId> point_of_position;       ///< [n]
  std::span<const std::uint8_t> dim_of_position;  ///< [n] split dimension of the tagged subtree; empty for round-robin
  PointsView points;                              ///< original order
};

/// Checks that every tag names a node of the tree on level `level` or above.
CheckResult check_tags_in_range(const TagState& state, int level);
/// Observation 3.1: once tags name ancestors on level `level`, each node above that level is the tag of exactly one
/// point.
CheckResult check_observation_3_1(const TagState& state, int level);
/// Observation 3.2: after the sort of step `level`, the first F(level) tags are 0, 1, ... The level's segments follow
/// in order, each as long as its subtree and sorted by (coordinate, original index).
CheckResult check_observation_3_2(const TagState& state, int level);
/// The state of a build that splits each node's segment in place. The segment of node s starts at first[s] and has
/// subtree_size(s) positions.
struct SegmentState {
  std::span<const PointId> point_of_position;  ///< [n]
  std::span<const std::uint32_t> first;        ///< [n] by node
  std::span<const PointId> point_of_node;      ///< [n]
  PointsView points;                           ///< original order
};
/// Checks that each node of a level holds the point at its pivot position, with smaller points of its segment before it
/// and larger ones after it, in dimension level mod k (equal coordinates by original index). Accepts any contents. Work
/// O(n).
CheckResult check_segments_split(const SegmentState& state, int level);
/// Checks that each of the first `settled` points lies on its side of all ancestors' planes.
CheckResult check_kd_order_of_prefix(const TagState& state, std::uint32_t settled);

}  // namespace kdscope
