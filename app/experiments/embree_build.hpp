#pragma once
// Embree's bounding volume hierarchy, a control beside kd-trees of triangles; optional.

#include <functional>
#include <memory>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Builds the hierarchy afresh at each call, on all threads of the CPU; Embree's usual quality. Empty where this build
/// has no Embree. Precondition: float triangles in three dimensions. Errors (ErrorException): Embree's own, such as
/// out_of_memory.
std::function<void()> embree_build(std::shared_ptr<const DataSet> data);

}  // namespace kdscope
