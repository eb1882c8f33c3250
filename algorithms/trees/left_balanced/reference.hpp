#pragma once
// The simple recursive builder with which left-balanced builders are compared. It shares no code with them.

#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope {

/// Builds the tree by simple recursion: sorts by (coordinate, original index), takes the pivot, recurses. The order is
/// total, so there is exactly one such tree, and every builder must return it bit for bit. Expected work O(n log n).
LeftBalancedTree reference_left_balanced_tree(const PointSet& points, Split split);

}  // namespace kdscope
