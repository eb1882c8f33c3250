#pragma once
// The verifier of whatever tree a builder gives.

#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// Everything that a finished tree of its kind must satisfy. split: the rule of left-balanced trees; the others follow
/// level mod k. Work O(n (log n + k)).
std::vector<Finding> verify_tree(const Tree& tree, const PointSet& input, Split split);

}  // namespace kdscope
