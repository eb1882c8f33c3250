#pragma once
// The rigid motion that brings points nearest to their partners, or to the planes through these.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "algorithms/applications/jacobi.hpp"
#include "datasets/generators/placement.hpp"

namespace kdscope::tracking {

/// A point of the object, its outward normal (zero if it is not known), and its partner in a scan. Coordinates are
/// taken from a centre and divided by a scale that they do not exceed.
struct Pair {
  Vector3 from, normal, to;
};

/// Terms of sums become integers, so that sums do not depend on the order of the pairs. Precondition: terms of at most
/// 1, and at most 2^22 pairs.
inline constexpr double sum_unit = 1099511627776.0;  // 2^40
KDSCOPE_HD inline std::int64_t rounded_term(double value) {
  return static_cast<std::int64_t>(sum_unit * value + (value < 0 ? -0.5 : 0.5));
}

/// Sums of `count` terms over pairs.
template <int count>
struct PairSums {
  std::int64_t facing = 0;  ///< points of the object that take part, with or without a partner
  std::int64_t pairs = 0, squares = 0;
  std::int64_t terms[count] = {};

  /// Adds a pair's squared distance.
  KDSCOPE_HD void count_pair(const Pair& pair) {
    const Vector3 apart = pair.from - pair.to;
    ++pairs;
    squares += rounded_term(dot(apart, apart) / largest_square);
  }
  /// Returns the mean of a term.
  double mean(int term) const { return double(terms[term]) / sum_unit / double(pairs); }
  double mean_square() const { return pairs > 0 ? largest_square * double(squares) / sum_unit / double(pairs) : 0; }

 private:
  static constexpr double largest_square = 16;  // coordinates differ by at most 2
};

struct AddSums {
  template <int count>
  KDSCOPE_HD PairSums<count> operator()(PairSums<count> one, const PairSums<count>& other) const {
    one.facing += other.facing, one.pairs += other.pairs, one.squares += other.squares;
    for (int i = 0; i < count; ++i) one.terms[i] += other.terms[i];
    return one;
  }
};

/// Returns the rotation by a quaternion, which need not have unit length.
inline Placement rotation(double w, double x, double y, double z) {
  const double l = std::sqrt(w * w + x * x + y * y + z * z);
  w /= l, x /= l, y /= l, z /= l;
  return {{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
          {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
          {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z},
          {}};
}

// [region applications/fit_to_points]
/// Least squares of the distances between partners (Besl & McKay 1992). The rotation's quaternion is the eigenvector of
/// the largest eigenvalue of a matrix of the products (Horn 1987).
struct FitToPoints {
  using Sums = PairSums<15>;  ///< from[3], to[3], from[i] * to[j]

  KDSCOPE_HD static Sums sums_of(const Pair& pair) {
    const double from[] = {pair.from.x, pair.from.y, pair.from.z}, to[] = {pair.to.x, pair.to.y, pair.to.z};
    Sums sums;
    sums.count_pair(pair);
    for (int i = 0; i < 3; ++i) {
      sums.terms[i] = rounded_term(from[i]), sums.terms[3 + i] = rounded_term(to[i]);
      for (int j = 0; j < 3; ++j) sums.terms[6 + 3 * i + j] = rounded_term(from[i] * to[j]);
    }
    return sums;
  }
  /// Precondition: there is a pair.
  static Placement motion(const Sums& sums) {
    double from[3], to[3], s[3][3];
    for (int i = 0; i < 3; ++i) from[i] = sums.mean(i), to[i] = sums.mean(3 + i);
    // What is left of points in one place is the rounding of the sums, which would give any turn.
    constexpr double negligible = 1e-10;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        s[i][j] = sums.mean(6 + 3 * i + j) - from[i] * to[j];
        if (std::abs(s[i][j]) < negligible) s[i][j] = 0;
      }
    double a[4][4] = {{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                      {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                      {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
                      {0, 0, 0, s[2][2] - s[0][0] - s[1][1]}};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) a[i][j] = a[j][i];
    double v[4][4];
    diagonalise(a, v);
    int most = 0;
    for (int i = 1; i < 4; ++i)
      if (a[i][i] > a[most][most]) most = i;
    Placement fit = rotation(v[0][most], v[1][most], v[2][most], v[3][most]);
    fit.origin = Vector3{to[0], to[1], to[2]} - fit.along({from[0], from[1], from[2]});
    return fit;
  }
};
// [endregion]

// [region applications/fit_to_planes]
/// Least squares of the distances between each partner and the plane through the point, across its normal (Chen &
/// Medioni 1992), for a small rotation. A point may slide along its plane, so that far fewer iterations are needed.
struct FitToPlanes {
  using Sums = PairSums<27>;  ///< g[i] * g[j] for i <= j, and g[i] * distance, where g = (from x normal, normal)

  KDSCOPE_HD static Sums sums_of(const Pair& pair) {
    const Vector3 lever = cross(pair.from, pair.normal);
    const double g[] = {lever.x, lever.y, lever.z, pair.normal.x, pair.normal.y, pair.normal.z};
    const double distance = dot(pair.to - pair.from, pair.normal);
    Sums sums;
    sums.count_pair(pair);
    int term = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) sums.terms[term++] = rounded_term(g[i] * g[j] / largest);
    for (int i = 0; i < 6; ++i) sums.terms[term++] = rounded_term(g[i] * distance / largest);
    return sums;
  }
  /// Motions that the planes do not determine are left out. Precondition: there is a pair.
  static Placement motion(const Sums& sums) {
    double a[6][6], v[6][6];
    int term = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) a[i][j] = a[j][i] = sums.mean(term++);
    diagonalise(a, v);
    double most = 0, x[6] = {};
    for (int i = 0; i < 6; ++i) most = std::max(most, a[i][i]);
    constexpr double negligible = 1e-6;
    for (int e = 0; e < 6; ++e) {
      if (a[e][e] <= negligible * most) continue;
      double share = 0;
      for (int i = 0; i < 6; ++i) share += v[i][e] * sums.mean(21 + i);
      for (int i = 0; i < 6; ++i) x[i] += share / a[e][e] * v[i][e];
    }
    Placement fit = rotation(1, x[0] / 2, x[1] / 2, x[2] / 2);
    fit.origin = {x[3], x[4], x[5]};
    return fit;
  }

 private:
  static constexpr double largest = 8;  // of a product: levers reach sqrt(3), distances 2 sqrt(3)
};
// [endregion]

}  // namespace kdscope::tracking
