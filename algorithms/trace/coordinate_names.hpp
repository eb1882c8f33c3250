#pragma once
// The names of coordinates, and of the components of arrays, wherever a trace is shown.

#include <cstdint>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// x, y, z, w up to four dimensions; x0, x1, ... beyond.
std::string coordinate_name(std::uint32_t dim, std::uint32_t k);

/// The dimension to which a component of an array of coordinates belongs, in k dimensions; no_id for none.
std::uint32_t dimension_of(const ArrayInfo& info, std::uint32_t component, std::uint32_t k);

/// The suffix of an array's name in the name of a component's row: ".x" for a coordinate, ".low.x" for an end of a box,
/// ".left", "[1]"; empty for arrays of one component.
std::string component_suffix(const ArrayInfo& info, std::uint32_t component, std::uint32_t k);

}  // namespace kdscope
