#pragma once
// Computes the smallest box of a triangle's part inside a box, exactly on every processor.

#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/core/triangles.hpp"

namespace kdscope {

/// The parts of a float, which is mantissa * 2^(shift - 149).
struct FloatParts {
  std::uint32_t mantissa, shift;
  bool negative;
};
KDSCOPE_HD inline FloatParts parts_of(float value) {
  const std::uint32_t word = word_of(value), exponent = word >> 23 & 0xffu, fraction = word & 0x7fffffu;
  return {exponent > 0 ? fraction | 0x800000u : fraction, exponent > 0 ? exponent - 1 : 0, word >> 31 != 0};
}

/// An exact sum of products of three floats each, whatever their magnitudes. It is a fixed-point number that can hold
/// the square of every float times any float. Work O(1) per product; 112 bytes.
class ExactSum {
 public:
  /// Adds sign * a * b * c. sign: 1 or -1. Requires finite floats; infinity counts as 2^128.
  KDSCOPE_HD void add(int sign, float a, float b, float c = 1) {
    const FloatParts x = parts_of(a), y = parts_of(b), z = parts_of(c);
    const bool negative = (x.negative != y.negative) != (z.negative != (sign < 0));
    const std::uint64_t xy = std::uint64_t(x.mantissa) * y.mantissa;
    add_at((xy & 0xffffffu) * z.mantissa, x.shift + y.shift + z.shift, negative);
    add_at((xy >> 24) * z.mantissa, x.shift + y.shift + z.shift + 24, negative);
  }
  /// Returns -1, 0 or 1.
  KDSCOPE_HD int sign() const {
    if (words_[words - 1] >> 63) return -1;
    for (std::uint32_t i = 0; i < words; ++i)
      if (words_[i] != 0) return 1;
    return 0;
  }

