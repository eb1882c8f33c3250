#pragma once
// Changes the type of coordinates where that changes no number.

#include <memory>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// Returns a data set with coordinates of a type: the same one if it has the type, or else a copy with equal numbers.
/// Error: bad_input for a number that the type does not hold, with the first point that has one.
Result<std::shared_ptr<const DataSet>> with_coordinates(std::shared_ptr<const DataSet> data, ScalarType type);

}  // namespace kdscope
