#pragma once
// Where a ray hits a triangle, such that a walk through a tree finds what a test of all triangles finds.

#include <cmath>
#include <limits>

#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/core/vector3.hpp"

namespace kdscope {

/// Returns more than the rounding of two distances along a ray, which are each a difference and a quotient.
template <class Number>
KDSCOPE_HD Number rounding_of(Number one, Number other) {
  return 4 * std::numeric_limits<float>::epsilon() * (std::abs(one) + std::abs(other));
}

/// Returns whether a distance along a ray lies between the two planes through lo and hi, with room for rounding.
/// Numbers are rounded as they are where a walk compares planes, and rounding keeps the order of planes: no plane that
/// has [lo, hi] on one side can be crossed so that the walk skips this side.
template <class Number>
KDSCOPE_HD bool is_between(Number distance, Number origin, Number direction, Number lo, Number hi) {
  if (direction == 0) return lo <= origin && origin <= hi;
  const Number to_lo = (lo - origin) / direction, to_hi = (hi - origin) / direction;
  const Number near = to_lo < to_hi ? to_lo : to_hi, far = to_lo < to_hi ? to_hi : to_lo;
  return distance >= near - rounding_of(distance, near) && distance <= far + rounding_of(distance, far);
}

/// A ray: its origin and its direction, of any length.
template <class Number>
struct RayNumbers {
  Number origin[3], direction[3];
};

/// Returns whether a hit counts. It does not where the ray sees the triangle so nearly edge-on that rounding hides the
/// distance; nor outside the triangle's box, where a ray that passes an edge closely may seem to hit. corners(c, d):
/// coordinate d of corner c. Few hits come so far, so it must not take registers from every ray of a GPU.
template <class Number, class Corners>
KDSCOPE_HD KDSCOPE_NOT_INLINED bool hit_counts(RayNumbers<Number> ray, Corners corners, Number distance) {
  const auto corner = [&](int c) { return Vector3{corners(c, 0), corners(c, 1), corners(c, 2)}; };
  const Vector3 a = corner(0), ab = corner(1) - a, ac = corner(2) - a,
                along{ray.direction[0], ray.direction[1], ray.direction[2]};
  // The determinant's terms cancel if the triangle is seen edge-on. Few roundings of a double remain, 2^-53 of the
  // terms each; less than a float's precision of the distance is required.
  const double terms = std::abs(ab.x) * (std::abs(along.y * ac.z) + std::abs(along.z * ac.y)) +
                       std::abs(ab.y) * (std::abs(along.z * ac.x) + std::abs(along.x * ac.z)) +
                       std::abs(ab.z) * (std::abs(along.x * ac.y) + std::abs(along.y * ac.x));
  const double det = dot(ab, cross(along, ac));
  constexpr double least_share = 0x1p-26;
  if (std::abs(det) < least_share * terms) return false;
  KDSCOPE_ROLLED
  for (int d = 0; d < 3; ++d) {
    Number lo = corners(0, d), hi = lo;
    for (int c = 1; c < 3; ++c) {
      const Number at = corners(c, d);
      if (at < lo) lo = at;
      if (at > hi) hi = at;
    }
    if (!is_between(distance, ray.origin[d], ray.direction[d], lo, hi)) return false;
  }
  return true;
}

/// Returns the multiple of the direction at which a ray hits a triangle from either side, its edges included (Möller &
/// Trumbore 1997), computed in double; -1 if it misses the triangle, or if the hit does not count.
template <class Number, class Corners>
KDSCOPE_HD Number hit_triangle(const RayNumbers<Number>& ray, Corners corners) {
  const auto corner = [&](int c) { return Vector3{corners(c, 0), corners(c, 1), corners(c, 2)}; };
  const Vector3 origin{ray.origin[0], ray.origin[1], ray.origin[2]},
      direction{ray.direction[0], ray.direction[1], ray.direction[2]}, a = corner(0);
  const Vector3 ab = corner(1) - a, ac = corner(2) - a, p = cross(direction, ac), ao = origin - a;
  const double det = dot(ab, p), u = dot(ao, p);
  if (det == 0 || (det > 0 ? u < 0 || u > det : u > 0 || u < det)) return -1;
  const Vector3 q = cross(ao, ab);
  const double v = dot(direction, q);
  if (det > 0 ? v < 0 || u + v > det : v > 0 || u + v < det) return -1;
  const double exact = dot(ac, q) / det;
  if (exact < 0) return -1;
  const auto distance = static_cast<Number>(exact) + Number(0);  // 0 rather than -0 where the ray begins on it
  return hit_counts(ray, corners, distance) ? distance : Number(-1);
}

}  // namespace kdscope
