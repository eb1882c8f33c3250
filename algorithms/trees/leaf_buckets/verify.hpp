#pragma once
// The verifier of trees with leaf buckets.

#include <cstdint>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope {

/// Checks everything that a finished tree must satisfy, one result per property: it has the input's points, each at one
/// position; the root has all of them; children partition their parent's positions and lie on their sides of its split
/// value; boxes are the smallest. leaf_size: also checks that larger nodes are split unless their points coincide, and
/// that smaller ones are not; 0 omits this check. Work O(n k depth).
std::vector<CheckResult> verify_bucket_tree(const BucketTree& tree, const PointSet& input, std::uint32_t leaf_size = 0);

}  // namespace kdscope
