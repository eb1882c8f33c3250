#pragma once
// Rays through a tree of split planes over triangles, and against all triangles: both must hit the same.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

struct Ray {
  double origin[3], direction[3];
};

/// The first triangle along a ray; of several at the same place the one of the lowest index.
struct RayHit {
  std::uint32_t triangle = no_id;  ///< no_id: the ray hits nothing
  double distance = 0;             ///< in lengths of the ray's direction
  bool operator==(const RayHit&) const = default;
};

/// What a ray has met on its way through a tree, for statistics.
struct RayWork {
  std::uint64_t nodes = 0, tests = 0;
};

/// Rays from anywhere in and around the points' box, a quarter of its longest side on each side, to anywhere in it. The
/// same for a seed on every machine. Precondition: three dimensions.
std::vector<Ray> random_rays(const PointSet& points, std::uint32_t n, std::uint64_t seed);

/// The hit among all triangles. Work O(triangles).
RayHit cast_ray_at_all(const DataSet& data, const Ray& ray);
/// The hit by way of the tree: nodes from the front to the back, until one begins behind the hit. Precondition: a sound
/// tree over triangles. work: added to, where given.
RayHit cast_ray(const SplitPlaneTree& tree, const Ray& ray, RayWork* work = nullptr);

/// Whether every ray hits the same both ways; on all threads of the machine. progress: told the share that is done, by
/// one thread. Throws ErrorException where a stop is requested. Work O(rays triangles).
CheckResult check_ray_casts(const SplitPlaneTree& tree, std::span<const Ray> rays, std::stop_token stop = {},
                            const std::function<void(double)>& progress = {});

}  // namespace kdscope
