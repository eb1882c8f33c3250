#pragma once
// The kernels of a photon map: photons leave the lights, travel through mirrors and glass as rays do, and are gathered
// where rays from the eye meet matte surfaces.

#include <cstdint>

#include "algorithms/applications/counters.hpp"
#include "algorithms/applications/photon_mapping/photon_request.hpp"
#include "algorithms/applications/rays/scene_rays.hpp"
#include "algorithms/core/boxes.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/queries/zhou-vvh/zhou_vvh.hpp"

namespace kdscope::photon_mapping {

using ray_tracing::PathHit;
using ray_tracing::PathRay;
using ray_tracing::RaysOfPass;
using ray_tracing::SceneView;
using ray_tracing::Surface;
using PhotonTree = queries::zhou_vvh::View<float>;

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double light_unit = 1 << 20;  ///< light is counted in integers, so its order does not matter

/// Returns a number in [0, 1) that depends on nothing but its arguments.
KDSCOPE_HD inline double random_unit(std::uint64_t seed, std::uint64_t photon, std::uint64_t draw) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ull;
  return static_cast<double>(mix64(mix64(seed * golden + photon + 1) + (draw + 1) * golden) >> 32) * 0x1p-32;
}

/// The directions in which a light emits: a cone around all mirrors and glass. A projection map (Jensen 2001) of one
/// cell.
struct Cone {
  Vector3 from, axis, right, up;  ///< three unit vectors at right angles
  double height;                  ///< 1 - the cosine of its half angle; 2 for all directions
};

// [region applications/emit_photons]
/// Sends photons evenly into the cones of the lights, one light after another. Draws until a point lies in the unit
/// disk, and projects the disk onto the cone's part of the sphere, which keeps areas.
struct EmitPhotons {
  const Cone* cones;
  std::uint32_t lights;
  std::uint64_t seed;
  PathRay* rays;
  KDSCOPE_HD void operator()(std::uint32_t photon) const {
    const Cone& cone = cones[photon % lights];
    double x = 0, y = 0, square = 2;
    for (std::uint32_t draw = 0; square >= 1; draw += 2) {
      x = 2 * random_unit(seed, photon, draw) - 1, y = 2 * random_unit(seed, photon, draw + 1) - 1;
      square = x * x + y * y;
    }
    const double across = std::sqrt(cone.height * (2 - cone.height * square)), along = 1 - cone.height * square;
    rays[photon] = ray_tracing::path_ray(
        cone.from, along * cone.axis + (across * x) * cone.right + (across * y) * cone.up, Vector3{1, 1, 1}, photon);
  }
};
// [endregion]

/// What becomes of a photon at a hit.
struct Fate {
  bool travels;   ///< it goes on as `next`
  PhotonEnd end;  ///< otherwise
  PathRay next;
  Vector3 at;       ///< where it ends
  double light[3];  ///< that ends here; of a photon that travels on, what is absorbed
};

// [region applications/photon_fate]
/// Decides by Russian roulette whether a photon is reflected, transmitted or ends, so that no photon splits.
struct DecideFate {
  SceneView scene;
  std::uint64_t seed;
  std::uint32_t bounce, bounces;

  KDSCOPE_HD Fate operator()(const PathRay& ray, const PathHit& hit) const {
    Fate fate{false, PhotonEnd::escaped, ray, {}, {ray.weight[0], ray.weight[1], ray.weight[2]}};
    if (hit.triangle == no_id) return fate;
    const Surface surface(scene, ray, hit);
    const Material& material = *surface.material;
    fate.at = surface.at;
    // Draws of the first 2^16 numbers are those of the emission.
    const double draw = random_unit(seed, ray.pixel, (1u << 16) + bounce);
    if (material.refraction == 0 && draw >= material.mirror) {
      fate.end = bounce > 0 ? PhotonEnd::stored : PhotonEnd::direct;
      return fate;
    }
    if (bounce == bounces) {
      fate.end = PhotonEnd::absorbed;
      return fate;
    }
    const ray_tracing::WaysOn ways(scene, ray, surface);
    if (material.refraction == 0) return sent(fate, ray, ways.front, ways.mirrored, material.colour);
    if (draw < ways.share) return sent(fate, ray, ways.front, ways.mirrored, Colour{1, 1, 1});
    return sent(fate, ray, ways.behind, ways.refracted, material.colour);
  }

