#pragma once
// The triangles of a trace and their places in the tree.

#include <cstdint>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// Returns the corners of all triangles, three points each. The result is empty if the data is not a mesh or names
/// points that do not exist.
std::vector<std::uint32_t> triangles_of(const Cursor& cursor);
/// Returns, for each triangle, the place that determines its colour: that of the lowest node for which all three
/// corners lie on the node's side of every plane above it. points: [n x dim]. Work O(triangles depth).
std::vector<TreePlace> places_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                           const std::vector<std::uint32_t>& triangles);

}  // namespace kdscope
