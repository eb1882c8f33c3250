#pragma once
// Median stores: the medians of each level of subdivision. A median's address is the path that leads to it (Robinson's
// KdTreeGPU, on Brown 2015). Level L has 2^L entries; the children of entry k are entries 2k (less than) and 2k+1
// (greater than) of level L+1. Stored one after another, the stores are a tree in level order.

#include <bit>
#include <cstdint>

#include "algorithms/core/platform.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope {

/// Returns the number of levels of subdivision of n points: floor(log2 n) + 1; 0 for no points.
constexpr int store_levels(std::uint32_t n) { return std::bit_width(n); }
/// Returns the number of entries of all levels.
constexpr std::uint64_t store_slots(std::uint32_t n) { return (std::uint64_t(1) << store_levels(n)) - 1; }
/// Returns the index of the first entry of a level.
KDSCOPE_HD constexpr std::uint32_t store_begin(int level) { return (1u << level) - 1; }

/// Returns the position of the median of a range: the lower one of two (Brown 2015). The range must not be empty.
KDSCOPE_HD constexpr std::uint32_t median_position(PositionRange range) {
  return range.begin + (range.end - range.begin - 1) / 2;
}

/// Returns the positions of the array at an address among n unique points. Each level removes the median and keeps the
/// positions before it (bit 0) or behind it (bit 1), starting with the address's first bit. Work O(level).
KDSCOPE_HD constexpr PositionRange array_at(std::uint32_t n, int level, std::uint32_t address) {
  PositionRange range{0, n};
  for (int bit = level; bit-- > 0 && range.begin < range.end;) {
    const std::uint32_t median = median_position(range);
    if (address >> bit & 1)
      range.begin = median + 1;
    else
      range.end = median;
  }
  return range;
}

/// Returns the side of its array's median on which a position lies at a level: -1 before, 1 behind, 0 at the median
/// itself. Returns `settled` if the position was a median of a level above and belongs to no array any more. Work
/// O(level).
inline constexpr int settled = 2;
KDSCOPE_HD constexpr int side_of_position(std::uint32_t n, int level, std::uint32_t position) {
  PositionRange range{0, n};
  for (int l = 0;; ++l) {
    const std::uint32_t median = median_position(range);
    if (position == median) return l == level ? 0 : settled;
    if (l == level) return position < median ? -1 : 1;
    if (position < median)
      range.end = median;
    else
      range.begin = median + 1;
  }
}

/// Returns the length of the longest array of a level. Every other array of the level is at most one shorter.
KDSCOPE_HD constexpr std::uint32_t longest_array(std::uint32_t n, int level) { return n >> level; }

}  // namespace kdscope
