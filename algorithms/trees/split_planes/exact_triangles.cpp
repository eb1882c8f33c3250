#include "algorithms/trees/split_planes/exact_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "algorithms/trees/split_planes/exact_integer.hpp"

namespace kdscope {
namespace {

/// A double with a bound of its error. It is a filter before the exact numbers and decides most signs.
struct Approximate {
  double value = 0, error = 0;
  static constexpr double unit = 0x1p-52;  // error of one operation, rounded up to cover the bound's

  static Approximate of(float value, int) { return {static_cast<double>(value), 0}; }
  friend Approximate operator+(Approximate a, Approximate b) {
    return with_error(a.value + b.value, a.error + b.error);
  }
  friend Approximate operator-(Approximate a, Approximate b) {
    return with_error(a.value - b.value, a.error + b.error);
  }
  friend Approximate operator*(Approximate a, Approximate b) {
    return with_error(a.value * b.value, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
  }
  static Approximate with_error(double value, double error) {
    return {value, error * (1 + 16 * unit) + std::abs(value) * unit};
  }
};

/// Tests the separating axes of a triangle and a cell until one separates them. If any axis separates the two convex
/// bodies, one of these does: the cell's three directions, the triangle's normal, and the cross products of their
/// edges.
template <class Number>
class Separation {
 public:
  Separation(const ExactTriangle& triangle, const ExactBox& cell, int shift) {
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t c = 0; c < 3; ++c) corner_[c][d] = Number::of(triangle[c][d], shift);
      lo_[d] = Number::of(cell.lo[d], shift), hi_[d] = Number::of(cell.hi[d], shift);
    }
  }
  bool undecided() const { return undecided_; }

  /// Tests the edges of the triangle, projected along the third dimension.
  bool by_edges(std::size_t i, std::size_t j) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto &p = corner_[c], &q = corner_[(c + 1) % 3], &r = corner_[(c + 2) % 3];
      const Number a = q[i] - p[i], b = q[j] - p[j];
      const int a_sign = sign(a), b_sign = sign(b);
      if (undecided_) return false;
      if (a_sign == 0 && b_sign == 0) continue;
      // Find how far the third corner, and the cell's nearest and furthest points, are to the left of the edge.
      const Number third = a * (r[j] - p[j]) - b * (r[i] - p[i]);
      const Number least = a * ((a_sign > 0 ? lo_ : hi_)[j] - p[j]) - b * ((b_sign > 0 ? hi_ : lo_)[i] - p[i]);
      const Number greatest = a * ((a_sign > 0 ? hi_ : lo_)[j] - p[j]) - b * ((b_sign > 0 ? lo_ : hi_)[i] - p[i]);
      if ((sign(least) >= 0 && sign(least - third) >= 0) || (sign(greatest) <= 0 && sign(greatest - third) <= 0))
        return true;
    }
    return false;
  }
  bool by_plane() {
    std::array<Number, 3> ab, ac, normal;
    for (std::size_t d = 0; d < 3; ++d) ab[d] = corner_[1][d] - corner_[0][d], ac[d] = corner_[2][d] - corner_[0][d];
    Number least = Number::of(0, 0), greatest = least;
    bool flat = true;
    for (std::size_t d = 0; d < 3; ++d) {
      normal[d] = ab[(d + 1) % 3] * ac[(d + 2) % 3] - ab[(d + 2) % 3] * ac[(d + 1) % 3];
      const int s = sign(normal[d]);
      if (undecided_) return false;
      if (s == 0) continue;
      flat = false;
      least = least + normal[d] * ((s > 0 ? lo_ : hi_)[d] - corner_[0][d]);
      greatest = greatest + normal[d] * ((s > 0 ? hi_ : lo_)[d] - corner_[0][d]);
    }
    return !flat && (sign(least) >= 0 || sign(greatest) <= 0);
  }

 private:
  int sign(const Approximate& x) {
    // A difference of two floats is 0 in doubles only if it is exactly 0.
    if (std::abs(x.value) <= x.error && (x.value != 0 || x.error != 0)) undecided_ = true;
    return x.value > 0 ? 1 : x.value < 0 ? -1 : 0;
  }
  template <int words>
  static int sign(const Integer<words>& x) {
    return x.sign();
  }

  std::array<std::array<Number, 3>, 3> corner_;
  std::array<Number, 3> lo_, hi_;
  bool undecided_ = false;
};

