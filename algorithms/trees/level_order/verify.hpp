#pragma once
// The verifier of level-order trees.

#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/level_order/tree.hpp"

namespace kdscope {

/// Everything a finished tree must satisfy, each as a finding: the slots of the closed form and no others are occupied,
/// by every point of the input exactly once, node s splits dimension level(s) mod k, and kd-order over the original
/// coordinates: left <= split <= right, ties on either side. The last one says how many points quantization has put on
/// a wrong side. Work O(n (log n + k)).
std::vector<CheckResult> verify_level_order_tree(const LevelOrderTree& tree, const PointSet& input);

}  // namespace kdscope
