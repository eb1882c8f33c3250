#pragma once
// The verifier of trees with leaf buckets.

#include <cstdint>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope {

/// Everything a finished tree must satisfy, each as a finding: the same points as the input, each at one position; the
/// root has them all, children partition their parent's positions, and lie on their sides of its split value; boxes are
/// the smallest. leaf_size: also that larger nodes have been split unless their points coincide, and smaller ones not;
/// 0 leaves that out. Work O(n k depth).
std::vector<CheckResult> verify_bucket_tree(const BucketTree& tree, const PointSet& input, std::uint32_t leaf_size = 0);

}  // namespace kdscope
