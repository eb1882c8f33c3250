#pragma once
// A simulated range scan of a workbench: what one view of a structured-light depth camera would give.

#include <cstdint>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Casts a grid of rays at a desk with boxes, a can, a piston with its rod, a ball, a back wall and the floor, and
/// returns exactly n float points in metres (x to the right, y away from the camera, z up; the floor is z = 0).
/// A surface is seen where the camera and the pattern projector beside it both see it, so parts cast shadows; range
/// noise grows with the square of the distance. Same bytes on every machine. Work O(n).
PointSet workbench_scan(std::uint32_t n, std::uint64_t seed);

}  // namespace kdscope
