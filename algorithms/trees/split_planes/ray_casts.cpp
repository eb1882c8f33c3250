#include "algorithms/trees/split_planes/ray_casts.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

#include "algorithms/core/all_threads.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/core/hash.hpp"

namespace kdscope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Tests a triangle and keeps the nearer one of its hit and the previous hit.
void test(const DataSet& data, std::uint32_t triangle, const Ray& ray, RayHit& hit) {
  const auto corners = [&](int c, int d) {
    return data.points.value(data.triangles[3 * std::size_t(triangle) + static_cast<std::size_t>(c)],
                             static_cast<std::uint32_t>(d));
  };
  const double distance = hit_triangle(ray, corners);
  if (distance < 0) return;
  if (hit.triangle == no_id || distance < hit.distance || (distance == hit.distance && triangle < hit.triangle))
    hit = {triangle, distance};
}

}  // namespace

std::vector<Ray> random_rays(const PointSet& points, std::uint32_t n, std::uint64_t seed) {
  const Box box = bounding_box(points);
  std::vector<Ray> rays(box.lo.empty() ? 0 : n);
  double longest = 0;
  for (std::size_t d = 0; d < box.lo.size(); ++d) longest = std::max(longest, box.hi[d] - box.lo[d]);
  const double around = longest > 0 ? longest / 4 : 1;
  for (std::uint64_t i = 0; i < rays.size(); ++i)
    for (std::uint64_t d = 0; d < 3; ++d) {
      const auto unit = [&](std::uint64_t end) {
        return static_cast<double>(mix64(mix64(seed + 0x9e3779b97f4a7c15ull) + 6 * i + 2 * d + end) >> 32) * 0x1p-32;
      };
      const double extent = box.hi[d] - box.lo[d], to = box.lo[d] + extent * unit(0);
      rays[i].origin[d] = box.lo[d] - around + (extent + 2 * around) * unit(1);
      rays[i].direction[d] = to - rays[i].origin[d];
    }
  return rays;
}

RayHit cast_ray_at_all(const DataSet& data, const Ray& ray) {
  RayHit hit;
  for (std::uint32_t t = 0; t < data.triangles.size() / 3; ++t) test(data, t, ray, hit);
  return hit;
}

RayHit cast_ray(const SplitPlaneTree& tree, const Ray& ray, RayWork* work) {
  const ScalarType type = tree.data->points.type;
  RayHit hit;
  double enter = 0, leave = infinity;
  for (std::uint32_t d = 0; d < 3; ++d) {
    const double lo = scalar_value(tree.box[d], type), hi = scalar_value(tree.box[3 + d], type), o = ray.origin[d],
                 along = ray.direction[d];
    if (along == 0) {
      if (o < lo || o > hi) return hit;
      continue;
    }
    const auto [near, far] = std::minmax({(lo - o) / along, (hi - o) / along});
    enter = std::max(enter, near);
    leave = std::min(leave, far);
  }
  // Tolerate rounding: distances to planes and to triangles round differently, so a hit near a plane may be on either
  // side.
  const auto surely_behind = [](double one, double other) { return one > other + rounding_of(one, other); };
  if (surely_behind(enter, leave)) return hit;

  struct Open {
    std::uint32_t node;
    double enter, leave;
  };
  std::vector<Open> open{{0, enter, leave}};
  while (!open.empty()) {
    auto [node, from, to] = open.back();
    open.pop_back();
    if (hit.triangle != no_id && surely_behind(from, hit.distance)) continue;
    if (work) ++work->nodes;
    if (tree.is_leaf(node)) {
      for (std::uint32_t i = 0; i < tree.count[node]; ++i)
        test(*tree.data, tree.primitive_of_position[tree.first[node] + i], ray, hit);
      if (work) work->tests += tree.count[node];
      continue;
    }
    const std::uint32_t d = tree.split_dim[node];
    const double value = scalar_value(tree.split_value[node], type), o = ray.origin[d], along = ray.direction[d];
    std::uint32_t near = node + 1, far = tree.right_child[node];
    if (along == 0) {
      if (o >= value) open.push_back({far, from, to});
      if (o <= value) open.push_back({near, from, to});
      continue;
    }
    if (along < 0) std::swap(near, far);
    const double at = (value - o) / along;
    if (!surely_behind(at, to)) open.push_back({far, std::max(from, at), to});
    if (!surely_behind(from, at)) open.push_back({near, from, std::min(to, at)});
  }
  return hit;
}

CheckResult check_ray_casts(const SplitPlaneTree& tree, std::span<const Ray> rays, std::stop_token stop,
                            const std::function<void(double)>& progress) {
  CheckResult f{"ray casts", "a ray through the tree hits the triangle that it hits first among all", true, ""};
  std::atomic<std::size_t> wrong = rays.size();
  for_each_on_all_threads(rays.size(), stop, [&](std::size_t i, bool is_caller) {
    if (is_caller && progress) progress(double(i) / double(rays.size()));
    if (cast_ray(tree, rays[i]) == cast_ray_at_all(*tree.data, rays[i])) return;
    // Report the first ray that differs, whichever thread finds it.
    for (std::size_t before = wrong; i < before && !wrong.compare_exchange_weak(before, i);) {
    }
  });
  if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
  if (wrong < rays.size()) {
    const auto name = [](const RayHit& hit) {
      return hit.triangle == no_id ? std::string("nothing") : "triangle " + std::to_string(hit.triangle);
    };
    f.fail("ray " + std::to_string(wrong) + " hits " + name(cast_ray(tree, rays[wrong])) + " through the tree, " +
           name(cast_ray_at_all(*tree.data, rays[wrong])) + " among all");
  }
  return f;
}

}  // namespace kdscope
