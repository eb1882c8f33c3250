#pragma once
// The plain recursive builder that builders of median stores are compared with. It shares no code with them.

#include <memory>

#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope {

/// The tree by plain recursion: duplicates out, each array sorted by the super key of its level's dimension, the lower
/// median taken as node. Super keys of unique points are a total order, so there is exactly one such tree. With
/// references. Work O(k n log^2 n).
MedianStoreTree reference_median_store_tree(std::shared_ptr<const PointSet> points);

}  // namespace kdscope
