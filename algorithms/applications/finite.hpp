#pragma once
// Checks that numbers given to an application are finite, and in the range of its arithmetic.

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/core/vector3.hpp"
#include "algorithms/registry/searches.hpp"

namespace kdscope {

/// Returns whether all components are finite as floats, in which kernels store places and directions.
inline bool is_finite_float(Vector3 v) {
  return std::isfinite(float(v.x)) && std::isfinite(float(v.y)) && std::isfinite(float(v.z));
}

/// Returns an error for the first point whose coordinates are not all finite, or for coordinates the squares of whose
/// distances floats cannot hold. Work O(n).
inline std::optional<Error> fault_of_coordinates(const DataSet& data) {
  for (std::size_t i = 0; i < data.points.size(); ++i)
    for (std::uint32_t d = 0; d < data.points.dim; ++d)
      if (!std::isfinite(data.points.value(i, d)))
        return Error{ErrorKind::bad_input,
                     "a coordinate of point " + std::to_string(i) + " is infinite or not a number", data.name,
                     "remove the point"};
  if (auto range = check_range(data.points, {}, data.name); !range) return range.error();
  return {};
}

}  // namespace kdscope
