#pragma once
// Photons of a caustic: the light that a metal ring reflects onto the table it stands on.

#include <cstdint>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Returns n places where photons hit the table z = 0 inside a ring of radius 1 about the z axis. They come from a
/// lamp at height 1 above the ring's edge and are reflected once at its inner wall, which is 0.5 high. They gather
/// along a cardioid whose cusp is at (-1/3, 0). Uniform in the direction around the lamp and in the height where they
/// hit the wall. Same bytes on every machine. Work O(n).
PointSet caustic_photons(std::uint32_t n, std::uint64_t seed);

}  // namespace kdscope
