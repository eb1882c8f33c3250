#pragma once
// The kernels of a picture, beside those of its rays (rays/scene_rays.hpp).

#include <cstdint>

#include "algorithms/applications/rays/scene_rays.hpp"

namespace kdscope::ray_tracing {

// [region applications/eye_rays]
/// Makes the rays from the eye through the pixels, in tiles of 8 x 4 that a warp shares.
struct EyeRays {
  Camera camera;
  PathRay* rays;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t pixel = pixel_of(i);
    rays[i] =
        path_ray(camera.eye, camera.direction(pixel % camera.width, pixel / camera.width), Vector3{1, 1, 1}, pixel);
  }
  KDSCOPE_HD std::uint32_t pixel_of(std::uint32_t i) const {
    constexpr std::uint32_t tile_width = 8, tile_height = 4;
    const std::uint32_t row = camera.width * tile_height, top = i / row * tile_height, rest = i % row;
    const std::uint32_t height = camera.height - top < tile_height ? camera.height - top : tile_height;
    const std::uint32_t left = rest / (tile_width * height) * tile_width, inside = rest % (tile_width * height);
    const std::uint32_t width = camera.width - left < tile_width ? camera.width - left : tile_width;
    return (top + inside / width) * camera.width + left + inside % width;
  }
};
// [endregion]

// [region applications/shadow_rays]
/// Casts a ray from each hit on a surface that scatters towards each light. One thread per hit and light, those of a
/// light together: rays of neighbouring pixels towards one light pass the same cells.
struct ShadowRays {
  SceneView scene;
  const PathRay* rays;
  const PathHit* hits;
  std::uint32_t n;         ///< rays
  std::uint32_t first;     ///< the light of the first thread
  std::uint8_t* lit;       ///< [lights x n] whether the light is in sight
  std::uint32_t* visited;  ///< [pixels]
  std::uint32_t* cast;     ///< [rays] number of shadow rays, added to
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t ray = i % n, light = first + i / n;
    std::uint8_t& in_sight = lit[std::size_t(light) * n + ray];
    in_sight = 0;
    if (hits[ray].triangle == no_id) return;
    const Surface surface(scene, rays[ray], hits[ray]);
    if (surface.material->refraction > 0 && surface.material->highlight == 0) return;
    const Vector3 from = surface.at + scene.step * surface.normal, to_light = scene.lights[light].at - from;
    if (dot(to_light, surface.normal) <= 0) return;
    // The light is one length of the direction away.
    queries::AnyHit<float> any(1, 1.0f);
    const std::uint32_t nodes =
        queries::zhou_sah::RayWithStack().run(scene.tree, ray_from(from, to_light), any, queries::NoLog());
    bool blocked = false;
    any.for_each([&](int, const queries::Neighbour<float>& hit) { blocked = hit.point.value != no_id; });
    in_sight = blocked ? 0 : 1;
    add_to(cast + ray, 1);
    add_to(visited + rays[ray].pixel, nodes);
  }
};
// [endregion]

