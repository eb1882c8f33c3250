#pragma once
// The verifier of level-order trees.

#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/level_order/tree.hpp"

namespace kdscope {

/// Checks everything that a finished tree must satisfy, one result per property: exactly the slots of the closed form
/// are occupied, by every point of the input once; node s splits dimension level(s) mod k; kd-order holds over the
/// original coordinates: left <= split <= right, with ties on either side. The last result counts the points that
/// quantization has put on the wrong side. Work O(n (log n + k)).
std::vector<CheckResult> verify_level_order_tree(const LevelOrderTree& tree, const PointSet& input);

}  // namespace kdscope