 private:
  /// Adds magnitude * 2^shift to the two's complement in words_, which has 832 bits for a product and spare bits for
  /// sums of many products.
  KDSCOPE_HD void add_at(std::uint64_t magnitude, std::uint32_t shift, bool negative) {
    const std::uint32_t begin = shift / 64, offset = shift % 64;
    std::uint64_t part = magnitude << offset, next = offset > 0 ? magnitude >> (64 - offset) : 0;
    for (std::uint32_t i = begin; i < words && (part | next) != 0; ++i) {
      const std::uint64_t before = words_[i];
      words_[i] = negative ? before - part : before + part;
      const bool carry = negative ? before < part : words_[i] < before;
      // The upper part has less than 48 bits, so a carry fits.
      part = next + carry, next = 0;
    }
  }
  static constexpr std::uint32_t words = 14;
  std::uint64_t words_[words] = {};
};

/// Represents floats as multiples of one power of two, each less than 2^40. This is possible for most coordinates of a
/// scene. Their products are then exact in 128-bit integers, and much cheaper than in an ExactSum. Returns false if the
/// magnitudes of the floats differ too much.
template <int size>
KDSCOPE_HD bool on_one_grid(const float (&values)[size], std::int64_t (&grid)[size]) {
  std::uint32_t finest = 0xffu, coarsest = 0;
  for (int i = 0; i < size; ++i) {
    const FloatParts parts = parts_of(values[i]);
    if (parts.mantissa == 0) continue;
    finest = parts.shift < finest ? parts.shift : finest;
    coarsest = parts.shift > coarsest ? parts.shift : coarsest;
  }
  if (coarsest > finest + 16) return false;
  for (int i = 0; i < size; ++i) {
    const FloatParts parts = parts_of(values[i]);
    const auto magnitude =
        parts.mantissa == 0 ? 0 : static_cast<std::int64_t>(parts.mantissa) << (parts.shift - finest);
    grid[i] = parts.negative ? -magnitude : magnitude;
  }
  return true;
}

__extension__ using Int128 = __int128;

KDSCOPE_HD inline int sign_of(Int128 value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

/// Returns the side of the line from p to q, in the plane of dimensions i and j, on which (x, y) lies: 1 left, -1
/// right, 0 on it. Exact.
KDSCOPE_HD inline int side_of_line(const float* p, const float* q, int i, int j, float x, float y) {
  std::int64_t g[6];
  if (on_one_grid<6>({p[i], p[j], q[i], q[j], x, y}, g))
    return sign_of(Int128(g[2] - g[0]) * (g[5] - g[1]) - Int128(g[3] - g[1]) * (g[4] - g[0]));
  ExactSum sum;
  sum.add(1, q[i], y), sum.add(-1, q[i], p[j]), sum.add(-1, p[i], y);
  sum.add(-1, q[j], x), sum.add(1, q[j], p[i]), sum.add(1, p[j], x);
  return sum.sign();
}

/// Returns the side of a triangle's plane on which x lies: 1 on the side to which the normal (b - a) x (c - a) points,
/// -1 on the opposite side, 0 in the plane. Exact.
KDSCOPE_HD inline int side_of_plane(const Triangle& t, const float* x) {
  const float(&k)[3][3] = t.corner;
  std::int64_t g[12];
  if (on_one_grid<12>(
          {k[0][0], k[0][1], k[0][2], k[1][0], k[1][1], k[1][2], k[2][0], k[2][1], k[2][2], x[0], x[1], x[2]}, g)) {
    const std::int64_t ux = g[3] - g[0], uy = g[4] - g[1], uz = g[5] - g[2], vx = g[6] - g[0], vy = g[7] - g[1],
                       vz = g[8] - g[2];
    const Int128 nx = Int128(uy) * vz - Int128(uz) * vy, ny = Int128(uz) * vx - Int128(ux) * vz,
                 nz = Int128(ux) * vy - Int128(uy) * vx;
    // Each factor of a product is less than 2^41 or 2^83, so the sum of three products is less than 2^126.
    return sign_of(nx * (g[9] - g[0]) + ny * (g[10] - g[1]) + nz * (g[11] - g[2]));
  }
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

/// The least of several coordinates, which are given as doubles with error bounds.
struct LeastInDoubles {
  /// Relative error of an operation.
  static constexpr double unit = 1.0 / (std::uint64_t(1) << 53);
  KDSCOPE_HD void meet(double x, double error) {
    if (x - error < from) from = x - error;
    if (x + error < to) to = x + error;
  }
  /// Finds the largest float that is not above the least coordinate, or `known` if that float is below it. Returns
  /// false if the errors permit another answer; `end` is then the largest of the possible floats.
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
  /// Returns the error bound of the coordinate at which an edge of the triangle meets a plane, from the corners'
  /// coordinates in that dimension.
  KDSCOPE_HD static double error_on_edges(double a, double b, double c) {
    double largest = magnitude(a);
    if (magnitude(b) > largest) largest = magnitude(b);
    if (magnitude(c) > largest) largest = magnitude(c);
    return 32 * unit * largest;
  }

  double from = std::numeric_limits<double>::infinity(),
         to = std::numeric_limits<double>::infinity();  ///< the least coordinate is between these
};

/// The part of a triangle in a box: a convex polygon, cut at one plane after another in doubles (Sutherland & Hodgman
/// 1974). Doubles are only a filter: every coordinate has an error bound, and if the bound does not decide a question,
/// the signs of exact sums decide it.
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
  /// Returns the largest float that is not above any point along d, or `known` if that float is below it.
  KDSCOPE_HD float lower_end(int d, float known) const { return last_not_above(1, d, known); }
  KDSCOPE_HD float upper_end(int d, float known) const { return -last_not_above(-1, d, -known) + 0.0f; }

 private:
  static constexpr int most = 9;  // number of corners: three, and one more per plane
  static constexpr double unit = LeastInDoubles::unit;

  /// Edges are numbered 0 to 2, each from the corner of that number to the next one. Planes of the volume are numbered
  /// 3 + 2 d at the lower end along d and 4 + 2 d at the upper end.
  struct Polygon {
    double x[most][3];
    std::uint8_t edge[most];    ///< the edge or plane that contains the polygon's side from here to the next corner
    std::uint8_t origin[most];  ///< corners that are not the triangle's: the edge or plane on which they lie, plus
                                ///< 16 times the second plane
    std::uint32_t rounded = 0;  ///< bit 3 c + d is set if coordinate d of corner c is not exact
    int size = 3;
    KDSCOPE_HD bool is_rounded(int c, int d) const { return rounded >> (3 * c + d) & 1; }
  };

  KDSCOPE_HD static double magnitude(double x) { return LeastInDoubles::magnitude(x); }
  KDSCOPE_HD static int dimension_of(int plane) { return (plane - 3) / 2; }
  KDSCOPE_HD float value_of(int plane) const {
    return plane % 2 == 1 ? volume_.lo[dimension_of(plane)] : volume_.hi[dimension_of(plane)];
  }

  /// Returns the sign of x[d] - at for a corner with a rounded coordinate d.
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

  /// Cuts off the part outside one side of the volume, 2 d or 2 d + 1.
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
      // If a side of the polygon ends in the plane, the cut is at that end.
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

  /// Computes where the polygon's side from c to `next` crosses a plane across d that lies between them.
  KDSCOPE_HD void intersect(int c, int next, int d, double plane, Polygon& to) {
    const std::uint8_t edge = from_.edge[c];
    double* const x = to.x[to.size];
    x[d] = plane;
    if (edge < 3) {
      // Compute the point from the triangle's corners, whose coordinates are exact.
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
    // Along an edge of the volume, only one coordinate is unknown.
    const int other = dimension_of(edge), e = 3 - d - other;
    const double *p = from_.x[c], *q = from_.x[next];
    const double across = q[d] - p[d], along = q[e] - p[e];
    x[other] = p[other];
    x[e] = p[e];
    const bool rounded_across = from_.is_rounded(c, d) || from_.is_rounded(next, d),
               rounded_along = from_.is_rounded(c, e) || from_.is_rounded(next, e);
    if (along == 0 && !rounded_along) return;
    double share_error = 8 * unit, own = std::numeric_limits<double>::infinity();
    if (rounded_across) share_error += 4 * (error_[d] / magnitude(across));
    if (share_error < 0x1p-20) {
      x[e] += along * ((plane - p[d]) / across);
      own = (rounded_along ? 4 * error_[e] : 0) + magnitude(along) * (share_error + 4 * unit) +
            3 * unit * magnitude(x[e]);
    }
    error_[e] = own > error_[e] ? own : error_[e];
    to.rounded |= 1u << (3 * to.size + e);
  }

  /// Returns, for the coordinates along d times `sign`, the largest float that is not above any of them, or `known` if
  /// that float is below it.
  KDSCOPE_HD float last_not_above(int sign, int d, float known) const {
    LeastInDoubles least;
    for (int c = 0; c < from_.size; ++c) least.meet(sign * from_.x[c][d], from_.is_rounded(c, d) ? error_[d] : 0);
    float end;
    if (least.find_end(known, end)) return end;
    for (int c = 0; c < from_.size; ++c) {
      const double x = sign * from_.x[c][d];
      if (!from_.is_rounded(c, d) || x - error_[d] >= static_cast<double>(end) ||
          compare(from_.origin[c], d, sign * end) * sign >= 0)
        continue;
      // Search from the first possible float up to `end` for the largest one that is not above the coordinate.
      const float first = LeastInDoubles::float_below(x - error_[d]);
      std::uint32_t last = ordered_key(word_of(first > known ? first : known), ScalarType::float32),
                    above = ordered_key(word_of(end), ScalarType::float32);
      while (above - last > 1) {
        const std::uint32_t middle = last + (above - last) / 2;
        (compare(from_.origin[c], d, sign * float_of(word_of_ordered_key(middle, ScalarType::float32))) * sign >= 0
             ? last
             : above) = middle;
      }
      end = float_of(word_of_ordered_key(last, ScalarType::float32)) + 0.0f;
      if (end <= known) return known;
    }
    return end;
  }

  const Triangle& triangle_;
  const Box3& volume_;
  Polygon from_;
  double error_[3];  ///< error bound for rounded coordinates along each dimension
};

/// Computes clipped_box() for any triangle. It is not inlined, because few parts need it and its polygons are on the
/// stack.
KDSCOPE_HD KDSCOPE_NOT_INLINED inline Box3 clipped_exactly(const Triangle& t, const Box3& volume, const Box3& known) {
  const ClippedTriangle part(t, volume);
  if (part.empty()) return known;
  Box3 box;
  for (int d = 0; d < 3; ++d) {
    box.lo[d] = part.lower_end(d, known.lo[d]), box.hi[d] = part.upper_end(d, known.hi[d]);
    if (box.lo[d] > box.hi[d]) return known;
  }
  return box;
}

/// The corners of a triangle's part inside a box, in doubles: corners of the triangle, crossings of its edges with
/// sides of the box, and crossings of the box's edges with the triangle. A returned answer is certain; questions that
/// rounding errors could decide are left open. All indices are compile-time constants, so that all arrays stay in
/// registers.
class PartInDoubles {
 public:
  KDSCOPE_HD PartInDoubles(const Triangle& t, const Box3& volume) : triangle_(t), volume_(volume) {
    KDSCOPE_UNROLLED
    for (int d = 0; d < 3; ++d) {
      const float a = t.corner[0][d], b = t.corner[1][d], c = t.corner[2][d], lo = volume.lo[d], hi = volume.hi[d];
      cuts_[2 * d] = a < lo || b < lo || c < lo;
      cuts_[2 * d + 1] = a > hi || b > hi || c > hi;
      error_[d] = LeastInDoubles::error_on_edges(corner(0, d), corner(1, d), corner(2, d));
    }
    add_corners();
    KDSCOPE_UNROLLED
    for (int c = 0; c < 3; ++c) add_edge(c);
    KDSCOPE_UNROLLED
    for (int edge = 0; edge < 12; ++edge) add_box_edge(edge / 4, edge / 2 % 2, edge % 2);
  }
  /// Computes clipped_box(). Returns false if the answer stays open, or if no part of the triangle is inside.
  KDSCOPE_HD bool box(const Box3& known, Box3& found) const {
    if (open_ || empty_) return false;
    bool certain = true, any = true;
    KDSCOPE_UNROLLED
    for (int d = 0; d < 3; ++d) {
      float negated_end;
      certain = least_[d].find_end(known.lo[d], found.lo[d]) && certain;
      certain = least_negated_[d].find_end(-known.hi[d], negated_end) && certain;
      found.hi[d] = -negated_end + 0.0f;
      any = found.lo[d] <= found.hi[d] && any;
    }
    return certain && any;
  }

 private:
  static constexpr double unit = LeastInDoubles::unit;

  KDSCOPE_HD double corner(int c, int d) const { return static_cast<double>(triangle_.corner[c][d]); }
  KDSCOPE_HD double plane(int d, int side) const {
    return static_cast<double>(side == 0 ? volume_.lo[d] : volume_.hi[d]);
  }
  /// Returns how far a corner is inside a side of the box. The sign is exact, and the relative error is one unit.
  KDSCOPE_HD double depth(int c, int d, int side) const {
    return side == 0 ? corner(c, d) - plane(d, 0) : plane(d, 1) - corner(c, d);
  }
  KDSCOPE_HD void meet(int d, double x, double error) {
    least_[d].meet(x, error);
    least_negated_[d].meet(-x, error);
    empty_ = false;
  }

  KDSCOPE_HD void add_corners() {
    KDSCOPE_UNROLLED
    for (int c = 0; c < 3; ++c) {
      bool inside = true;
      for (int d = 0; d < 3; ++d) inside = inside && depth(c, d, 0) >= 0 && depth(c, d, 1) >= 0;
      if (!inside) continue;
      for (int d = 0; d < 3; ++d) meet(d, corner(c, d), 0);
    }
  }

  /// Adds the ends of an edge's inner part, at which sides of the box cut the edge.
  KDSCOPE_HD void add_edge(int c) {
    const int next = c == 2 ? 0 : c + 1;
    // Find the parameters of the edge at which its inner part begins and ends, with errors of 8 units, and the sides
    // that cut it there.
    double begin = 0, end = 1;
    int begins_at = -1, ends_at = -1;
    bool outside = false, tied = false;
    KDSCOPE_UNROLLED
    for (int s = 0; s < 6; ++s) {
      if (!cuts_[s]) continue;
      const double from = depth(c, s / 2, s % 2), to = depth(next, s / 2, s % 2);
      // If an edge only ends in the side's plane, add_corners() handles the corner there.
      outside = outside || (from <= 0 && to <= 0 && (from < 0 || to < 0));
      if (!(from < 0 && to > 0) && !(from > 0 && to < 0)) continue;
      const double share = from / (from - to);
      const bool enters = from < 0, first = (enters ? begins_at : ends_at) < 0;
      const double beyond = enters ? share - begin : end - share;
      tied = tied || (!first && LeastInDoubles::magnitude(beyond) <= 16 * unit);
      if (!first && beyond <= 0) continue;
      if (enters)
        begin = share, begins_at = s;
      else
        end = share, ends_at = s;
    }
    const bool cut = begins_at >= 0 && ends_at >= 0;
    if (outside || (begins_at < 0 && ends_at < 0) || (cut && begin > end + 16 * unit)) return;
    open_ = open_ || tied || (cut && begin >= end - 16 * unit);
    KDSCOPE_UNROLLED
    for (int d = 0; d < 3; ++d) {
      const double from = corner(c, d), along = corner(next, d) - from;
      const auto meet_at = [&](int side, double share) {
        if (side / 2 == d)
          meet(d, plane(d, side % 2), 0);
        else
          meet(d, from + along * share, along == 0 ? 0 : error_[d]);
      };
      if (begins_at >= 0) meet_at(begins_at, begin);
      if (ends_at >= 0) meet_at(ends_at, end);
    }
  }

  /// Adds the point where an edge of the box along d passes through the triangle. `first` and `second` are sides across
  /// the other dimensions.
  KDSCOPE_HD void add_box_edge(int d, int first, int second) {
    const int i = d == 2 ? 0 : d + 1, j = i == 2 ? 0 : i + 1;
    if (!cuts_[2 * i + first] || !cuts_[2 * j + second]) return;
    const double x = plane(i, first), y = plane(j, second);
    // Compute the areas spanned by the triangle's sides and the edge's projection along d: the barycentric weights of
    // the corners.
    double weight[3], sum = 0, uncertainty = 0;
    int above = 0, below = 0;
    KDSCOPE_UNROLLED
    for (int c = 0; c < 3; ++c) {
      const int p = c == 2 ? 0 : c + 1, q = p == 2 ? 0 : p + 1;
      const double a = (corner(p, i) - x) * (corner(q, j) - y), b = (corner(p, j) - y) * (corner(q, i) - x);
      weight[c] = a - b;
      const double error = 8 * unit * (LeastInDoubles::magnitude(a) + LeastInDoubles::magnitude(b)),
                   size = LeastInDoubles::magnitude(weight[c]);
      above += weight[c] > error;
      below += weight[c] < -error;
      sum += weight[c];
      if (error > uncertainty * size) uncertainty = error / size;
    }
    if (above > 0 && below > 0) return;
    if ((above < 3 && below < 3) || uncertainty > 0x1p-20) {
      open_ = true;
      return;
    }
    const double from = corner(0, d), to_second = corner(1, d) - from, to_third = corner(2, d) - from;
    const double at = from + (weight[1] * to_second + weight[2] * to_third) / sum;
    const double error = to_second == 0 && to_third == 0 ? 0 : error_[d] * (1 + uncertainty / (4 * unit));
    const double inside_lower = at - plane(d, 0), inside_upper = plane(d, 1) - at;
    if ((cuts_[2 * d] && inside_lower < -error) || (cuts_[2 * d + 1] && inside_upper < -error)) return;
    open_ = open_ || (cuts_[2 * d] && inside_lower <= error) || (cuts_[2 * d + 1] && inside_upper <= error);
    meet(i, x, 0), meet(j, y, 0), meet(d, at, error);
  }

  const Triangle& triangle_;
  const Box3& volume_;
  bool cuts_[6];     ///< whether the triangle extends beyond a side of the box, 2 d or 2 d + 1
  double error_[3];  ///< error bound of a rounded coordinate on an edge of the triangle
  LeastInDoubles least_[3], least_negated_[3];
  bool empty_ = true, open_ = false;
};

/// Returns the box of the triangle's part inside `volume`, sides included: the smallest box of floats around the exact
/// part, intersected with `known`. Returns `known` itself if there is no part, or if the intersection is empty. known:
/// a box that contains the part, for example its box in a larger volume after a cut. A part is never lost. Requires
/// finite coordinates.
KDSCOPE_HD inline Box3 clipped_box(const Triangle& t, const Box3& volume, const Box3& known) {
  Box3 box;
  return PartInDoubles(t, volume).box(known, box) ? box : clipped_exactly(t, volume, known);
}

}  // namespace kdscope
