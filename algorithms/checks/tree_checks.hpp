#pragma once
// The verifier of whatever tree a builder gives.

#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// Everything that a finished tree of its kind must satisfy. split: the rule of left-balanced trees, level-order ones follow
/// level mod k. leaf_size: of trees with leaf buckets, 0 where it is not known. Work O(n (log n + k)), of trees with leaf
/// buckets O(n k depth).
std::vector<Finding> verify_tree(const Tree& tree, const PointSet& input, Split split, std::uint32_t leaf_size = 0);

}  // namespace kdscope
