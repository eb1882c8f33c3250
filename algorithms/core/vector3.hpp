#pragma once
// Plain 3D vectors of doubles.

#include <cmath>

#include "algorithms/core/platform.hpp"

namespace kdscope {

struct Vector3 {
  double x = 0, y = 0, z = 0;
  KDSCOPE_HD friend Vector3 operator+(Vector3 a, Vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  KDSCOPE_HD friend Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  KDSCOPE_HD friend Vector3 operator*(double s, Vector3 a) { return {s * a.x, s * a.y, s * a.z}; }
};

KDSCOPE_HD inline double dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KDSCOPE_HD inline Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
KDSCOPE_HD inline double length(Vector3 a) { return std::sqrt(dot(a, a)); }

}  // namespace kdscope