 private:
  KDSCOPE_HD static Fate sent(Fate fate, const PathRay& ray, Vector3 from, Vector3 direction, const Colour& colour) {
    fate.travels = true;
    fate.next = ray_tracing::path_ray(from, direction, ray_tracing::times(ray.weight, colour), ray.pixel);
    for (int c = 0; c < 3; ++c) fate.light[c] = double(ray.weight[c]) - fate.next.weight[c];
    return fate;
  }
};
/// Counts the photons that travel on and those that are stored. travels, stored: [rays].
struct CountFates {
  DecideFate decide;
  const PathRay* rays;
  const PathHit* hits;
  std::uint32_t *travels, *stored;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const Fate fate = decide(rays[i], hits[i]);
    travels[i] = fate.travels ? 1 : 0;
    stored[i] = !fate.travels && fate.end == PhotonEnd::stored ? 1 : 0;
  }
};
/// Lists those that travel on, stores those that end on matte surfaces, and counts the light of the others.
/// light: [ends x 3] in units of 2^-20. places: [photons x 3] coordinate words. flux: [photons x 3].
struct WriteFates {
  DecideFate decide;
  const PathRay* rays;
  const PathHit* hits;
  const std::uint32_t *travels_before, *stored_before;
  std::uint32_t stored_so_far;
  const float* flux_of_light;  ///< [lights x 3] of a photon that has lost nothing
  std::uint32_t lights;
  PathRay* next;
  std::uint32_t* places;
  float* flux;
  std::uint64_t* light;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const Fate fate = decide(rays[i], hits[i]);
    const PhotonEnd end = fate.travels ? PhotonEnd::absorbed : fate.end;
    for (int c = 0; c < 3; ++c)
      if (fate.light[c] > 0)
        add_to(light + 3 * static_cast<int>(end) + c, static_cast<std::uint64_t>(fate.light[c] * light_unit + 0.5));
    if (fate.travels) {
      next[travels_before[i]] = fate.next;
    } else if (end == PhotonEnd::stored) {
      const std::size_t at = 3 * (std::size_t(stored_so_far) + stored_before[i]);
      const double place[3] = {fate.at.x, fate.at.y, fate.at.z};
      for (int c = 0; c < 3; ++c) {
        places[at + c] = word_of(static_cast<float>(place[c]) + 0.0f);
        flux[at + c] = static_cast<float>(fate.light[c] * flux_of_light[3 * (rays[i].pixel % lights) + c]);
      }
    }
  }
};
// [endregion]

/// Returns the box of one photon.
struct BoxOfPhoton {
  const std::uint32_t* places;
  KDSCOPE_HD Box3 operator()(std::uint32_t i) const {
    Box3 box{};
    for (int d = 0; d < 3; ++d) box.lo[d] = box.hi[d] = float_of(places[3 * std::size_t(i) + d]);
    return box;
  }
};
struct UniteBoxes {
  KDSCOPE_HD Box3 operator()(const Box3& a, const Box3& b) const { return united(a, b); }
};

/// Collects the light of the nearest photons: a cone filter (Jensen 2001) weighs near ones more.
class LightOfNearest {
 public:
  KDSCOPE_HD LightOfNearest(float reach, const float* flux) : reach_(reach), flux_(flux) {}
  KDSCOPE_HD float reach() const { return reach_; }
  KDSCOPE_HD static float with(float distance, float difference) { return distance + difference * difference; }
  KDSCOPE_HD static float combined(float one, float other) { return one + other; }
  KDSCOPE_HD bool take(float distance, PointId photon) {
    const double weight = 1 - std::sqrt(double(distance)) / (filter * std::sqrt(double(reach_)));
    for (int c = 0; c < 3; ++c) sum_[c] += weight * flux_[3 * std::size_t(photon.value) + c];
    return true;
  }
  KDSCOPE_HD static bool writes() { return false; }
  KDSCOPE_HD void set_reach(float reach) { reach_ = reach; }
  /// Returns the light per area.
  KDSCOPE_HD double density(int c) const {
    return reach_ > 0 ? sum_[c] / ((1 - 2 / (3 * filter)) * pi * double(reach_)) : 0;
  }

 private:
  static constexpr double filter = 1.1;
  float reach_;
  const float* flux_;
  double sum_[3] = {0, 0, 0};
};

// [region applications/gather_photons]
/// Estimates the light that photons bring to each hit on an opaque surface, from the k nearest within R. caustics:
/// [rays x 3].
struct GatherPhotons {
  SceneView scene;
  PhotonTree tree;
  queries::zhou_vvh::RadiusHistogram search;
  const float* flux;
  std::uint32_t k;
  float reach;  ///< R squared
  const PathRay* rays;
  const PathHit* hits;
  float* caustics;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    for (int c = 0; c < 3; ++c) caustics[3 * std::size_t(i) + c] = 0;
    if (hits[i].triangle == no_id) return;
    const Surface surface(scene, rays[i], hits[i]);
    if (surface.material->refraction > 0) return;
    queries::Coordinates<float, 3> query{};
    query.at[0] = float(surface.at.x), query.at[1] = float(surface.at.y), query.at[2] = float(surface.at.z);
    LightOfNearest found(reach, flux);
    search.run(tree, query, found, queries::NoLog(), k);
    for (int c = 0; c < 3; ++c) caustics[3 * std::size_t(i) + c] = static_cast<float>(found.density(c));
  }
};
// [endregion]

}  // namespace kdscope::photon_mapping
