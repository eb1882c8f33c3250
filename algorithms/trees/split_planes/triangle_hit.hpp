#pragma once
// Where a ray hits a triangle.

#include "algorithms/core/vector3.hpp"

namespace kdscope {

/// Returns the multiple of `direction` at which a ray hits the triangle a b c from either side, its edges included
/// (Möller & Trumbore 1997); -1 if it misses the triangle or lies in its plane.
KDSCOPE_HD inline double hit_triangle(Vector3 origin, Vector3 direction, Vector3 a, Vector3 b, Vector3 c) {
  const Vector3 ab = b - a, ac = c - a, p = cross(direction, ac), ao = origin - a;
  const double det = dot(ab, p), u = dot(ao, p);
  if (det == 0 || (det > 0 ? u < 0 || u > det : u > 0 || u < det)) return -1;
  const Vector3 q = cross(ao, ab);
  const double v = dot(direction, q);
  if (det > 0 ? v < 0 || u + v > det : v > 0 || u + v < det) return -1;
  const double distance = dot(ac, q) / det;
  return distance < 0 ? -1 : distance;
}

}  // namespace kdscope
