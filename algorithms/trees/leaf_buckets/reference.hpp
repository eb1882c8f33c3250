#pragma once
// The simple builder with which builders of trees with leaf buckets are compared. It shares no code with them.

#include <cstdint>
#include <memory>

#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope {

/// Builds the tree by simple code with a queue of nodes. A node of more than leaf_size points whose smallest box has an
/// extent is split at the middle of its widest side. Ties go to the lowest dimension, and smaller coordinates go left
/// (Hu et al. 2015, §II). The points of a node are ordered by the coordinate of dimension 0, then by original index.
/// Work O(n (log n + k depth)).
BucketTree reference_middle_split_tree(std::shared_ptr<const PointSet> points, std::uint32_t leaf_size);

}  // namespace kdscope
