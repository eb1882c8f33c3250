#pragma once
// The verifier of trees of median stores.

#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope {

/// Checks everything that a finished tree must satisfy, one result per property: exactly the duplicates are removed,
/// that is, all equal points except the first; the entries of the closed form hold the other points once each; super
/// keys are less on the left and greater on the right; references, if any, agree with the stores. Runs depth first on
/// the host. Work O(n (log n + k)).
std::vector<CheckResult> verify_median_store_tree(const MedianStoreTree& tree, const PointSet& input);

}  // namespace kdscope
