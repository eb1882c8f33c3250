#include "visualizer/model/mesh.hpp"

#include <algorithm>

namespace kdscope {

std::vector<std::uint32_t> triangles_of(const Cursor& cursor) {
  const TypedArray* array = cursor.step_count() ? cursor.array(triangles_array) : nullptr;
  if (!array || array->type() != ElementType::uint32 || array->size() % 3 != 0) return {};
  const auto corners = array->as<std::uint32_t>();
  if (std::ranges::any_of(corners, [&](std::uint32_t point) { return point >= cursor.trace().header.n; })) return {};
  return {corners.begin(), corners.end()};
}

std::vector<TreePlace> places_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                           const std::vector<std::uint32_t>& triangles) {
  // Stop at this level: below it, shades cannot be distinguished on a lit surface.
  constexpr int deepest = 6;
  const auto& nodes = partition.nodes();
  std::vector<TreePlace> places(triangles.size() / 3);
  if (nodes.empty() || !nodes[0].alive) return places;
  for (std::size_t t = 0; t < places.size(); ++t) {
    std::uint32_t node = 0;
    for (int level = 0; level < deepest; ++level) {
      const PartitionNode& at = nodes[node];
      if (at.split_dim < 0 || static_cast<std::uint32_t>(at.split_dim) >= dim) break;
      int right = 0;
      for (std::size_t c = 3 * t; c < 3 * t + 3; ++c)
        right +=
            points.number(std::size_t(triangles[c]) * dim + static_cast<std::uint32_t>(at.split_dim)) >= at.split_value;
      const std::uint32_t child = right == 0 ? at.left : at.right;
      if ((right != 0 && right != 3) || child >= nodes.size() || !nodes[child].alive) break;
      node = child;
    }
    places[t] = nodes[node].place;
  }
  return places;
}

}  // namespace kdscope
