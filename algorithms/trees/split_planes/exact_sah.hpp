#pragma once
// The quality control of trees over triangles: the greedy builder that evaluates the surface area heuristic at every
// triangle's faces in every node, from the root to the leaves.

#include <cstdint>
#include <memory>
#include <stop_token>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// The tree by the O(n log n) algorithm of Wald & Havran 2006: events (where a triangle's box begins, ends or lies in a
/// plane) are sorted once for each dimension; a node is swept for the plane of lowest cost, its events are handed down
/// in order, and only those of triangles that the plane cuts are made and sorted anew, from their exactly clipped
/// boxes. A node is a leaf when no split costs less (traversal_cost: C_ts, in tests of a triangle), or at `depth`.
/// Planes that hold triangles are tried in front of these and a float behind them. Of equal costs the lowest dimension,
/// then the lowest plane is taken. Precondition: float triangles in three dimensions. On one core 252,000 triangles
/// take a few seconds. Errors (ErrorException): cancelled, when asked to stop.
SplitPlaneTree exact_sah_tree(std::shared_ptr<const DataSet> data, double traversal_cost = 1, std::uint32_t depth = 64,
                              std::stop_token stop = {});

}  // namespace kdscope
