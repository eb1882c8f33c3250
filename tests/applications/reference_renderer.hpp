#pragma once
// A renderer without a tree, recursive and on one thread, that shares nothing with the ray tracer but the description
// of a scene. Tests compare pictures with it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/core/triangles.hpp"
#include "datasets/scene_look.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::reference {

/// Light as red, green and blue, 1 for white.
struct Light {
  double c[3] = {0, 0, 0};
};

/// Light that fell on a place.
struct Flash {
  Vector3 at;
  Light flux;
};
/// Estimates the light per area that flashes bring, by comparing all of them: from the k nearest within a radius, by
/// the cone filter of Jensen 2001 with a slope of 1.1.
struct Flashes {
  std::vector<Flash> all;
  std::size_t k = 0;
  double within = 0;

  Light per_area(Vector3 place) const {
    std::vector<std::pair<double, const Flash*>> near;
    for (const Flash& flash : all)
      if (const double away = length(flash.at - place); away <= within) near.push_back({away, &flash});
    std::sort(near.begin(), near.end());
    double reach = within;
    if (near.size() >= k) near.resize(k), reach = near.back().first;
    const double slope = 1.1, area = 3.14159265358979323846 * reach * reach;
    Light light;
    for (const auto& [away, flash] : near)
      for (int c = 0; c < 3; ++c)
        light.c[c] += flash->flux.c[c] * (1 - away / (slope * reach)) / (area * (1 - 2 / (3 * slope)));
    return light;
  }
};

