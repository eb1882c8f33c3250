#include "algorithms/record/step_writer.hpp"

#include <algorithm>
#include <cstring>

namespace kdscope {

std::string coordinate_name(std::uint32_t dim, std::uint32_t k) {
  static constexpr const char* letters[] = {"x", "y", "z", "w"};
  return k <= 4 ? letters[dim] : "x" + std::to_string(dim);
}

std::vector<std::uint32_t> values_of(const std::vector<PointId>& ids) {
  std::vector<std::uint32_t> values(ids.size());
  std::transform(ids.begin(), ids.end(), values.begin(), [](PointId id) { return id.value; });
  return values;
}

TypedArray coordinates_of(const PointSet& points) {
  const std::size_t row = points.dim * sizeof(std::uint32_t);
  TypedArray coordinates(points.type == ScalarType::int32 ? ElementType::int32 : ElementType::float32,
                         points.size() * points.dim);
  for (std::size_t i = 0; i < points.size(); ++i)
    std::memcpy(coordinates.bytes().data() + i * row, points.words.data() + i * points.stride(), row);
  return coordinates;
}

std::vector<ArrayInfo> points_and_rows(const TraceHeader& header, const std::string& point_of_position) {
  const ElementType type = header.scalar == ScalarType::int32 ? ElementType::int32 : ElementType::float32;
  std::vector<ArrayInfo> infos{{points_array,
                                points_array,
                                type,
                                Space::point,
                                Space::coordinate,
                                header.dim,
                                {"point", "dimension"},
                                false,
                                {}}};
  for (std::uint32_t d = 0; d < header.dim; ++d) {
    const std::string name = "data[i]." + coordinate_name(d, header.dim);
    infos.push_back({name,
                     name,
                     type,
                     Space::position,
                     Space::coordinate,
                     1,
                     {},
                     true,
                     Gather{points_array, point_of_position, d}});
  }
  return infos;
}

std::vector<ArrayInfo> partition_infos(std::uint32_t dim, bool buckets) {
  namespace names = partition_arrays;
  using enum ElementType;
  std::vector<ArrayInfo> infos{
      {names::parent, names::parent, uint32, Space::node, Space::node, 1, {}, false, {}},
      {names::split_dim, names::split_dim, uint32, Space::node, Space::dimension, 1, {}, false, {}},
      {names::split_value, names::split_value, float64, Space::node, Space::split_value, 1, {}, false, {}},
      {names::box, names::box, float64, Space::node, Space::coordinate, 2 * dim, {"node", "side"}, false, {}},
      {names::point, names::point, uint32, Space::node, Space::point, 1, {}, false, {}},
      {names::node_of_point, names::node_of_point, uint32, Space::point, Space::node, 1, {}, false, {}}};
  if (!buckets) return infos;
  infos.push_back({names::tight_box,
                   names::tight_box,
                   float64,
                   Space::node,
                   Space::coordinate,
                   2 * dim,
                   {"node", "side"},
                   false,
                   {}});
  infos.push_back({names::leaf, names::leaf, uint8, Space::node, Space::none, 1, {}, false, {}});
  return infos;
}

}  // namespace kdscope
