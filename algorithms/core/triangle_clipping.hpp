#pragma once
// The smallest box of the part of a triangle inside a box, exact on every processor.

#include "algorithms/core/triangles.hpp"

#if defined(__CUDACC__)
#define KDSCOPE_NOT_INLINED __noinline__
#else
#define KDSCOPE_NOT_INLINED __attribute__((noinline))
#endif

namespace kdscope {

/// A sum of products of three floats each, exact whatever their sizes: a fixed-point number that holds the square of every float, times
/// any float. Work O(1) per product, 112 bytes.
class ExactSum {
 public:
  /// Adds sign * a * b * c; sign: 1 or -1. Requires finite floats; infinity counts as 2^128.
  KDSCOPE_HD void add(int sign, float a, float b, float c = 1) {
    const Parts x = parts_of(a), y = parts_of(b), z = parts_of(c);
    const bool negative = (x.negative != y.negative) != (z.negative != (sign < 0));
    const std::uint64_t xy = std::uint64_t(x.mantissa) * y.mantissa;
    add_at((xy & 0xffffffu) * z.mantissa, x.shift + y.shift + z.shift, negative);
    add_at((xy >> 24) * z.mantissa, x.shift + y.shift + z.shift + 24, negative);
  }
  /// -1, 0 or 1.
  KDSCOPE_HD int sign() const {
    if (words_[words - 1] >> 63) return -1;
    for (std::uint32_t i = 0; i < words; ++i)
      if (words_[i] != 0) return 1;
    return 0;
  }

 private:
  /// A float is mantissa * 2^(shift - 149).
  struct Parts {
    std::uint32_t mantissa, shift;
    bool negative;
  };
  KDSCOPE_HD static Parts parts_of(float value) {
    const std::uint32_t word = word_of(value), exponent = word >> 23 & 0xffu, fraction = word & 0x7fffffu;
    return {exponent > 0 ? fraction | 0x800000u : fraction, exponent > 0 ? exponent - 1 : 0, word >> 31 != 0};
  }
  /// Adds magnitude * 2^shift to the two's complement in words_, which has 832 bits for a product and more for many of them.
  KDSCOPE_HD void add_at(std::uint64_t magnitude, std::uint32_t shift, bool negative) {
    const std::uint32_t begin = shift / 64, offset = shift % 64;
    std::uint64_t part = magnitude << offset, next = offset > 0 ? magnitude >> (64 - offset) : 0;
    for (std::uint32_t i = begin; i < words && (part | next) != 0; ++i) {
      const std::uint64_t before = words_[i];
      words_[i] = negative ? before - part : before + part;
      const bool carry = negative ? before < part : words_[i] < before;
      // The upper part has less than 48 bits, so that a carry fits in.
      part = next + carry, next = 0;
    }
  }
  static constexpr std::uint32_t words = 14;
  std::uint64_t words_[words] = {};
};

/// The side of the line from p to q, in the plane of dimensions i and j, on which (x, y) is: 1 left, -1 right, 0 on it. Exact.
KDSCOPE_HD inline int side_of_line(const float* p, const float* q, int i, int j, float x, float y) {
  ExactSum sum;
  sum.add(1, q[i], y), sum.add(-1, q[i], p[j]), sum.add(-1, p[i], y);
  sum.add(-1, q[j], x), sum.add(1, q[j], p[i]), sum.add(1, p[j], x);
  return sum.sign();
}

/// The side of a triangle's plane on which x is: 1 where the normal (b - a) x (c - a) points to, -1 opposite, 0 in the plane. Exact.
KDSCOPE_HD inline int side_of_plane(const Triangle& t, const float* x) {
  ExactSum sum;
  const auto add_determinant = [&](int sign, const float* p, const float* q, const float* r) {
    for (int i = 0; i < 3; ++i) {
      const int j = i == 2 ? 0 : i + 1, k = j == 2 ? 0 : j + 1;
      sum.add(sign, p[i], q[j], r[k]), sum.add(-sign, p[i], q[k], r[j]);
    }
  };
  const float *a = t.corner[0], *b = t.corner[1], *c = t.corner[2];
  add_determinant(1, b, c, x), add_determinant(-1, a, c, x), add_determinant(1, a, b, x), add_determinant(-1, a, b, c);
  return sum.sign();
}

/// The least of some coordinates that are known in doubles, each with a bound of its error.
struct LeastInDoubles {
  /// Relative error of an operation.
  static constexpr double unit = 1.0 / (std::uint64_t(1) << 53);
  KDSCOPE_HD void meet(double x, double error) {
    if (x - error < from) from = x - error;
    if (x + error < to) to = x + error;
  }
  /// The last float that is not above the least, or `known` if that is below it, and whether the errors leave no other answer; otherwise
  /// `end` is the last of the floats in question.
  KDSCOPE_HD bool find_end(float known, float& end) const {
    end = float_below(to);
    if (end <= known) {
      end = known;
      return true;
    }
    return from == to || float_below(from) == end;
  }
  KDSCOPE_HD static float float_below(double x) {
    const float value = static_cast<float>(x);
    return static_cast<double>(value) > x ? next_below(value) : value;
  }
  KDSCOPE_HD static double magnitude(double x) { return x < 0 ? -x : x; }
  /// The bound for a coordinate where an edge of the triangle meets a plane, from its corners' coordinates in that dimension.
  KDSCOPE_HD static double error_on_edges(double a, double b, double c) {
    double largest = magnitude(a);
    if (magnitude(b) > largest) largest = magnitude(b);
    if (magnitude(c) > largest) largest = magnitude(c);
    return 32 * unit * largest;
  }

