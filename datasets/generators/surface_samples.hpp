#pragma once
// Points on the surface of a triangle mesh.

#include <cstdint>
#include <vector>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Draws n points, independent and uniform by area, on triangles over 3D float vertices. Same bytes on every machine.
/// triangle_of: receives the triangle of each point, [n]; may be null. Precondition: there is a triangle, and vertex
/// indices are in range. Work O(t + n log t) for t triangles.
PointSet sample_surface(const PointSet& vertices, const std::vector<std::uint32_t>& triangles, std::uint32_t n,
                        std::uint64_t seed, std::vector<std::uint32_t>* triangle_of = nullptr);

}  // namespace kdscope