template <class Number>
bool separates(Separation<Number>& axes, const std::array<bool, 3>& flat) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t i = (d + 1) % 3, j = (d + 2) % 3;
    if (!flat[i] && !flat[j] && axes.by_edges(i, j)) return true;
  }
  return !flat[0] && !flat[1] && !flat[2] && axes.by_plane();
}

/// Returns all floats of a triangle and a box.
std::array<float, 15> floats_of(const ExactTriangle& triangle, const ExactBox& box) {
  std::array<float, 15> all;
  auto next = all.begin();
  for (const auto& corner : triangle) next = std::copy(corner.begin(), corner.end(), next);
  next = std::copy(box.lo.begin(), box.lo.end(), next);
  std::copy(box.hi.begin(), box.hi.end(), next);
  return all;
}

/// Returns the largest float that is not above the quotient above / below / 2^shift. below > 0.
template <int words>
float quotient_rounded_down(const Integer<words>& above, const Integer<words>& below, int shift) {
  const bool negative = above.sign() < 0;
  Integer<words> rest = negative ? -above : above, unit = below;
  if (rest.sign() == 0) return 0;
  // Estimate the quotient in doubles, which decides most cases.
  const double near =
      std::ldexp(rest.leading() / unit.leading(), rest.bits() - unit.bits() - shift) * (negative ? -1 : 1);
  const auto float_below = [](double x) {
    const float value = static_cast<float>(x);
    return static_cast<double>(value) > x ? std::nextafter(value, -std::numeric_limits<float>::infinity()) : value;
  };
  if (const float low = float_below(near - std::abs(near) * 0x1p-50);
      low == float_below(near + std::abs(near) * 0x1p-50))
    return low + 0.0f;
  // Compute the unit of the float's last place: 24 bits of the quotient, fewer for the smallest floats.
  int exponent = std::max(rest.bits() - unit.bits() - shift - 24, -149);
  for (bool fits = false; !fits;) {
    const int up = -exponent - shift;
    rest = negative ? -above : above, unit = below;
    if (up >= 0)
      rest = rest.shifted(up);
    else
      unit = unit.shifted(-up);
    fits = (unit.shifted(24) - rest).sign() > 0;
    exponent += !fits;
  }
  std::int64_t quotient = 0;
  for (int bit = 23; bit >= 0; --bit)
    if (const Integer<words> part = unit.shifted(bit); (rest - part).sign() >= 0)
      rest = rest - part, quotient |= std::int64_t(1) << bit;
  if (negative) quotient = -quotient - (rest.sign() > 0);
  return static_cast<float>(std::ldexp(static_cast<double>(quotient), exponent)) + 0.0f;
}

/// Computes the bounding box of the extreme points of a triangle's part in a box.
template <int words>
class ExtremePoints {
  using Whole = Integer<words>;

