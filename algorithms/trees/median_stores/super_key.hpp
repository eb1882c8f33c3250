#pragma once
// The order of points by super key: one coordinate, then the following ones cyclically (Brown 2015, §2).

#include <cstdint>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Returns -1, 0 or 1 if point a comes before, with or after b. Compares coordinate `dim`, then dim + 1, ..., dim - 1.
/// Returns 0 only if all coordinates are equal. Work O(k), mostly O(1).
KDSCOPE_HD inline int compare_super_keys(const PointsView& points_of_a, std::uint32_t a, const PointsView& points_of_b,
                                         std::uint32_t b, std::uint32_t dim) {
  for (std::uint32_t i = 0, d = dim; i < points_of_a.dim; ++i, d = d + 1 == points_of_a.dim ? 0 : d + 1) {
    const std::uint32_t key_a = points_of_a.key(a, d), key_b = points_of_b.key(b, d);
    if (key_a != key_b) return key_a < key_b ? -1 : 1;
  }
  return 0;
}
KDSCOPE_HD inline int compare_super_keys(const PointsView& points, std::uint32_t a, std::uint32_t b,
                                         std::uint32_t dim) {
  return compare_super_keys(points, a, points, b, dim);
}

}  // namespace kdscope
