#pragma once
// Sorts queries along a Morton curve. Neighbouring threads then serve neighbouring queries, which visit mostly the same
// nodes: fewer lanes of a warp wait for others, and more reads come from the caches.

#include <cstdint>

#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/key_order.hpp"

namespace kdscope::queries {

/// Sorts queries along the curve and returns their indices: [n], valid until the order is sorted again. Work O(n).
/// morton.cpp and morton_cuda.cu instantiate it for float and double.
template <class Number, class Exec>
const std::uint32_t* sort_along_curve(Exec& exec, KeyOrder<Exec>& order, const PointsOnDevice<Exec>& queries);

}  // namespace kdscope::queries
