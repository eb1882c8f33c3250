#pragma once
// Predicts the memory of what is computed of point clouds.

#include <cstdint>

#include "algorithms/applications/memory_need.hpp"

namespace kdscope {

/// Predicts the estimate of a cloud of n points.
MemoryNeed memory_of_cloud(std::uint64_t n, std::uint32_t k, bool oriented);

/// Predicts the strengths of n points, with handles of `active` and `fixed` points.
MemoryNeed memory_of_strength(std::uint64_t n, std::uint64_t active, std::uint64_t fixed);

}  // namespace kdscope
