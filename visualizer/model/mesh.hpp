#pragma once
// The triangles of a trace and their places in the tree.

#include <cstdint>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// Returns the corners of all triangles, three points each; empty if the data is not a mesh or names points that do not
/// exist.
std::vector<std::uint32_t> triangles_of(const Cursor& cursor);
/// Returns, for each triangle, the place of the deepest node (at most level 6) that contains all three corners; it
/// determines the triangle's colour. points: [n x dim]. Work O(triangles x depth).
std::vector<TreePlace> places_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                           const std::vector<std::uint32_t>& triangles);

}  // namespace kdscope
