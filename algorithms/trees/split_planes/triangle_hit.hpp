#pragma once
// Where a ray hits a triangle, edges and corners included. The answer is that of exact arithmetic, so a ray that passes
// through an edge or a corner of a closed mesh hits one of its triangles, and a walk through a tree finds what a test
// of all triangles finds.

#include <cmath>
#include <limits>

#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/core/two_doubles.hpp"
#include "algorithms/core/vector3.hpp"

namespace kdscope {

/// Returns more than the rounding of two distances along a ray, which are each a difference and a quotient.
template <class Number>
KDSCOPE_HD Number rounding_of(Number one, Number other) {
  return 4 * std::numeric_limits<float>::epsilon() * (std::abs(one) + std::abs(other));
}

/// A ray: its origin and its direction, of any length.
template <class Number>
struct RayNumbers {
  Number origin[3], direction[3];
};

namespace triangle_hit_parts {

/// A vector in twice the precision of a double.
struct Vector {
  TwoDoubles at[3];
};

/// A determinant of three vectors, and its sign.
struct Volume {
  TwoDoubles value;
  int sign = 0;
};

/// Returns along * (one x other). Terms that cancel to less than 2^-96 of their size are 0: this is beyond what floats
/// can make, except where the ray touches the edge.
KDSCOPE_HD KDSCOPE_NOT_INLINED inline Volume volume(const Vector& along, const Vector& one, const Vector& other) {
  Volume of;
  double size = 0;
  KDSCOPE_ROLLED
  for (int d = 0; d < 3; ++d) {
    const int e = d == 2 ? 0 : d + 1, f = d == 0 ? 2 : d - 1;
    const TwoDoubles plus = one.at[e] * other.at[f], minus = one.at[f] * other.at[e];
    of.value = of.value + along.at[d] * (plus - minus);
    size += std::abs(along.at[d].high) * (std::abs(plus.high) + std::abs(minus.high));
  }
  if (std::abs(of.value.high) > 0x1p-96 * size) of.sign = of.value.high > 0 ? 1 : -1;
  return of;
}

/// Returns hit_triangle() by the signs of the volumes that the ray spans with the triangle's edges, in twice the
/// precision of a double. Few rays come so close to an edge, so this must not take registers from every ray of a GPU.
template <class Number, class Corners>
KDSCOPE_HD KDSCOPE_NOT_INLINED Number hit_closely(RayNumbers<Number> ray, Corners corners) {
  Vector along, from_origin[3];
  KDSCOPE_ROLLED
  for (int d = 0; d < 3; ++d) {
    along.at[d] = {static_cast<double>(ray.direction[d]), 0};
    for (int c = 0; c < 3; ++c)
      from_origin[c].at[d] = TwoDoubles::sum(static_cast<double>(corners(c, d)), -static_cast<double>(ray.origin[d]));
  }
  const Vector &a = from_origin[0], &b = from_origin[1], &c = from_origin[2];
  const Volume u = volume(along, b, c), v = volume(along, c, a), w = volume(along, a, b);
  const bool some_negative =
      u.sign < 0 || v.sign < 0 || w.sign<0, some_positive = u.sign> 0 || v.sign > 0 || w.sign > 0;
  if (some_negative == some_positive) return -1;  // outside, or the ray runs in the triangle's plane
  const Volume height = volume(a, b, c);
  if (height.sign == 0) return 0;
  if ((height.sign < 0) != some_negative) return -1;  // behind the origin
  return static_cast<Number>(height.value.high / (u.value + v.value + w.value).high);
}

KDSCOPE_HD inline double size_of(Vector3 a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }

}  // namespace triangle_hit_parts

/// Returns the multiple of the direction at which a ray hits a triangle from either side, its edges included; -1 if it
/// misses the triangle or runs in its plane. Computed in double (Möller & Trumbore 1997) while no rounding can change
/// the answer, else in twice this precision. The result is within 2^-24 of the exact multiple, before it is rounded.
template <class Number, class Corners>
KDSCOPE_HD Number hit_triangle(const RayNumbers<Number>& ray, Corners corners) {
  using triangle_hit_parts::size_of;
  const auto corner = [&](int c) { return Vector3{corners(c, 0), corners(c, 1), corners(c, 2)}; };
  const Vector3 origin{ray.origin[0], ray.origin[1], ray.origin[2]},
      direction{ray.direction[0], ray.direction[1], ray.direction[2]}, a = corner(0);
  const Vector3 ab = corner(1) - a, ac = corner(2) - a, ao = origin - a, p = cross(direction, ac);
  const double det = dot(ab, p), u = det < 0 ? -dot(ao, p) : dot(ao, p), area = std::abs(det);
  // Each determinant is off by less than 2^-49 of the product of its vectors' sizes: seven roundings of 2^-53.
  constexpr double rounding = 0x1p-49;
  const double scaled = rounding * size_of(direction), of_ac = scaled * size_of(ac), of_ab = size_of(ab),
               of_ao = size_of(ao), det_error = of_ac * of_ab, u_error = of_ac * of_ao;
  const bool is_seen = area > det_error;
  if (is_seen && (u < -u_error || u > area + det_error + u_error)) return -1;
  const Vector3 q = cross(ao, ab);
  const double v = det < 0 ? -dot(direction, q) : dot(direction, q), v_error = scaled * of_ao * of_ab, w = area - u - v,
               w_error = det_error + u_error + v_error;
  const bool some_negative = u < -u_error || v < -v_error || w < -w_error;
  const bool some_positive = u > u_error || v > v_error || w > w_error;
  if (some_negative && some_positive) return -1;
  // The distance is exact enough if neither of its two determinants has lost many bits.
  constexpr double precise = 0x1p25;
  const double height = dot(ac, q), height_error = rounding * size_of(ac) * of_ao * of_ab;
  if (area > precise * det_error && std::abs(height) > precise * height_error && u > u_error && v > v_error &&
      w > w_error) {
    const double distance = height / det;
    return distance < 0 ? Number(-1) : static_cast<Number>(distance);
  }
  return triangle_hit_parts::hit_closely(ray, corners);
}

}  // namespace kdscope
