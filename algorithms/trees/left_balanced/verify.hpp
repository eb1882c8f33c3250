#pragma once
// The verifier of left-balanced trees, and the check of permutations that other kinds share.

#include <span>
#include <string>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope {

/// Checks everything that a finished tree must satisfy, one result per property: it has the input's points (a
/// permutation of the original indices with unchanged records), its split dimensions follow the rule, and it has
/// kd-order with ties by original index. Work O(n (log n + k)).
std::vector<CheckResult> verify_left_balanced_tree(const LeftBalancedTree& tree, const PointSet& input, Split split);

}  // namespace kdscope
