#pragma once
// The steps of a level around its sort: start, reorganization, nodes (Wehr & Radkowski 2018, Alg. 1 and §III-D).

#include "algorithms/builders/wehr/keys.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {

// [region wehr/index_generation]
/// Initialises the index: position i holds point i. index: [n].
struct IndexGeneration {
  PointId* index;
  KDSCOPE_HD void operator()(std::uint32_t i) const { index[i] = {i}; }
};
// [endregion]

// [region wehr/reorganization]
/// Puts the keys of all other dimensions into the order of the sorted one (Alg. 1, line 3). The source permutes them by
/// the index array, which needs a second array. Here the keys are computed again from the coordinates of the indexed
/// point, one record per point. Keys: ExactKeys or Quantizer. p: [k][n]; index: [n]. Work O(k) per position.
template <class Keys>
struct Reorganization {
  PointsView points;
  Keys keys;
  const PointId* index;
  std::uint32_t* p;
  std::uint32_t sorted_dim;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // Each thread reads one record at a random place; in each dimension, neighbouring threads write side by side
    const std::uint32_t point = index[i].value;
    for (std::uint32_t d = 0; d < points.dim; ++d)
      if (d != sorted_dim) p[std::size_t(d) * points.n + i] = keys.key(points.word(point, d), d);
  }
};
// [endregion]

// [region wehr/create_nodes]
/// Writes one node of the level: the chunk's median or, on the last level, the chunk's only point if there is one.
/// tree: [slots] in level order; index: [n]. Work O(1) per node.
struct CreateNodes {
  const PointId* index;
  PointId* tree;
  ChunksOfLevel chunks;
  bool leaves;
  KDSCOPE_HD void operator()(std::uint32_t c) const {
    const PositionRange chunk = chunks.chunk(c);
    // The median is the splitting element of the next level, the one before the right child's start (§III-D). A leaf
    // may have no point, because chunks of the last level are less than two elements wide.
    const std::uint32_t at = leaves ? chunk.begin : chunks.median(c);
    tree[chunks.node(c).value] = leaves && chunk.size() == 0 ? PointId{no_id} : index[at];
  }
};
// [endregion]

}  // namespace kdscope::wehr
