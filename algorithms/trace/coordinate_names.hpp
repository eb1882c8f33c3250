#pragma once
// The names of coordinates and of array components, wherever a trace is shown.

#include <cstdint>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns x, y, z, w for up to four dimensions, and x0, x1, ... for more.
std::string coordinate_name(std::uint32_t dim, std::uint32_t k);

/// Returns the dimension to which a component of an array of coordinates belongs, in k dimensions, or no_id.
std::uint32_t dimension_of(const ArrayInfo& info, std::uint32_t component, std::uint32_t k);

/// Returns the suffix that a component's row adds to the name of its array: ".x" for a coordinate, ".low.x" for an end
/// of a box, ".left", "[1]"; empty for arrays of one component.
std::string component_suffix(const ArrayInfo& info, std::uint32_t component, std::uint32_t k);

}  // namespace kdscope
