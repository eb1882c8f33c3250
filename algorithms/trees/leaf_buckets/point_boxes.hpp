#pragma once
// Computes smallest boxes and orders of points by simple code, for the verifier and the reference of trees with leaf
// buckets.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::leaf_buckets {

/// Orders points by the coordinate of one dimension, then by original index.
struct ByCoordinate {
  PointsView points;
  std::uint32_t dim;
  bool operator()(PointId a, PointId b) const {
    const std::uint32_t x = points.key(a.value, dim), y = points.key(b.value, dim);
    return x != y ? x < y : a < b;
  }
};

/// Returns the smallest box of points as ordered keys: k lower, then k upper ends.
inline std::vector<std::uint32_t> key_box(std::span<const PointId> of, const PointsView& points) {
  const std::uint32_t k = points.dim;
  std::vector<std::uint32_t> box(2 * std::size_t(k), 0);
  std::fill_n(box.begin(), k, 0xffffffffu);
  for (const PointId point : of)
    for (std::uint32_t d = 0; d < k; ++d) {
      const std::uint32_t key = points.key(point.value, d);
      box[d] = std::min(box[d], key);
      box[k + d] = std::max(box[k + d], key);
    }
  return box;
}

}  // namespace kdscope::leaf_buckets
