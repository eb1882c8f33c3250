#pragma once
// Checks of left-balanced builds and finished trees, and the plain recursive builder that they are compared with. All on
// the host, over plain views; used by the recorder, the tests and the headless tool alike.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// The tree by plain recursion: sort by (coordinate, original index), take the pivot, recurse. The order is total, so
/// there is exactly one such tree and every builder must give it bit for bit. Work O(n log n) expected.
LeftBalancedTree reference_left_balanced_tree(const PointSet& points, Split split);

/// Everything a finished tree must satisfy, each as a finding: same points as the input (a permutation of the original
/// indices with unchanged records), split dimensions by the rule, kd-order with ties by original index.
/// Work O(n (log n + k)).
std::vector<Finding> verify_left_balanced_tree(const LeftBalancedTree& tree, const PointSet& input, Split split);

/// State during a build, as downloaded: position -> node, position -> point.
struct TagState {
  std::span<const std::uint32_t> node_of_position;   ///< [n] tags without dimension bits
  std::span<const PointId> point_of_position;        ///< [n]
  std::span<const std::uint8_t> dim_of_position;     ///< [n] split dimension of the tagged sub-tree; empty for round-robin
  PointsView points;                                 ///< original order
};

/// Every tag names a node of the tree, on level `level` or above.
Finding check_tags_in_range(const TagState& state, int level);
/// Observation 3.1: with tags at level-`level` ancestors, each node above that level is the tag of exactly one point.
Finding check_observation_3_1(const TagState& state, int level);
/// Observation 3.2: after the sort of step `level`, the first F(level) tags are 0, 1, ...; then come the level's segments,
/// in order, each of its sub-tree's size and sorted by (coordinate, original index).
Finding check_observation_3_2(const TagState& state, int level);
/// The indices are a permutation: no point was lost or doubled. `array`: the trace's name of them.
Finding check_permutation(std::span<const PointId> point_of_position, const std::string& array = "index");
/// Each of the first `settled` points lies on its side of all ancestors' planes.
Finding check_kd_order_of_prefix(const TagState& state, std::uint32_t settled);

}  // namespace kdscope
