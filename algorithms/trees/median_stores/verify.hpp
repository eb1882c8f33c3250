#pragma once
// The verifier of trees of median stores.

#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope {

/// Everything a finished tree must satisfy, each as a finding: duplicates are left out, each but the first of its kind,
/// and no other point; entries of the closed form hold the others, once each; super keys are less on the left, greater
/// on the right; references, where there are any, say the same as the stores. Depth first, on the host. Work O(n (log n
/// + k)).
std::vector<CheckResult> verify_median_store_tree(const MedianStoreTree& tree, const PointSet& input);

}  // namespace kdscope
