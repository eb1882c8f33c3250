#include "algorithms/registry/usual_algorithm.hpp"

#include <algorithm>

#include "algorithms/registry/registry.hpp"

namespace kdscope {

bool takes(const AlgorithmSpec& spec, const PointSet& points) {
  return points.dim >= spec.min_dim && points.dim <= spec.max_dim &&
         std::find(spec.scalars.begin(), spec.scalars.end(), points.type) != spec.scalars.end();
}

const std::string& usual_algorithm(const PointSet& points) {
  static const std::string usual = usual_algorithm_id;
  if (const AlgorithmSpec* spec = find_algorithm(usual); spec && takes(*spec, points)) return usual;
  const auto first = std::find_if(algorithms().begin(), algorithms().end(), [&](const AlgorithmSpec& spec) {
    return !spec.takes_triangles && takes(spec, points);
  });
  return first == algorithms().end() ? usual : first->id;
}

}  // namespace kdscope
