#pragma once
// Arrays of numpy as the library takes them.

#include <pybind11/numpy.h>

#include "algorithms/library/host_search.hpp"

namespace kdscope::python {

/// Returns a view of points in a contiguous array of float32, float64 or int32 numbers; its last dimension is that of
/// the points. Valid as long as the array. Raises ValueError for others.
library::HostPoints host_points(const pybind11::array& array);

}  // namespace kdscope::python