 public:
  ExtremePoints(const ExactTriangle& triangle, const ExactBox& volume, int shift) : shift_(shift) {
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t c = 0; c < 3; ++c) corner_[c][d] = Whole::of(triangle[c][d], shift);
      end_[0][d] = Whole::of(volume.lo[d], shift), end_[1][d] = Whole::of(volume.hi[d], shift);
    }
    for (const auto& corner : corner_) take(corner, Whole(1));
    const std::array<std::array<float, 3>, 2> ends{volume.lo, volume.hi};
    const auto between = [&](std::size_t d, std::size_t end, std::initializer_list<std::size_t> corners) {
      bool below = false, above = false;
      for (const std::size_t c : corners)
        below = below || triangle[c][d] < ends[end][d], above = above || triangle[c][d] > ends[end][d];
      return below && above;
    };
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t end = 0; end < 2; ++end)
        for (std::size_t c = 0; c < 3; ++c)
          if (const std::size_t next = (c + 1) % 3; between(d, end, {c, next}))
            take_edge(corner_[c], corner_[next], d, end_[end][d]);
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t first = 0; first < 2; ++first)
        for (std::size_t second = 0; second < 2; ++second)
          if (const std::size_t i = (d + 1) % 3, j = (d + 2) % 3;
              between(i, first, {0, 1, 2}) && between(j, second, {0, 1, 2}))
            take_inner(d, end_[first][i], end_[second][j]);
  }
  bool any() const { return any_; }
  const ExactBox& box() const { return box_; }

 private:
  using Point = std::array<Whole, 3>;
  /// Adds the point above / below if it is in the box. below > 0.
  void take(const Point& above, const Whole& below) {
    for (std::size_t d = 0; d < 3; ++d)
      if ((above[d] - end_[0][d] * below).sign() < 0 || (above[d] - end_[1][d] * below).sign() > 0) return;
    for (std::size_t d = 0; d < 3; ++d) {
      const float lower = quotient_rounded_down(above[d], below, shift_),
                  upper = -quotient_rounded_down(-above[d], below, shift_) + 0.0f;
      box_.lo[d] = any_ ? std::min(box_.lo[d], lower) : lower;
      box_.hi[d] = any_ ? std::max(box_.hi[d], upper) : upper;
    }
    any_ = true;
  }
  /// Adds the point of an edge in a plane across d. The plane lies between the edge's ends.
  void take_edge(const Point& p, const Point& q, std::size_t d, const Whole& plane) {
    const Whole before = plane - p[d], behind = q[d] - plane;
    const bool turned = before.sign() < 0;
    Point above;
    for (std::size_t e = 0; e < 3; ++e) {
      above[e] = p[e] * behind + q[e] * before;
      if (turned) above[e] = -above[e];
    }
    const Whole across = q[d] - p[d];
    take(above, turned ? -across : across);
  }
  /// Adds the triangle's point at (x, y) in the other two dimensions, if it is unique.
  void take_inner(std::size_t d, const Whole& x, const Whole& y) {
    const std::size_t i = (d + 1) % 3, j = (d + 2) % 3;
    // Compute twice the areas of the triangles of (x, y) and two corners: the barycentric weights of the point.
    Point area;
    Whole whole;
    for (std::size_t c = 0; c < 3; ++c) {
      const Point &p = corner_[(c + 1) % 3], &q = corner_[(c + 2) % 3];
      area[c] = (p[i] - x) * (q[j] - y) - (p[j] - y) * (q[i] - x);
      whole = whole + area[c];
    }
    const bool turned = whole.sign() < 0;
    if (whole.sign() == 0) return;
    for (Whole& part : area) {
      if (turned) part = -part;
      if (part.sign() < 0) return;
    }
    if (turned) whole = -whole;
    Point above;
    above[i] = x * whole, above[j] = y * whole;
    above[d] = area[0] * corner_[0][d] + area[1] * corner_[1][d] + area[2] * corner_[2][d];
    take(above, whole);
  }

  int shift_;
  std::array<Point, 3> corner_;
  std::array<Point, 2> end_;
  ExactBox box_{};
  bool any_ = false;
};

}  // namespace

bool reaches_into(const ExactTriangle& triangle, const ExactBox& cell, const std::array<bool, 3>& closed) {
  std::array<bool, 3> flat;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto [lo, hi] = std::minmax({triangle[0][d], triangle[1][d], triangle[2][d]});
    flat[d] = lo == hi;
    const bool apart = flat[d] ? lo < cell.lo[d] || lo > cell.hi[d] || (lo == cell.hi[d] && !closed[d])
                               : hi <= cell.lo[d] || lo >= cell.hi[d] || cell.lo[d] == cell.hi[d];
    if (apart) return false;
  }
  Separation<Approximate> filter(triangle, cell, 0);
  const bool apart = separates(filter, flat);
  if (!filter.undecided()) return !apart;
  return with_enough_words(floats_of(triangle, cell), [&]<int words>(Integer<words>, int shift) {
    Separation<Integer<words>> exact(triangle, cell, shift);
    return !separates(exact, flat);
  });
}

ExactBox smallest_box_of_part(const ExactTriangle& triangle, const ExactBox& volume, const ExactBox& known) {
  return with_enough_words(floats_of(triangle, volume), [&]<int words>(Integer<words>, int shift) {
    const ExtremePoints<words> part(triangle, volume, shift);
    if (!part.any()) return known;
    ExactBox box;
    for (std::size_t d = 0; d < 3; ++d) {
      box.lo[d] = std::max(known.lo[d], part.box().lo[d]), box.hi[d] = std::min(known.hi[d], part.box().hi[d]);
      if (box.lo[d] > box.hi[d]) return known;
    }
    return box;
  });
}

}  // namespace kdscope