  double from = std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< it lies between these
};

/// The part of a triangle in a box, a convex polygon, cut at one plane after the other in doubles (Sutherland & Hodgman 1974). Doubles only
/// filter: every coordinate has a bound of its error, and where the bound leaves a question open, the signs of exact sums answer it.
class ClippedTriangle {
 public:
  KDSCOPE_HD ClippedTriangle(const Triangle& t, const Box3& volume) : triangle_(t), volume_(volume) {
    for (int d = 0; d < 3; ++d) {
      for (int c = 0; c < 3; ++c) from_.x[c][d] = static_cast<double>(t.corner[c][d]);
      error_[d] = LeastInDoubles::error_on_edges(from_.x[0][d], from_.x[1][d], from_.x[2][d]);
    }
    for (std::uint8_t c = 0; c < 3; ++c) from_.edge[c] = c, from_.origin[c] = 0;
    for (std::uint8_t plane = 0; plane < 6 && from_.size > 0; ++plane) cut(plane);
  }
  KDSCOPE_HD bool empty() const { return from_.size == 0; }
  /// The last float that is not above any point along d, or `known` if that is below it.
  KDSCOPE_HD float lower_end(int d, float known) const { return last_not_above(1, d, known); }
  KDSCOPE_HD float upper_end(int d, float known) const { return -last_not_above(-1, d, -known) + 0.0f; }

 private:
  static constexpr int most = 9;  // corners: three, and one more for each plane
  static constexpr double unit = LeastInDoubles::unit;

  /// Edges are numbered 0 to 2, from the corner of that number to the next one; planes of the volume 3 + 2 d at its lower end along d,
  /// 4 + 2 d at its upper one.
  struct Polygon {
    double x[most][3];
    std::uint8_t edge[most];    ///< what the polygon's side from here to the next corner lies on: an edge or a plane
    std::uint8_t origin[most];  ///< of a corner that is not the triangle's: the edge or plane, and 16 times the plane, on which it lies
    std::uint32_t rounded = 0;  ///< bit 3 c + d: coordinate d of corner c is not exact
    int size = 3;
    KDSCOPE_HD bool is_rounded(int c, int d) const { return rounded >> (3 * c + d) & 1; }
  };

  KDSCOPE_HD static double magnitude(double x) { return LeastInDoubles::magnitude(x); }
  KDSCOPE_HD static int dimension_of(int plane) { return (plane - 3) / 2; }
  KDSCOPE_HD float value_of(int plane) const { return plane % 2 == 1 ? volume_.lo[dimension_of(plane)] : volume_.hi[dimension_of(plane)]; }

  /// The sign of x[d] - at for a corner with a rounded coordinate d.
  KDSCOPE_HD KDSCOPE_NOT_INLINED int compare(std::uint8_t origin, int d, float at) const {
    const int first = origin % 16, plane = origin / 16, across = dimension_of(plane);
    if (first < 3) {
      const float *p = triangle_.corner[first], *q = triangle_.corner[first == 2 ? 0 : first + 1];
      const int side = side_of_line(p, q, across, d, value_of(plane), at);
      return p[across] < q[across] ? -side : side;
    }
    float point[3];
    point[dimension_of(first)] = value_of(first), point[across] = value_of(plane), point[d] = at;
    const int i = d == 2 ? 0 : d + 1, j = i == 2 ? 0 : i + 1;
    const float(&corner)[3][3] = triangle_.corner;
    return -side_of_plane(triangle_, point) * side_of_line(corner[0], corner[1], i, j, corner[2][i], corner[2][j]);
  }