class Renderer {
 public:
  Renderer(const DataSet& scene, const SceneLook& look, const Flashes& flashes = {})
      : scene_(scene), look_(look), flashes_(flashes) {
    const MeshView mesh = mesh_of(scene);
    double lo[3], hi[3];
    for (int d = 0; d < 3; ++d) lo[d] = std::numeric_limits<double>::infinity(), hi[d] = -lo[d];
    for (std::uint32_t t = 0; t < scene.triangles.size() / 3; ++t) {
      const Triangle triangle = mesh.triangle(t);
      Plane plane{};
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d) {
          plane.corner[c][d] = triangle.corner[c][d];
          lo[d] = std::min(lo[d], plane.corner[c][d]), hi[d] = std::max(hi[d], plane.corner[c][d]);
        }
      planes_.push_back(plane);
    }
    double diagonal = 0;
    for (int d = 0; d < 3; ++d) diagonal += (hi[d] - lo[d]) * (hi[d] - lo[d]);
    gap_ = std::sqrt(diagonal) / 65536;
  }

  /// Returns what the eye sees along a direction.
  Light seen(Vector3 eye, Vector3 direction) const { return along(eye, unit(direction), look_.bounces, 1); }

 private:
  struct Plane {
    double corner[3][3];
  };
  struct Meeting {
    std::ptrdiff_t triangle = -1;
    double distance = std::numeric_limits<double>::infinity();
  };

  static Vector3 unit(Vector3 v) { return (1 / length(v)) * v; }
  Vector3 point(std::size_t t, int c) const {
    return {planes_[t].corner[c][0], planes_[t].corner[c][1], planes_[t].corner[c][2]};
  }
  Vector3 facing(std::size_t t) const { return cross(point(t, 1) - point(t, 0), point(t, 2) - point(t, 0)); }

  /// Meets the triangle's plane, and asks on which side of each edge the meeting point lies.
  double meets(std::size_t t, Vector3 from, Vector3 direction) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    const Vector3 n = facing(t);
    const double towards = dot(n, direction);
    if (towards == 0) return never;
    const double distance = dot(n, point(t, 0) - from) / towards;
    if (!(distance >= 0)) return never;
    const Vector3 at = from + distance * direction;
    for (int c = 0; c < 3; ++c)
      if (dot(cross(point(t, (c + 1) % 3) - point(t, c), at - point(t, c)), n) < 0) return never;
    return distance;
  }
  Meeting first(Vector3 from, Vector3 direction) const {
    Meeting best;
    for (std::size_t t = 0; t < planes_.size(); ++t)
      if (const double distance = meets(t, from, direction); distance < best.distance)
        best = {static_cast<std::ptrdiff_t>(t), distance};
    return best;
  }
  bool reaches(Vector3 from, Vector3 light) const {
    for (std::size_t t = 0; t < planes_.size(); ++t)
      if (meets(t, from, light - from) <= 1) return false;
    return true;
  }
  Light sky(Vector3 direction) const {
    const double up = scene_.up_axis == 0 ? direction.x : scene_.up_axis == 1 ? direction.y : direction.z;
    Light light;
    for (std::size_t c = 0; c < 3; ++c) light.c[c] = look_.below[c] * (1 - up) / 2 + look_.above[c] * (1 + up) / 2;
    return light;
  }

  /// weight: the largest share of what is seen here that reaches the eye.
  Light along(Vector3 from, Vector3 direction, std::uint32_t bounces, double weight) const {
    const Meeting hit = first(from, direction);
    if (hit.triangle < 0) return sky(direction);
    const auto t = static_cast<std::size_t>(hit.triangle);
    const Material& made = look_.materials[scene_.materials.empty() ? 0 : scene_.materials[t]];
    Vector3 normal = unit(facing(t));
    const bool inside = dot(normal, direction) > 0;
    if (inside) normal = -1 * normal;
    const Vector3 at = from + hit.distance * direction, off = at + gap_ * normal;
    const double straight = -dot(direction, normal);
    const Vector3 back = direction + (2 * straight) * normal;
    Light light;
    const Light around = sky(normal);
    for (std::size_t c = 0; c < 3; ++c)
      light.c[c] = made.refraction > 0 ? 0 : (1.0 - made.mirror) * made.colour[c] * 0.45 * around.c[c];
    for (const PointLight& lamp : look_.lights) {
      const double facing_it = dot(unit(lamp.at - at), normal);
      if (facing_it <= 0 || !reaches(off, lamp.at)) continue;
      const double glance = std::max(0.0, dot(unit(lamp.at - at), back));
      for (std::size_t c = 0; c < 3; ++c) {
        if (made.refraction == 0) light.c[c] += (1.0 - made.mirror) * made.colour[c] * facing_it * lamp.colour[c];
        light.c[c] += made.highlight * std::pow(glance, 32) * lamp.colour[c];
      }
    }
    if (made.refraction == 0 && made.mirror < 1 && !flashes_.all.empty()) {
      // Photons that a mirror has sent on are not among these, so its share is not taken off again.
      const Light caustic = flashes_.per_area(at);
      for (std::size_t c = 0; c < 3; ++c) light.c[c] += made.colour[c] * caustic.c[c];
    }
    if (bounces == 0) return light;
    const auto brings = [&](double share, Vector3 origin, Vector3 way, bool tinted) {
      if (share * weight < 1.0 / 256) return;
      const Light sent = along(origin, unit(way), bounces - 1, share * weight);
      for (std::size_t c = 0; c < 3; ++c) light.c[c] += share * (tinted ? made.colour[c] : 1) * sent.c[c];
    };
    if (made.refraction == 0) {
      if (made.mirror > 0) brings(made.mirror, off, back, true);
      return light;
    }
    // Snell: the part of the direction along the surface shrinks or grows by the ratio of the indices.
    const double ratio = inside ? made.refraction : 1.0 / made.refraction;
    const Vector3 sideways = ratio * (direction + straight * normal);
    if (dot(sideways, sideways) >= 1) {
      brings(1, off, back, false);
      return light;
    }
    const double beyond = std::sqrt(1 - dot(sideways, sideways));
    const double s = (ratio * straight - beyond) / (ratio * straight + beyond),
                 p = (straight - ratio * beyond) / (straight + ratio * beyond), share = 0.5 * (s * s + p * p);
    brings(share, off, back, false);
    brings(1 - share, at - gap_ * normal, sideways - beyond * normal, true);
    return light;
  }

  const DataSet& scene_;
  const SceneLook& look_;
  Flashes flashes_;
  std::vector<Plane> planes_;
  double gap_;
};

/// Returns the picture as bytes of red, green and blue.
inline std::vector<std::uint8_t> render(const DataSet& scene, const SceneLook& look, const Camera& camera,
                                        const Flashes& flashes = {}) {
  const Renderer renderer(scene, look, flashes);
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t y = 0; y < camera.height; ++y)
    for (std::uint32_t x = 0; x < camera.width; ++x) {
      const Light light = renderer.seen(camera.eye, camera.corner + x * camera.across + y * camera.down);
      for (const double c : light.c)
        bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::min(1.0, c)))));
    }
  return bytes;
}

/// The peak signal-to-noise ratio of a picture of words 0xffRRGGBB, in dB; infinite for equal ones.
inline double psnr(const std::vector<std::uint32_t>& pixels, const std::vector<std::uint8_t>& expected) {
  REQUIRE(expected.size() == 3 * pixels.size());
  double squares = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double difference = double(pixels[i] >> (16 - 8 * c) & 0xff) - expected[3 * i + c];
      squares += difference * difference;
    }
  return 10 * std::log10(255.0 * 255.0 * static_cast<double>(expected.size()) / squares);
}

}  // namespace kdscope::reference
