#pragma once
// The smallest box of the part of a triangle inside a box.

#include "algorithms/core/triangles.hpp"

namespace kdscope {

/// Box of the triangle's part inside `volume`, by cutting its polygon at the volume's six planes in doubles (Sutherland & Hodgman
/// 1974), rounded outwards to floats. `known` is a box that is known to hold that part, such as its box in a larger volume, cut;
/// the result never leaves it, and is `known` itself where rounding leaves nothing of the polygon: a part is never lost.
KDSCOPE_HD inline Box3 clipped_box(const Triangle& t, const Box3& volume, const Box3& known) {
  constexpr int most = 9;  // corners: three, and one more for each plane
  double from[most][3], to[most][3];
  int corners = 3;
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) from[c][d] = static_cast<double>(t.corner[c][d]);
  for (int d = 0; d < 3; ++d)
    for (int side = 0; side < 2; ++side) {
      const double plane = static_cast<double>(side == 0 ? volume.lo[d] : volume.hi[d]);
      const auto inside = [&](const double* p) { return side == 0 ? p[d] >= plane : p[d] <= plane; };
      int outside = 0;
      for (int c = 0; c < corners; ++c) outside += !inside(from[c]);
      if (outside == 0) continue;
      if (outside == corners) return known;
      int kept = 0;
      for (int c = 0; c < corners; ++c) {
        const double *p = from[c], *q = from[c + 1 == corners ? 0 : c + 1];
        const bool p_in = inside(p), q_in = inside(q);
        if (p_in && kept < most) {
          for (int e = 0; e < 3; ++e) to[kept][e] = p[e];
          ++kept;
        }
        if (p_in == q_in || kept == most) continue;
        const double share = (plane - p[d]) / (q[d] - p[d]);
        for (int e = 0; e < 3; ++e) to[kept][e] = e == d ? plane : p[e] + (q[e] - p[e]) * share;
        ++kept;
      }
      corners = kept;
      for (int c = 0; c < corners; ++c)
        for (int e = 0; e < 3; ++e) from[c][e] = to[c][e];
    }
  Box3 box = known;
  for (int d = 0; d < 3; ++d) {
    double lo = from[0][d], hi = from[0][d];
    for (int c = 1; c < corners; ++c) {
      lo = from[c][d] < lo ? from[c][d] : lo;
      hi = from[c][d] > hi ? from[c][d] : hi;
    }
    float lower = static_cast<float>(lo), upper = static_cast<float>(hi);
    if (static_cast<double>(lower) > lo) lower = next_below(lower);
    if (static_cast<double>(upper) < hi) upper = next_above(upper);
    if (lower > box.lo[d]) box.lo[d] = lower + 0.0f;
    if (upper < box.hi[d]) box.hi[d] = upper + 0.0f;
    if (box.lo[d] > box.hi[d]) return known;
  }
  return box;
}

}  // namespace kdscope
