#pragma once
// Rays through a scene, for pictures and for photons: where they hit, and how mirrors and glass send them on. All
// arithmetic is in doubles, +, -, *, / and square roots alone, so that results are the same on every device.

#include <cmath>
#include <cstdint>
#include <limits>

#include "algorithms/applications/counters.hpp"
#include "algorithms/queries/nearest.hpp"
#include "algorithms/queries/zhou-sah/zhou_sah.hpp"
#include "datasets/scene_look.hpp"

namespace kdscope::ray_tracing {

using TreeView = queries::zhou_sah::View<float>;
using Ray = queries::zhou_sah::Ray<float, 0>;

/// A scene in a back end's memory.
struct SceneView {
  TreeView tree;
  const std::uint8_t* made_of;  ///< [triangles] materials; null: all of the first
  const Material* materials;
  const PointLight* lights;
  std::uint32_t light_count;
  Colour above, below;
  Vector3 up;
  double step;  ///< how far a ray starts from the surface that sends it, so that it does not hit it again
};

/// A ray on its way, with the share of its light that reaches the pixel.
struct PathRay {
  float origin[3], direction[3];
  float weight[3];
  std::uint32_t pixel;
};

struct PathHit {
  std::uint32_t triangle;  ///< no_id if the ray leaves the scene
  float distance;          ///< in lengths of the ray's direction
};

/// The rays that travel together, and where they hit.
struct RaysOfPass {
  std::uint32_t n;
  const PathRay* rays;
  const PathHit* hits;
};

KDSCOPE_HD inline Vector3 vector_of(const float (&v)[3]) { return {v[0], v[1], v[2]}; }
KDSCOPE_HD inline Vector3 normalised(Vector3 v) {
  const double l = length(v);
  return l > 0 ? (1 / l) * v : Vector3{0, 0, 1};
}
KDSCOPE_HD inline Vector3 times(const float (&a)[3], const Colour& b) {
  return {double(a[0]) * b[0], double(a[1]) * b[1], double(a[2]) * b[2]};
}
KDSCOPE_HD inline Ray ray_from(Vector3 origin, Vector3 direction) {
  Ray ray{};
  const double from[3] = {origin.x, origin.y, origin.z}, along[3] = {direction.x, direction.y, direction.z};
  for (int d = 0; d < 3; ++d) {
    ray.origin.at[d] = static_cast<float>(from[d]);
    ray.direction.at[d] = static_cast<float>(along[d]);
  }
  return ray;
}
KDSCOPE_HD inline PathRay path_ray(Vector3 origin, Vector3 direction, Vector3 weight, std::uint32_t pixel) {
  return {{float(origin.x), float(origin.y), float(origin.z)},
          {float(direction.x), float(direction.y), float(direction.z)},
          {float(weight.x), float(weight.y), float(weight.z)},
          pixel};
}

/// The surface at a hit.
struct Surface {
  Vector3 at, normal;  ///< the normal of unit length on the ray's side
  bool from_behind;    ///< whether the ray comes from the side that the triangle faces away from
  const Material* material;

  KDSCOPE_HD Surface(const SceneView& scene, const PathRay& ray, const PathHit& hit) {
    const queries::zhou_sah::CornersOf<float> corners{scene.tree.corners + 9 * std::size_t(hit.triangle)};
    const auto corner = [&](int c) { return Vector3{corners(c, 0), corners(c, 1), corners(c, 2)}; };
    const Vector3 a = corner(0), along = vector_of(ray.direction);
    normal = normalised(cross(corner(1) - a, corner(2) - a));
    from_behind = dot(normal, along) > 0;
    if (from_behind) normal = -1 * normal;
    at = vector_of(ray.origin) + double(hit.distance) * along;
    material = &scene.materials[scene.made_of ? scene.made_of[hit.triangle] : 0];
  }
};

/// Returns the share of light that a clear surface reflects (Fresnel's equations, unpolarised light); 1 where all is
/// reflected. cosine: of the angle to the normal. ratio: index of refraction on the ray's side, over that behind.
/// behind: receives the cosine of the refracted ray's angle to the normal; unchanged if all light is reflected.
KDSCOPE_HD inline double reflected_share(double cosine, double ratio, double& behind) {
  const double sine_squared = ratio * ratio * (1 - cosine * cosine);
  if (sine_squared >= 1) return 1;
  behind = std::sqrt(1 - sine_squared);
  const double across = (ratio * cosine - behind) / (ratio * cosine + behind),
               along = (cosine - ratio * behind) / (cosine + ratio * behind);
  return (across * across + along * along) / 2;
}

/// The ways on from a surface that mirrors or refracts.
struct WaysOn {
  Vector3 front, mirrored;    ///< start and direction of the mirrored ray
  Vector3 behind, refracted;  ///< those of the refracted ray, where not all light is reflected
  double share;               ///< of the light that is reflected: of an opaque surface, all

  KDSCOPE_HD WaysOn(const SceneView& scene, const PathRay& ray, const Surface& surface) : share(1) {
    const Vector3 along = normalised(vector_of(ray.direction));
    const double cosine = -dot(along, surface.normal);
    mirrored = along + (2 * cosine) * surface.normal, front = surface.at + scene.step * surface.normal;
    const double refraction = surface.material->refraction;
    if (refraction == 0) return;
    const double ratio = surface.from_behind ? refraction : 1 / refraction;
    double cosine_behind = 0;
    share = reflected_share(cosine, ratio, cosine_behind);
    behind = surface.at - scene.step * surface.normal;
    refracted = ratio * along + (ratio * cosine - cosine_behind) * surface.normal;
  }
};

// [region applications/trace_rays]
/// Finds the first triangle along each ray.
struct TraceRays {
  SceneView scene;
  const PathRay* rays;
  PathHit* hits;
  std::uint32_t* visited;  ///< [pixels]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    queries::ShortList<float, 1> first(1, std::numeric_limits<float>::infinity());
    const PathRay& ray = rays[i];
    const std::uint32_t nodes = queries::zhou_sah::RayWithStack().run(
        scene.tree, ray_from(vector_of(ray.origin), vector_of(ray.direction)), first, queries::NoLog());
    first.for_each([&](int, const queries::Neighbour<float>& hit) { hits[i] = {hit.point.value, hit.distance}; });
    add_to(visited + ray.pixel, nodes);
  }
};
// [endregion]

/// Sets numbers to 0.
template <class T>
struct Clear {
  T* numbers;
  KDSCOPE_HD void operator()(std::uint32_t i) const { numbers[i] = 0; }
};

/// Returns counts[i].
struct CountAt {
  const std::uint32_t* counts;
  std::uint32_t n;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return i < n ? counts[i] : 0; }
};
/// Returns counts[i] as a number whose sums do not overflow.
struct WideCountAt {
  const std::uint32_t* counts;
  KDSCOPE_HD std::uint64_t operator()(std::uint32_t i) const { return counts[i]; }
};
struct Plus {
  KDSCOPE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

}  // namespace kdscope::ray_tracing
