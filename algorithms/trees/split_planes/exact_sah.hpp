#pragma once
// The quality reference for trees over triangles: a greedy builder that evaluates the surface area heuristic at all
// faces of all triangles in every node, from the root to the leaves.

#include <cstdint>
#include <memory>
#include <stop_token>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// Builds the tree by the O(n log n) algorithm of Wald & Havran 2006. Events (a triangle's box begins, ends or lies in
/// a plane) are sorted once per dimension. A sweep over a node finds the plane of lowest cost. The node's events pass
/// to the children in order; only triangles that the plane cuts get new events, sorted anew, from their exactly clipped
/// boxes. A node is a leaf if no split costs less (traversal_cost: C_ts, in tests of a triangle), or at `depth`. For
/// planes that contain triangles, both the plane itself and the plane one float behind it are candidates. Ties go to
/// the lowest dimension, then to the lowest plane. Precondition: float triangles in three dimensions. On one core,
/// 252,000 triangles take a few seconds. Errors (ErrorException): cancelled, on a stop request.
SplitPlaneTree exact_sah_tree(std::shared_ptr<const DataSet> data, double traversal_cost = 1, std::uint32_t depth = 64,
                              std::stop_token stop = {});

}  // namespace kdscope
