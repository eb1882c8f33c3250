#pragma once
// Casts rays through a tree of split planes over triangles, and against all triangles. Both must have the same hits.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/triangle_hit.hpp"

namespace kdscope {

using Ray = RayNumbers<double>;

/// The first triangle along a ray; among several at the same distance, the one with the lowest index.
struct RayHit {
  std::uint32_t triangle = no_id;  ///< no_id if the ray hits nothing
  double distance = 0;             ///< multiple of the ray's direction
  bool operator==(const RayHit&) const = default;
};

/// Statistics of a ray's traversal of a tree.
struct RayWork {
  std::uint64_t nodes = 0, tests = 0;
};

/// Makes rays that start in the box of the points, enlarged by a quarter of its longest side on each side, and point to
/// places in the box. A seed makes the same rays on every machine. Precondition: three dimensions.
std::vector<Ray> random_rays(const PointSet& points, std::uint32_t n, std::uint64_t seed);

/// Finds the hit by testing all triangles. Work O(triangles).
RayHit cast_ray_at_all(const DataSet& data, const Ray& ray);
/// Finds the hit by traversing the tree from front to back until a node begins behind the hit. Precondition: a sound
/// tree over triangles. work: if given, counts are added to it.
RayHit cast_ray(const SplitPlaneTree& tree, const Ray& ray, RayWork* work = nullptr);

/// Checks on all threads of the machine that every ray has the same hit both ways. progress: one thread calls it with
/// the finished share. Throws ErrorException on a stop request. Work O(rays triangles).
CheckResult check_ray_casts(const SplitPlaneTree& tree, std::span<const Ray> rays, std::stop_token stop = {},
                            const std::function<void(double)>& progress = {});

}  // namespace kdscope
