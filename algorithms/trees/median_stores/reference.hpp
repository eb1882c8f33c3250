#pragma once
// The simple recursive builder with which builders of median stores are compared. It shares no code with them.

#include <memory>

#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope {

/// Builds the tree, with references, by simple recursion: removes duplicates, sorts each array by the super key of its
/// level's dimension, and makes the lower median a node. Super keys of unique points are a total order, so there is
/// exactly one such tree. Work O(k n log^2 n).
MedianStoreTree reference_median_store_tree(std::shared_ptr<const PointSet> points);

}  // namespace kdscope
