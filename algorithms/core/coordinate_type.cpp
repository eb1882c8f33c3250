#include "algorithms/core/coordinate_type.hpp"

#include <cmath>
#include <string>

#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

/// Whether a number of the other type is one of this type.
bool holds(ScalarType type, double value) {
  if (type == ScalarType::float32) return static_cast<double>(static_cast<float>(value)) == value;
  return value == std::trunc(value) && value >= INT32_MIN && value <= INT32_MAX;
}

}  // namespace

Result<std::shared_ptr<const DataSet>> with_coordinates(std::shared_ptr<const DataSet> data, ScalarType type) {
  if (data->points.type == type) return data;
  auto converted = std::make_shared<DataSet>(*data);
  PointSet& points = converted->points;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const double value = points.value(i, d);
      if (!holds(type, value))
        return Error{ErrorKind::bad_input,
                     "point " + std::to_string(i) + " has the coordinate " + table_number(value) + ", which is no " +
                         (type == ScalarType::float32 ? "32-bit float" : "whole number of 32 bits"),
                     data->name,
                     type == ScalarType::float32 ? "open it with type=float to round its coordinates"
                                                 : "open the points that are whole numbers with type=float too"};
      points.words[i * points.stride() + d] =
          type == ScalarType::float32 ? word_of(static_cast<float>(value)) : word_of(static_cast<std::int32_t>(value));
    }
  points.type = type;
  return std::shared_ptr<const DataSet>(std::move(converted));
}

}  // namespace kdscope