  /// Cuts off what is outside of one side of the volume, 2 d or 2 d + 1.
  KDSCOPE_HD void cut(std::uint8_t side) {
    const int d = side / 2;
    const auto label = static_cast<std::uint8_t>(3 + side);
    const float end = value_of(label);
    const double plane = static_cast<double>(end);
    std::uint32_t outside = 0, touching = 0;
    for (int c = 0; c < from_.size; ++c) {
      double above = from_.x[c][d] - plane;
      if (from_.is_rounded(c, d) && magnitude(above) <= error_[d]) {
        above = compare(from_.origin[c], d, end);
        if (above == 0) from_.x[c][d] = plane, from_.rounded &= ~(1u << (3 * c + d));
      }
      outside |= std::uint32_t(side % 2 == 0 ? above < 0 : above > 0) << c;
      touching |= std::uint32_t(above == 0) << c;
    }
    if (outside == 0) return;
    Polygon to;
    to.size = 0;
    for (int c = 0; c < from_.size; ++c) {
      const int next = c + 1 == from_.size ? 0 : c + 1;
      const bool in = !(outside >> c & 1), next_in = !(outside >> next & 1);
      if (in) {
        for (int e = 0; e < 3; ++e) to.x[to.size][e] = from_.x[c][e];
        to.rounded |= (from_.rounded >> (3 * c) & 7u) << (3 * to.size);
        to.edge[to.size] = next_in ? from_.edge[c] : label;
        to.origin[to.size++] = from_.origin[c];
      }
      // A side of the polygon that ends in the plane is cut at its end.
      if (in == next_in || (touching >> (in ? c : next) & 1)) continue;
      if (in) to.edge[to.size - 1] = from_.edge[c];
      to.edge[to.size] = in ? label : from_.edge[c];
      to.origin[to.size] = static_cast<std::uint8_t>(from_.edge[c] + 16 * label);
      intersect(c, next, d, plane, to);
      ++to.size;
    }
    from_.size = to.size, from_.rounded = to.rounded;
    for (int c = 0; c < to.size; ++c) {
      for (int e = 0; e < 3; ++e) from_.x[c][e] = to.x[c][e];
      from_.edge[c] = to.edge[c], from_.origin[c] = to.origin[c];
    }
  }

  /// The point of the polygon's side from c to `next` in a plane across d, which goes through between them.
  KDSCOPE_HD void intersect(int c, int next, int d, double plane, Polygon& to) {
    const std::uint8_t edge = from_.edge[c];
    double* const x = to.x[to.size];
    x[d] = plane;
    if (edge < 3) {
      // From the triangle's corners, whose coordinates are exact.
      const float *p = triangle_.corner[edge], *q = triangle_.corner[edge == 2 ? 0 : edge + 1];
      const double from = static_cast<double>(p[d]), share = (plane - from) / (static_cast<double>(q[d]) - from);
      for (int e = 0; e < 3; ++e) {
        if (e == d) continue;
        const double begin = static_cast<double>(p[e]);
        x[e] = begin + (static_cast<double>(q[e]) - begin) * share;
        to.rounded |= std::uint32_t(p[e] != q[e]) << (3 * to.size + e);
      }
      return;
    }
    // Along an edge of the volume, where one coordinate alone is not known.
    const int other = dimension_of(edge), e = 3 - d - other;
    const double *p = from_.x[c], *q = from_.x[next];
    const double across = q[d] - p[d], along = q[e] - p[e];
    x[other] = p[other];
    x[e] = p[e];
    const bool rounded_across = from_.is_rounded(c, d) || from_.is_rounded(next, d), rounded_along = from_.is_rounded(c, e) || from_.is_rounded(next, e);
    if (along == 0 && !rounded_along) return;
    double share_error = 8 * unit, own = std::numeric_limits<double>::infinity();
    if (rounded_across) share_error += 4 * (error_[d] / magnitude(across));
    if (share_error < 0x1p-20) {
      x[e] += along * ((plane - p[d]) / across);
      own = (rounded_along ? 4 * error_[e] : 0) + magnitude(along) * (share_error + 4 * unit) + 3 * unit * magnitude(x[e]);
    }
    error_[e] = own > error_[e] ? own : error_[e];
    to.rounded |= 1u << (3 * to.size + e);
  }

  /// Of the coordinates along d, times `sign`: the last float that is not above any of them, or `known` if that is below it.
  KDSCOPE_HD float last_not_above(int sign, int d, float known) const {
    LeastInDoubles least;
    for (int c = 0; c < from_.size; ++c) least.meet(sign * from_.x[c][d], from_.is_rounded(c, d) ? error_[d] : 0);
    float end;
    if (least.find_end(known, end)) return end;
    for (int c = 0; c < from_.size; ++c) {
      const double x = sign * from_.x[c][d];
      if (!from_.is_rounded(c, d) || x - error_[d] >= static_cast<double>(end) || compare(from_.origin[c], d, sign * end) * sign >= 0) continue;
      // Below `end`, and not below the first of these floats: the last one that is not above it.
      const float first = LeastInDoubles::float_below(x - error_[d]);
      std::uint32_t last = ordered_key(word_of(first > known ? first : known), ScalarType::float32), above = ordered_key(word_of(end), ScalarType::float32);
      while (above - last > 1) {
        const std::uint32_t middle = last + (above - last) / 2;
        (compare(from_.origin[c], d, sign * float_of(word_of_ordered_key(middle, ScalarType::float32))) * sign >= 0 ? last : above) = middle;
      }
      end = float_of(word_of_ordered_key(last, ScalarType::float32)) + 0.0f;
      if (end <= known) return known;
    }
    return end;
  }

