#include "datasets/generators/surface_samples.hpp"

#include <algorithm>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/vector3.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/parallel_chunks.hpp"

namespace kdscope {

PointSet sample_surface(const PointSet& vertices, const std::vector<std::uint32_t>& triangles, std::uint32_t n,
                        std::uint64_t seed, std::vector<std::uint32_t>* triangle_of) {
  const auto corner = [&](std::size_t triangle, std::size_t c) {
    const std::size_t v = triangles[3 * triangle + c];
    return Vector3{vertices.value(v, 0), vertices.value(v, 1), vertices.value(v, 2)};
  };

  // Twice the area up to and including each triangle.
  std::vector<double> area_up_to(triangles.size() / 3);
  double area = 0;
  for (std::size_t t = 0; t < area_up_to.size(); ++t) {
    area += length(cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)));
    area_up_to[t] = area;
  }

  PointSet samples;
  samples.dim = 3;
  require_memory(std::uint64_t{n} * 3 * sizeof(std::uint32_t), "the points");
  samples.words.resize(std::size_t{n} * 3);
  if (triangle_of) triangle_of->resize(n);
  const CounterHash where(seed, 0), along(seed, 1), across(seed, 2);
  parallel_chunks(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto chosen = std::upper_bound(area_up_to.begin(), area_up_to.end() - 1, where.unit(i) * area);
      const auto t = static_cast<std::size_t>(chosen - area_up_to.begin());
      if (triangle_of) (*triangle_of)[i] = static_cast<std::uint32_t>(t);
      // The half of the parallelogram beyond the triangle is folded back onto it.
      double u = along.unit(i), v = across.unit(i);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vector3 p = corner(t, 0) + u * (corner(t, 1) - corner(t, 0)) + v * (corner(t, 2) - corner(t, 0));
      samples.words[3 * i] = word_of(static_cast<float>(p.x));
      samples.words[3 * i + 1] = word_of(static_cast<float>(p.y));
      samples.words[3 * i + 2] = word_of(static_cast<float>(p.z));
    }
  });
  return samples;
}

}  // namespace kdscope
