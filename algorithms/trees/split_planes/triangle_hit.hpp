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

/// The exact sum of products of doubles, as terms that do not overlap, of ascending size (Shewchuk 1997). Unlike the
/// ExactSum of triangle_clipping.hpp, it takes the doubles of scenes over integers, and has a value beside its sign.
class ExactSumOfDoubles {
 public:
  /// Adds a * b * c. At most 24 products.
  KDSCOPE_HD void add_product(double a, double b, double c) {
    const TwoDoubles ab = TwoDoubles::product(a, b), high = TwoDoubles::product(ab.high, c),
                     low = TwoDoubles::product(ab.low, c);
    add(low.low), add(low.high), add(high.low), add(high.high);
  }
  /// Adds the determinant of three vectors, or takes it away (share -1).
  KDSCOPE_HD void add_determinant(double share, const double (&a)[3], const double (&b)[3], const double (&c)[3]) {
    KDSCOPE_ROLLED
    for (int d = 0; d < 3; ++d) {
      const int e = d == 2 ? 0 : d + 1, f = d == 0 ? 2 : d - 1;
      add_product(share * a[d], b[e], c[f]);
      add_product(-share * a[d], b[f], c[e]);
    }
  }
  /// Returns the sum, rounded; 0 only if it is 0.
  KDSCOPE_HD double value() const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) sum += terms_[i];
    return sum;
  }

 private:
  KDSCOPE_HD void add(double term) {
    int kept = 0;
    KDSCOPE_ROLLED
    for (int i = 0; i < count_; ++i) {
      const TwoDoubles both = TwoDoubles::sum(term, terms_[i]);
      term = both.high;
      if (both.low != 0) terms_[kept++] = both.low;
    }
    if (term != 0) terms_[kept++] = term;
    count_ = kept;
  }
  double terms_[24 * 4];
  int count_ = 0;
};

/// Three corners of a triangle, an origin and a direction.
struct ExactPlaces {
  double corner[3][3], origin[3], along[3];
};

inline constexpr int no_corner = -1;

/// Returns volume() without rounding before the end, but some hundred times as slowly.
KDSCOPE_HD KDSCOPE_NOT_INLINED inline double exact_volume(const ExactPlaces& places, int first, int b, int c) {
  // Multiply out the differences, as the determinants of the places themselves have exact sums.
  const auto& a = first == no_corner ? places.along : places.corner[first];
  ExactSumOfDoubles exact;
  exact.add_determinant(1, a, places.corner[b], places.corner[c]);
  exact.add_determinant(-1, a, places.origin, places.corner[c]);
  exact.add_determinant(-1, a, places.corner[b], places.origin);
  if (first != no_corner) exact.add_determinant(-1, places.origin, places.corner[b], places.corner[c]);
  return exact.value();
}

/// Returns a * (b x c) of three corners, counted from the origin, or of the direction and two corners. `first`: the
/// corner, or no_corner for the direction.
KDSCOPE_HD KDSCOPE_NOT_INLINED inline double volume(const ExactPlaces& places, int first, int b, int c) {
  const auto from_origin = [&](int corner, int d) {
    return corner == no_corner ? TwoDoubles{places.along[d], 0}
                               : TwoDoubles::sum(places.corner[corner][d], -places.origin[d]);
  };
  TwoDoubles sum;
  double size = 0;
  KDSCOPE_ROLLED
  for (int d = 0; d < 3; ++d) {
    const int e = d == 2 ? 0 : d + 1, f = d == 0 ? 2 : d - 1;
    const TwoDoubles a = from_origin(first, d), plus = from_origin(b, e) * from_origin(c, f),
                     minus = from_origin(b, f) * from_origin(c, e);
    sum = sum + a * (plus - minus);
    size += std::abs(a.high) * (std::abs(plus.high) + std::abs(minus.high));
  }
  // So many bits are left that neither the sign nor a distance can be wrong.
  if (std::abs(sum.high) > 0x1p-64 * size) return sum.high;
  return exact_volume(places, first, b, c);
}

