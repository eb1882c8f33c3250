#pragma once
// The sorts with one thread per chunk (Wehr & Radkowski 2018, §III-B): stable, like the parallel one.

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/builders/wehr/distribution.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {

// [region wehr/sequential_radix_sort]
/// Sorts one chunk per lane by radix. Each digit's pass counts, sums, and distributes backwards. keys, index: [n]
/// in/out; t, t_index: [n] scratch. Work O((width + base) passes) per lane. Shared memory: base counts per lane.
struct SequentialRadixSort {
  std::uint32_t* keys;
  PointId* index;
  std::uint32_t* t;
  PointId* t_index;
  ChunksOfLevel chunks;
  std::uint32_t base;
  int passes;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
    auto* counters = block.template shared<std::uint32_t>(static_cast<int>(base * lanes));
    block.lanes([&](int lane) {
      const std::uint32_t c = block.index() * lanes + static_cast<std::uint32_t>(lane);
      if (c < chunks.count()) sort(chunks.chunk(c), {counters, lanes, static_cast<std::uint32_t>(lane)});
    });
  }

 private:
  KDSCOPE_HD void sort(PositionRange chunk, LaneCounters ends) const {
    std::uint32_t *from = keys, *to = t;
    PointId *from_index = index, *to_index = t_index;
    Digit digit{base, 1, (base & (base - 1)) == 0 ? 0 : -1};
    const int bits = 31 - leading_zeros(base);
    // One pass per digit, from the lowest: each pass is stable, so it keeps the order of the digits below
    for (int pass = 0; pass < passes; ++pass) {
      // Count the digits, and sum the counts to the end of each digit's elements
      for (std::uint32_t d = 0; d < base; ++d) ends[d] = 0;
      for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) ++ends[digit.of(from[i])];
      std::uint32_t sum = chunk.begin;
      for (std::uint32_t d = 0; d < base; ++d) sum += ends[d], ends[d] = sum;
      // Distribute backwards, as the parallel sort does, which keeps equal digits in order
      for (std::uint32_t i = chunk.end; i-- > chunk.begin;) {
        const std::uint32_t out = --ends[digit.of(from[i])];
        to[out] = from[i];
        to_index[out] = from_index[i];
      }
      // The output is the input of the next pass, which takes the next digit
      std::uint32_t* const keys_there = from;
      PointId* const index_there = from_index;
      from = to, to = keys_there;
      from_index = to_index, to_index = index_there;
      if (digit.shift >= 0)
        digit.shift += bits;
      else
        digit.magnitude *= base;
    }
    // An odd number of passes leaves the elements in the scratch arrays: copy them back
    if (from == keys) return;
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) keys[i] = t[i], index[i] = t_index[i];
  }
};
// [endregion]

// [region wehr/insertion_sort]
/// Sorts one chunk per thread by insertion, in place. keys, index: [n] in/out. Work O(width^2) per thread.
struct InsertionSort {
  std::uint32_t* keys;
  PointId* index;
  ChunksOfLevel chunks;

  KDSCOPE_HD void operator()(std::uint32_t c) const {
    const PositionRange chunk = chunks.chunk(c);
    // Elements before i are in order: move the larger ones up by one, and put i's into the gap. Equal keys do not pass
    // one another.
    for (std::uint32_t i = chunk.begin + 1; i < chunk.end; ++i) {
      const std::uint32_t key = keys[i];
      const PointId id = index[i];
      std::uint32_t at = i;
      for (; at > chunk.begin && keys[at - 1] > key; --at) {
        keys[at] = keys[at - 1];
        index[at] = index[at - 1];
      }
      keys[at] = key;
      index[at] = id;
    }
  }
};
// [endregion]

// [region wehr/sequential_sort]
/// Sorts the chunks one after another on one thread of the host, as a plain CPU builder does (Fig. 9). The arrays must
/// be in host memory. keys, index: [n] in/out; t, t_index: [n] scratch. Work O(n log width).
template <class Exec>
void sort_on_one_thread(Exec& exec, std::uint32_t* keys, PointId* index, std::uint32_t* t, PointId* t_index,
                        const ChunksOfLevel& chunks) {
  std::vector<std::uint32_t> order(chunks.chunk(0).size() + 1);
  for (std::uint32_t c = 0; c < chunks.count(); ++c) {
    if (c % 1024 == 0) exec.check_stop();
    const PositionRange chunk = chunks.chunk(c);
    order.resize(chunk.size());
    std::iota(order.begin(), order.end(), chunk.begin);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    for (std::uint32_t i = 0; i < chunk.size(); ++i)
      t[chunk.begin + i] = keys[order[i]], t_index[chunk.begin + i] = index[order[i]];
    std::copy(t + chunk.begin, t + chunk.end, keys + chunk.begin);
    std::copy(t_index + chunk.begin, t_index + chunk.end, index + chunk.begin);
  }
}
// [endregion]

}  // namespace kdscope::wehr
