#pragma once
// Balanced trees without duplicates, as median stores (Brown 2015; Robinson).

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

class TreeKind;

/// A balanced kd-tree with one point per node, ordered by super keys, without duplicates (layout.hpp). Level l splits
/// dimension l mod k. The stores alone are the tree; nodes with references are made from them on request.
struct MedianStoreTree {
  std::shared_ptr<const PointSet> points;  ///< in their original order, shared with the data set
  std::vector<PointId>
      stores;  ///< [2^levels - 1] all stores one after another, entry 2^L - 1 + k is entry k of level L; no_id: empty
  std::vector<std::uint32_t> less, greater;  ///< [n] by point: the children with smaller and with greater super keys,
                                             ///< or no_id; empty if only the stores were requested
  std::vector<PointId> removed;  ///< ascending: points that were removed because a point with a lower index has the
                                 ///< same coordinates
  static const TreeKind& kind();
  std::uint32_t size() const { return static_cast<std::uint32_t>(stores.size()); }  ///< number of entries
};

/// Returns the hash of the stores alone, so that both forms of a tree have the same hash. It equals the hash of a
/// LevelOrderTree with these points.
std::uint64_t tree_hash(const MedianStoreTree& tree);

}  // namespace kdscope