/// Returns hit_triangle() by the signs of the volumes that the ray spans with the triangle's edges. Few rays come so
/// close to an edge, so this must not take registers from every ray of a GPU.
template <class Number, class Corners>
KDSCOPE_HD KDSCOPE_NOT_INLINED Number hit_closely(RayNumbers<Number> ray, Corners corners) {
  ExactPlaces places;
  KDSCOPE_ROLLED
  for (int d = 0; d < 3; ++d) {
    places.along[d] = static_cast<double>(ray.direction[d]);
    places.origin[d] = static_cast<double>(ray.origin[d]);
    for (int c = 0; c < 3; ++c) places.corner[c][d] = static_cast<double>(corners(c, d));
  }
  // The ray passes inside if it passes all three edges on the same side: u, v and w are the volumes that it spans with
  // them, and shares of the corners in the hit. A volume of 0 is an edge, which belongs to the triangle.
  const double u = volume(places, no_corner, 1, 2), v = volume(places, no_corner, 2, 0),
               w = volume(places, no_corner, 0, 1);
  const bool some_negative = u < 0 || v < 0 || w<0, some_positive = u> 0 || v > 0 || w > 0;
  if (some_negative == some_positive) return -1;  // outside, or the ray runs in the triangle's plane
  const double height = volume(places, 0, 1, 2);
  if (height == 0) return 0;
  if ((height < 0) != some_negative) return -1;  // behind the origin
  return static_cast<Number>(height / (u + v + w));
}

KDSCOPE_HD inline double size_of(Vector3 a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }

}  // namespace triangle_hit_parts

/// Returns the multiple of the direction at which a ray hits a triangle from either side, its edges included; -1 if it
/// misses the triangle or runs in its plane. Computed in double (Möller & Trumbore 1997) while no rounding can change
/// the answer, else in twice this precision, and by exact sums where that is not enough. The result is within 2^-24 of
/// the exact multiple, before it is rounded.
template <class Number, class Corners>
KDSCOPE_HD Number hit_triangle(const RayNumbers<Number>& ray, Corners corners) {
  using triangle_hit_parts::size_of;
  const auto corner = [&](int c) { return Vector3{corners(c, 0), corners(c, 1), corners(c, 2)}; };
  const Vector3 origin{ray.origin[0], ray.origin[1], ray.origin[2]},
      direction{ray.direction[0], ray.direction[1], ray.direction[2]}, a = corner(0);
  // Solve origin + distance * direction = (w a + u b + v c) / det by Cramer's rule; u, v and w are the corners' shares
  // times det
  const Vector3 ab = corner(1) - a, ac = corner(2) - a, ao = origin - a, p = cross(direction, ac);
  const double det = dot(ab, p), u = det < 0 ? -dot(ao, p) : dot(ao, p), area = std::abs(det);
  // Each determinant is off by less than 2^-49 of the product of its vectors' sizes: seven roundings of 2^-53.
  constexpr double rounding = 0x1p-49;
  const double scaled = rounding * size_of(direction), of_ac = scaled * size_of(ac), of_ab = size_of(ab),
               of_ao = size_of(ao), det_error = of_ac * of_ab, u_error = of_ac * of_ao;
  // Reject what lies outside by more than the error of its determinant. Most triangles end here, before the second
  // cross product.
  const bool is_seen = area > det_error;
  if (is_seen && (u < -u_error || u > area + det_error + u_error)) return -1;
  const Vector3 q = cross(ao, ab);
  const double v = det < 0 ? -dot(direction, q) : dot(direction, q), v_error = scaled * of_ao * of_ab, w = area - u - v,
               w_error = det_error + u_error + v_error;
  // Shares of both signs are outside, if no rounding can have made them so
  const bool some_negative = u < -u_error || v < -v_error || w < -w_error;
  const bool some_positive = u > u_error || v > v_error || w > w_error;
  if (some_negative && some_positive) return -1;
  // Take the result if it is inside for certain and neither of the distance's two determinants has lost many bits. Only
  // the rest, close to an edge, costs more.
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