  const Triangle& triangle_;
  const Box3& volume_;
  Polygon from_;
  double error_[3];  ///< of rounded coordinates along a dimension, from above
};

/// clipped_box for any triangle. Not inlined: few parts need it, and its polygons lie on the stack.
KDSCOPE_HD KDSCOPE_NOT_INLINED inline Box3 clipped_at_all_sides(const Triangle& t, const Box3& volume, const Box3& known) {
  const ClippedTriangle part(t, volume);
  if (part.empty()) return known;
  Box3 box;
  for (int d = 0; d < 3; ++d) {
    box.lo[d] = part.lower_end(d, known.lo[d]), box.hi[d] = part.upper_end(d, known.hi[d]);
    if (box.lo[d] > box.hi[d]) return known;
  }
  return box;
}

/// clipped_box for a triangle that a single side of the volume cuts, the common case, in registers. Returns false, and no box, if the
/// triangle lies inside or outside, if several sides cut it, or if the errors of doubles leave an end of the box open.
KDSCOPE_HD inline bool clipped_at_one_side(const Triangle& t, const Box3& volume, const Box3& known, Box3& box) {
  const Box3 whole = box_of(t);
  std::uint32_t sides = 0, across = 0;
  bool upper = false;
  for (std::uint32_t d = 0; d < 3; ++d) {
    const bool at_lower = whole.lo[d] < volume.lo[d], at_upper = whole.hi[d] > volume.hi[d];
    sides += std::uint32_t(at_lower) + std::uint32_t(at_upper);
    if (at_lower || at_upper) across = d, upper = at_upper;
  }
  if (sides != 1) return false;
  const double plane = static_cast<double>(upper ? end_along(volume.hi, across) : end_along(volume.lo, across));
  double height[3], share[3];  // of corners over the plane, towards the inside; of edges, from their first corner to the plane
  for (int c = 0; c < 3; ++c) {
    const double from_plane = static_cast<double>(end_along(t.corner[c], across)) - plane;
    height[c] = upper ? -from_plane : from_plane;
  }
  if (height[0] < 0 && height[1] < 0 && height[2] < 0) return false;
  bool crosses[3];  // edges with an end on either side of the plane
  for (int c = 0; c < 3; ++c) {
    const int next = c == 2 ? 0 : c + 1;
    crosses[c] = (height[c] < 0 && height[next] > 0) || (height[c] > 0 && height[next] < 0);
    share[c] = crosses[c] ? height[c] / (height[c] - height[next]) : 0;
  }
  for (std::uint32_t d = 0; d < 3; ++d) {
    const double x[3] = {static_cast<double>(t.corner[0][d]), static_cast<double>(t.corner[1][d]), static_cast<double>(t.corner[2][d])};
    const double error = LeastInDoubles::error_on_edges(x[0], x[1], x[2]);
    LeastInDoubles least, least_of_negated;
    for (int c = 0; c < 3; ++c) {
      if (height[c] >= 0) least.meet(x[c], 0), least_of_negated.meet(-x[c], 0);
      if (!crosses[c]) continue;
      const double along = x[c == 2 ? 0 : c + 1] - x[c];
      const double at = d == across ? plane : x[c] + along * share[c], own = d == across || along == 0 ? 0 : error;
      least.meet(at, own), least_of_negated.meet(-at, own);
    }
    float end;
    if (!least.find_end(known.lo[d], box.lo[d]) || !least_of_negated.find_end(-known.hi[d], end)) return false;
    box.hi[d] = -end + 0.0f;
  }
  for (int d = 0; d < 3; ++d)
    if (box.lo[d] > box.hi[d]) return false;
  return true;
}

/// The box of the triangle's part inside `volume`, sides included: the smallest box of floats around the exact part, as far as it is in
/// `known`; `known` itself where there is no part, or nothing of its box is in it. `known` is a box that is known to hold the part, such
/// as its box in a larger volume, cut. A part is never lost. Requires finite coordinates.
KDSCOPE_HD inline Box3 clipped_box(const Triangle& t, const Box3& volume, const Box3& known) {
  Box3 box;
  return clipped_at_one_side(t, volume, known, box) ? box : clipped_at_all_sides(t, volume, known);
}

}  // namespace kdscope
