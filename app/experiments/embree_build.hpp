#pragma once
// Embree's bounding volume hierarchy, an optional control beside kd-trees of triangles.

#include <functional>
#include <memory>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Returns a function that builds the hierarchy afresh at each call, on all threads of the CPU, with Embree's default
/// quality. Empty if this program was built without Embree. Precondition: float triangles in three dimensions. Errors
/// (ErrorException): Embree's own, such as out_of_memory.
std::function<void()> embree_build(std::shared_ptr<const DataSet> data);

}  // namespace kdscope
