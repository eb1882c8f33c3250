#pragma once
// Searches of balanced trees without duplicates (Brown 2015; Robinson): their stores are a tree in level order, so the
// walk with a stack finds the points of a ball or a box, and the nearest ones. Points that equal one of lower index are
// not in the tree and are not found.

#include "algorithms/queries/level_order.hpp"
#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope::queries::brown {

/// Median stores in a back end's memory, with their points' coordinates.
template <class Exec>
struct OnDevice : LevelOrderOnDevice<Exec, true> {
  OnDevice(Exec& exec, const MedianStoreTree& tree)
      : LevelOrderOnDevice<Exec, true>(exec, in_level_order(*tree.points, tree.stores), tree.stores, {}) {}
};

/// See WalkWithStack. A point whose coordinate equals a median's is before or behind it by its other coordinates, and
/// either side begins at the plane.
struct SuperKeyWalk : SearchesPoints<MedianStoreTree, OnDevice>, WalkWithStack {
  static constexpr std::uint32_t most_k = 128;
};

/// In the order of declare().
using Searches = SearchList<SuperKeyWalk>;

}  // namespace kdscope::queries::brown
