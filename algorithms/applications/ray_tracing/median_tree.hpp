#pragma once
// A tree of split planes without a cost: what ray tracers had before the surface area heuristic.

#include <memory>
#include <stop_token>

#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// Halves the triangles of a node at the middle one along the widest side of the node's box, by the centres of their
/// boxes, until 8 are left, a split lists a triangle too often (both sides together over 1.5 times), or at depth 40.
/// The leaves list their triangles in ascending order. Work O(n log^2 n) on one thread. Precondition: float triangles
/// in three dimensions.
/// Errors (ErrorException): cancelled, on a stop request.
SplitPlaneTree median_tree(std::shared_ptr<const DataSet> data, std::stop_token stop = {});

}  // namespace kdscope