// [region applications/shade]
/// Adds what each ray brings to its pixel: light scattered and mirrored by the surface, or light from outside. Sums are
/// integers in units of 2^-20, so their order does not matter. sums: [pixels x 3].
struct Shade {
  SceneView scene;
  const PathRay* rays;
  const PathHit* hits;
  std::uint32_t n;          ///< rays
  const std::uint8_t* lit;  ///< [lights x n]
  const float* caustics;    ///< [n x 3] light that photons bring; null: none
  std::uint32_t* sums;
  static constexpr double unit = 1 << 20;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const Vector3 light = hits[i].triangle == no_id ? outside(rays[i]) : reflected(i);
    const double brought[3] = {light.x, light.y, light.z};
    // The weights of a pixel's rays add up to at most 1 per bounce, so bounded light cannot overflow the sums.
    constexpr double brightest = 64;
    for (int c = 0; c < 3; ++c) {
      const double share = rays[i].weight[c] * (brought[c] < brightest ? brought[c] : brightest);
      if (share > 0) add_to(sums + 3 * std::size_t(rays[i].pixel) + c, static_cast<std::uint32_t>(share * unit));
    }
  }

 private:
  KDSCOPE_HD Vector3 outside(const PathRay& ray) const {
    const Vector3 along = normalised(vector_of(ray.direction));
    return between(scene.below, scene.above, 0.5 + 0.5 * dot(along, scene.up));
  }
  KDSCOPE_HD static Vector3 between(const Colour& one, const Colour& other, double share) {
    return {one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1]),
            one[2] + share * (other[2] - one[2])};
  }
  KDSCOPE_HD Vector3 reflected(std::uint32_t i) const {
    const PathRay& ray = rays[i];
    const Surface surface(scene, ray, hits[i]);
    const Material& material = *surface.material;
    const Vector3 along = normalised(vector_of(ray.direction)),
                  mirrored = along - (2 * dot(along, surface.normal)) * surface.normal;
    // Light from outside comes from everywhere, and half of it is hidden by what is around.
    const Vector3 sky = between(scene.below, scene.above, 0.5 + 0.5 * dot(surface.normal, scene.up));
    Vector3 scattered = 0.45 * sky, shine;
    for (std::uint32_t l = 0; l < scene.light_count; ++l) {
      if (lit[std::size_t(l) * n + i] == 0) continue;
      const PointLight& light = scene.lights[l];
      const Vector3 to_light = normalised(light.at - surface.at),
                    colour{light.colour[0], light.colour[1], light.colour[2]};
      scattered = scattered + dot(to_light, surface.normal) * colour;
      double near = dot(to_light, mirrored);
      if (near <= 0) continue;
      for (int squared = 0; squared < 5; ++squared) near *= near;  // to the 32nd power
      shine = shine + near * colour;
    }
    const double matte = material.refraction > 0 ? 0 : 1 - material.mirror;
    if (caustics && matte > 0) {
      // A mirror has stored only the photons that it did not reflect.
      const float* const photons = caustics + 3 * std::size_t(i);
      scattered = scattered + (1 / matte) * Vector3{photons[0], photons[1], photons[2]};
    }
    return {matte * material.colour[0] * scattered.x + material.highlight * shine.x,
            matte * material.colour[1] * scattered.y + material.highlight * shine.y,
            matte * material.colour[2] * scattered.z + material.highlight * shine.z};
  }
};
// [endregion]

// [region applications/list_bounces]
/// Finds the rays that a hit sends on: none from a matte surface, the mirrored one, or the mirrored and the refracted
/// one. Rays that bring less than 1/256 of their light are given up.
struct Bounce {
  SceneView scene;

  struct Rays {
    PathRay ray[2];
    std::uint32_t count = 0;
    KDSCOPE_HD void add(Vector3 origin, Vector3 direction, Vector3 weight, std::uint32_t pixel) {
      constexpr double least = 1.0 / 256;
      if (weight.x < least && weight.y < least && weight.z < least) return;
      ray[count++] = path_ray(origin, direction, weight, pixel);
    }
  };

  KDSCOPE_HD Rays from(const PathRay& ray, const PathHit& hit) const {
    Rays next;
    if (hit.triangle == no_id) return next;
    const Surface surface(scene, ray, hit);
    const Material& material = *surface.material;
    if (material.mirror == 0 && material.refraction == 0) return next;
    const WaysOn ways(scene, ray, surface);
    if (material.refraction == 0) {
      next.add(ways.front, ways.mirrored, material.mirror * times(ray.weight, material.colour), ray.pixel);
      return next;
    }
    next.add(ways.front, ways.mirrored, ways.share * vector_of(ray.weight), ray.pixel);
    if (ways.share < 1)
      next.add(ways.behind, ways.refracted, (1 - ways.share) * times(ray.weight, material.colour), ray.pixel);
    return next;
  }
};
/// Counts the rays that each hit sends on.
struct CountBounces {
  Bounce bounce;
  const PathRay* rays;
  const PathHit* hits;
  std::uint32_t* counts;
  KDSCOPE_HD void operator()(std::uint32_t i) const { counts[i] = bounce.from(rays[i], hits[i]).count; }
};
/// Writes the rays of each hit behind those of earlier hits.
struct ListBounces {
  Bounce bounce;
  const PathRay* rays;
  const PathHit* hits;
  const std::uint32_t* before;  ///< [rays] exclusive sums of the counts
  PathRay* next;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const Bounce::Rays sent = bounce.from(rays[i], hits[i]);
    for (std::uint32_t r = 0; r < sent.count; ++r) next[before[i] + r] = sent.ray[r];
  }
};
// [endregion]

// [region applications/develop]
/// Turns sums of light into pixels of 8 bits per colour, by a square root as eyes and screens do approximately.
struct Develop {
  const std::uint32_t* sums;
  std::uint32_t* pixels;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    std::uint32_t word = 0xff;
    for (int c = 0; c < 3; ++c) {
      const double light = sums[3 * std::size_t(i) + c] / Shade::unit, bounded = light < 1 ? light : 1;
      word = word << 8 | static_cast<std::uint32_t>(std::sqrt(bounded) * 255 + 0.5);
    }
    pixels[i] = word;
  }
};
// [endregion]

}  // namespace kdscope::ray_tracing
