#pragma once
// Points in the order of a tree, cut into buckets with boxes around them.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/exec/parallel_ranges.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::library::host {

/// A bucket has at most this many points.
inline constexpr std::uint32_t most_in_bucket = 32;

/// Points in the order of a tree, cut into 2^level buckets. Boxes are in level order: those below box i are 2i + 1 and
/// 2i + 2, and the last ones are those of the buckets.
template <class Number>
struct Buckets {
  std::uint32_t n = 0, dim = 0;
  int level = 0;
  std::vector<std::uint32_t> starts;  ///< [buckets + 1] the position of each bucket's first point
  std::vector<Number> coordinates;    ///< by bucket, in it by dimension: a bucket of m points has [dim][m]
  std::vector<std::uint32_t> points;  ///< [n] original indices
  std::vector<Number> boxes;          ///< [boxes][2][dim] lower ends, upper ends

  std::uint32_t bucket_count() const { return 1u << level; }
  std::uint32_t first_bucket_box() const { return bucket_count() - 1; }
  std::uint32_t box_count() const { return n == 0 ? 0 : 2 * bucket_count() - 1; }
  const Number* box(std::uint32_t i) const { return boxes.data() + std::size_t(i) * 2 * dim; }
  /// Returns the positions of the points in a box.
  std::pair<std::uint32_t, std::uint32_t> positions(std::uint32_t i) const {
    const int above = std::bit_width(i + 1) - 1, below = level - above;
    const std::uint32_t first = (i + 1 - (1u << above)) << below;
    return {starts[first], starts[first + (1u << below)]};
  }
};

/// Returns where buckets begin. A left-balanced tree is cut between the subtrees of one level, each with the inner
/// node that follows it in order; other orders into equal parts.
inline std::vector<std::uint32_t> starts_of_buckets(std::uint32_t n, int level, bool left_balanced) {
  const std::uint32_t buckets = 1u << level;
  std::vector<std::uint32_t> starts(buckets + 1, n);
  starts[0] = 0;
  for (std::uint32_t bucket = 1; bucket < buckets; ++bucket)
    starts[bucket] = left_balanced ? in_order_begin({full_tree_size(level) + bucket}, n)
                                   : static_cast<std::uint32_t>(std::uint64_t(n) * bucket >> level);
  return starts;
}

/// Cuts points, given by their order. from: [n * dim].
template <class Number>
Buckets<Number> cut(const Number* from, std::uint32_t dim, std::vector<std::uint32_t> order, bool left_balanced) {
  Buckets<Number> cut;
  cut.n = static_cast<std::uint32_t>(order.size());
  cut.dim = dim;
  // A left-balanced subtree of five levels has up to 31 points, and the node behind it makes 32.
  const int levels = num_levels(cut.n);
  constexpr int levels_in_bucket = std::bit_width(most_in_bucket) - 1;
  cut.level = levels > levels_in_bucket ? levels - levels_in_bucket : 0;
  cut.points = std::move(order);
  if (cut.n == 0) return cut;
  cut.starts = starts_of_buckets(cut.n, cut.level, left_balanced);
  cut.coordinates.resize(std::size_t(cut.n) * dim);
  cut.boxes.resize(std::size_t(cut.box_count()) * 2 * dim);
  // Copy the points of each bucket, dimension by dimension, and find its box
  for_ranges(cut.bucket_count(), [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t bucket = begin; bucket < end; ++bucket) {
      const std::uint32_t first = cut.starts[bucket], count = cut.starts[bucket + 1] - first;
      Number* const to = cut.coordinates.data() + std::size_t(first) * dim;
      for (std::uint32_t i = 0; i < count; ++i) {
        const Number* const point = from + std::size_t(cut.points[first + i]) * dim;
        for (std::uint32_t d = 0; d < dim; ++d) to[std::size_t(d) * count + i] = point[d];
      }
      Number* const box = cut.boxes.data() + std::size_t(cut.first_bucket_box() + bucket) * 2 * dim;
      for (std::uint32_t d = 0; d < dim; ++d) {
        const auto [low, high] = std::minmax_element(to + std::size_t(d) * count, to + std::size_t(d + 1) * count);
        box[d] = *low, box[dim + d] = *high;
      }
    }
  });
  // Join the boxes of each level into those of the level above
  for (int above = cut.level - 1; above >= 0; --above)
    for_ranges(1u << above, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = (1u << above) - 1 + begin; i < (1u << above) - 1 + end; ++i) {
        Number* const box = cut.boxes.data() + std::size_t(i) * 2 * dim;
        const Number *const left = cut.box(2 * i + 1), *const right = cut.box(2 * i + 2);
        for (std::uint32_t d = 0; d < dim; ++d)
          box[d] = std::min(left[d], right[d]), box[dim + d] = std::max(left[dim + d], right[dim + d]);
      }
    });
  return cut;
}

}  // namespace kdscope::library::host
