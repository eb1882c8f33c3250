#pragma once
// The simple recursive builder with which left-balanced builders are compared. It shares no code with them.

#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope {

/// Builds the tree by simple recursion: sort by (coordinate, original index), take the pivot, recurse. The order is
/// total, so there is exactly one such tree, and every builder must return it bit for bit. Work O(n log n) expected.
LeftBalancedTree reference_left_balanced_tree(const PointSet& points, Split split);

}  // namespace kdscope
