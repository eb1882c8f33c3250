#pragma once
// Where a ray hits a triangle, such that a walk through a tree finds what a test of all triangles finds.

#include <cmath>
#include <limits>

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

/// Returns the multiple of `direction` at which a ray hits a triangle from either side, its edges included (Möller &
/// Trumbore 1997), computed in double; -1 if it misses the triangle, or sees it so nearly edge-on that rounding hides
/// where. Rounding may also let a ray hit that passes an edge closely; such a hit counts only inside the triangle's
/// box. corners: [3][3].
template <class Number>
KDSCOPE_HD Number hit_triangle(const Number* ray_origin, const Number* ray_direction, const Number (*corners)[3]) {
  const auto vector = [](const Number* of) { return Vector3{of[0], of[1], of[2]}; };
  const Vector3 origin = vector(ray_origin), direction = vector(ray_direction), a = vector(corners[0]);
  const Vector3 ab = vector(corners[1]) - a, ac = vector(corners[2]) - a, p = cross(direction, ac), ao = origin - a;
  const double det = dot(ab, p), u = dot(ao, p);
  if (det == 0 || (det > 0 ? u < 0 || u > det : u > 0 || u < det)) return -1;
  const Vector3 q = cross(ao, ab);
  const double v = dot(direction, q);
  if (det > 0 ? v < 0 || u + v > det : v > 0 || u + v < det) return -1;
  const double exact = dot(ac, q) / det;
  if (exact < 0) return -1;
  const auto distance = static_cast<Number>(exact);
  // The determinant's terms cancel if the triangle is seen edge-on. Few roundings of a double remain, 2^-53 of the
  // terms each; less than a float's precision of the distance is required.
  const double terms = std::abs(ab.x) * (std::abs(direction.y * ac.z) + std::abs(direction.z * ac.y)) +
                       std::abs(ab.y) * (std::abs(direction.z * ac.x) + std::abs(direction.x * ac.z)) +
                       std::abs(ab.z) * (std::abs(direction.x * ac.y) + std::abs(direction.y * ac.x));
  constexpr double least_share = 0x1p-26;
  if (std::abs(det) < least_share * terms) return -1;
  for (int d = 0; d < 3; ++d) {
    Number lo = corners[0][d], hi = lo;
    for (int c = 1; c < 3; ++c) {
      if (corners[c][d] < lo) lo = corners[c][d];
      if (corners[c][d] > hi) hi = corners[c][d];
    }
    if (!is_between(distance, ray_origin[d], ray_direction[d], lo, hi)) return -1;
  }
  return distance;
}

}  // namespace kdscope
