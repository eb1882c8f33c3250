#pragma once
// A simulated range scan of a workbench: what one view of a structured-light depth camera would give.

#include <cstdint>

#include "algorithms/core/points.hpp"
#include "datasets/generators/placement.hpp"
#include "datasets/generators/triangle_mesh.hpp"

namespace kdscope {

/// Frames in which the piston is lifted, turned, tilted and put back.
inline constexpr std::uint32_t workbench_frames = 100;
/// Where the camera stands.
inline constexpr Vector3 workbench_camera{0.12, -0.35, 1.55};

/// Returns the place of the piston in a frame: maps its own coordinates (its base stands on z = 0 about the origin) to
/// those of the scan. From a frame to the next it moves by at most 11 mm and turns by at most 4 degrees.
Placement piston_place(std::uint32_t frame);
/// Returns the surface of the piston with its rod in its own coordinates, in metres.
TriangleMesh piston_model();

/// Casts a grid of rays at a desk with boxes, a can, a piston with its rod, a ball, a back wall and the floor, and
/// returns exactly n float points in metres (x to the right, y away from the camera, z up; the floor is z = 0).
/// A surface is seen where the camera and the pattern projector beside it both see it, so parts cast shadows; range
/// noise grows with the square of the distance. In another frame than 0 the piston has moved, and the noise is another.
/// Same bytes on every machine. Work O(n).
PointSet workbench_scan(std::uint32_t n, std::uint64_t seed, std::uint32_t frame = 0);

}  // namespace kdscope
