#pragma once
// The triangles of a trace, and where in the tree each lies.

#include <cstdint>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// The corners of all triangles, three points each; empty where the data is no mesh, or names points that there are
/// not.
std::vector<std::uint32_t> triangles_of(const Cursor& cursor);
/// Of each triangle the place of the lowest node whose side of all planes above it has all three corners: what its
/// colour follows from. points: [n x dim]. Work O(triangles depth).
std::vector<TreePlace> places_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                           const std::vector<std::uint32_t>& triangles);

}  // namespace kdscope
