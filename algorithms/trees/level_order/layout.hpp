#pragma once
// Index arithmetic of chunks. Level l divides n positions into 2^l chunks of the real width w = n / 2^l; the elements
// between them are the medians of the levels above (Wehr & Radkowski 2018, appendix I to III). All functions are O(1)
// and use integers. Halving integer widths instead would yield other medians from n = 5 on.

#include <bit>
#include <cstdint>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope {

/// The chunks of one level. Requires 2^level <= n < 2^31, so that w >= 1 and no two splitting elements coincide. An
/// empty array has no chunks.
struct ChunksOfLevel {
  std::uint32_t n = 0;
  int level = 0;

  KDSCOPE_HD constexpr std::uint32_t count() const { return 1u << level; }
  /// Returns floor(w c): for 0 < c < count(), the splitting element before chunk c; n for c = count().
  KDSCOPE_HD constexpr std::uint32_t edge(std::uint32_t c) const {
    return static_cast<std::uint32_t>((std::uint64_t(n) * c) >> level);
  }
  /// Returns the positions of a chunk, without the splitting elements on its sides (appendix III).
  KDSCOPE_HD constexpr PositionRange chunk(std::uint32_t c) const {
    const std::uint32_t begin = c == 0 ? 0 : edge(c) + 1, end = edge(c + 1);
    return {begin, end < begin ? begin : end};  // chunks of the last level may be empty
  }
  /// Returns the number of splitting elements before a position. This is the chunk that contains the position (appendix
  /// I) or, for a splitting element, the chunk to its left.
  KDSCOPE_HD constexpr std::uint32_t chunk_at(std::uint32_t position) const {
    if (position == 0 || level == 0) return 0;
    return static_cast<std::uint32_t>(((std::uint64_t(position) << level) - 1) / n);  // ceil(i / w) - 1
  }
  /// Returns whether a position holds a splitting element: ceil(i / w) < (i + 1) / w and i != 0 (appendix II).
  KDSCOPE_HD constexpr bool is_splitting(std::uint32_t position) const {
    if (position == 0) return false;
    const std::uint64_t scaled = std::uint64_t(position) << level, ceiling = (scaled + n - 1) / n;
    return ceiling * n < scaled + (1ull << level);
  }
  /// Returns the position of a chunk's median, the splitting element of the next level inside it. Requires 2^(level+1)
  /// <= n.
  KDSCOPE_HD constexpr std::uint32_t median(std::uint32_t c) const {
    return ChunksOfLevel{n, level + 1}.edge(2 * c + 1);
  }
  /// Returns the tree node of a chunk, in level order.
  KDSCOPE_HD constexpr NodeId node(std::uint32_t c) const { return {full_tree_size(level) + c}; }
};

/// Returns floor(log2 n), the number of levels of medians and the level of the leaves below them; 0 for n = 0.
KDSCOPE_HD constexpr int median_levels(std::uint32_t n) { return n == 0 ? 0 : 31 - leading_zeros(n); }
/// Returns the number of slots of the tree in level order, including empty leaves.
KDSCOPE_HD constexpr std::uint32_t median_tree_slots(std::uint32_t n) {
  return n == 0 ? 0 : full_tree_size(median_levels(n) + 1);
}

/// Returns the position whose element goes into a slot of the tree; an empty range for an empty leaf.
KDSCOPE_HD constexpr PositionRange position_of_slot(NodeId slot, std::uint32_t n) {
  const ChunksOfLevel chunks{n, level_of(slot)};
  const std::uint32_t chunk = slot.value - full_tree_size(chunks.level);
  if (chunks.level == median_levels(n)) return chunks.chunk(chunk);
  return {chunks.median(chunk), chunks.median(chunk) + 1};
}

}  // namespace kdscope
