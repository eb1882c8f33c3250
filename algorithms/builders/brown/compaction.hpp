#pragma once
// Compaction by warps. Ballot and popcount give each lane the place of its item. A buffer of two segments in shared
// memory collects full segments for global memory (Billeter, Olsson and Assarsson; Robinson's form).

#include <cstdint>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/platform.hpp"

namespace kdscope::brown {

/// Returns how many lanes below `lane` are set in the mask, that is, how many lower lanes also write.
KDSCOPE_HD inline std::uint32_t ones_before(std::uint32_t mask, int lane) {
  return static_cast<std::uint32_t>(popcount(mask & ((1u << lane) - 1)));
}

// [region brown/compaction]
/// Two segments of 32 items in shared memory, which turn the writes of single items into writes of whole segments. All
/// lanes of the warp call every member.
struct CoalescingBuffer {
  static constexpr int size = 64;
  PointId* items;           ///< [64] shared
  PointId* out;             ///< the place of the first item
  bool coalesces = true;    ///< false: items pass through, to show what the segments gain
  std::uint32_t count = 0;  ///< number of items taken so far

  /// Takes item(lane) from the lanes in `mask`, in their order. Writes out a segment once it is full.
  template <class Warp, class Item>
  KDSCOPE_HD void take(Warp& warp, std::uint32_t mask, Item&& item) {
    // An item's place is the number of items taken before plus the number of lower lanes that also write, which the
    // lane counts in the mask. Taken modulo the buffer's size, places run through both segments in turn, so no branch
    // has to choose a segment.
    const std::uint32_t before = count;
    warp.lanes([&](int lane) {
      if (!(mask >> lane & 1)) return;
      const std::uint32_t place = before + ones_before(mask, lane);
      (coalesces ? items[place % size] : out[place]) = item(lane);
    });
    // At most 32 items come at once, so at most one segment is full. All lanes write it with one access to consecutive
    // words, while the next items go to the other segment.
    count += static_cast<std::uint32_t>(popcount(mask));
    if (coalesces && before / 32 != count / 32)
      warp.lanes([&](int lane) { out[before / 32 * 32 + lane] = items[(before / 32 * 32 + lane) % size]; });
  }
  /// Writes out the remaining items.
  template <class Warp>
  KDSCOPE_HD void flush(Warp& warp) {
    if (!coalesces) return;
    const std::uint32_t rest = count % 32, begin = count - rest;
    warp.lanes([&](int lane) {
      if (std::uint32_t(lane) < rest) out[begin + lane] = items[(begin + lane) % size];
    });
  }
};
// [endregion]

/// Number of references that a lane loads before it processes any, so that the loads of a warp overlap.
inline constexpr int items_per_lane = 4;

/// The share [begin, end) of [0, n) that one warp processes. Shares have equal sizes, a multiple of 32.
struct WarpShare {
  std::uint32_t begin, end;
};
KDSCOPE_HD inline WarpShare share_of(std::uint32_t n, std::uint32_t w, std::uint32_t warps) {
  const std::uint64_t width = ((std::uint64_t(n) + warps - 1) / warps + 31) / 32 * 32;
  const std::uint64_t begin = w * width, end = begin + width;
  return {static_cast<std::uint32_t>(begin < n ? begin : n), static_cast<std::uint32_t>(end < n ? end : n)};
}

}  // namespace kdscope::brown
