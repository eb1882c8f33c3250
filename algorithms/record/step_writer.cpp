#include "algorithms/record/step_writer.hpp"

#include <cstring>

namespace kdscope {

TypedArray coordinates_of(const PointSet& points) {
  const std::size_t row = points.dim * sizeof(std::uint32_t);
  TypedArray coordinates(points.type == ScalarType::int32 ? ElementType::int32 : ElementType::float32,
                         points.size() * points.dim);
  for (std::size_t i = 0; i < points.size(); ++i)
    std::memcpy(coordinates.bytes().data() + i * row, points.words.data() + i * points.stride(), row);
  return coordinates;
}

}  // namespace kdscope
