#pragma once
// The stable distribution of one radix pass and the copy that ends the pass (Wehr & Radkowski 2018, Alg. 5 and Alg. 3,
// line 6).

#include "algorithms/builders/wehr/histogram.hpp"

namespace kdscope::wehr {

/// Returns the lanes per block for `items` lanes in total, each with `base` counters in shared memory. For few items,
/// blocks are small and spread over the whole device, because each lane works alone and mostly waits for memory.
/// Otherwise a block has 64 or 32 lanes.
constexpr int lanes_with_counters(std::uint32_t base, std::uint32_t items) {
  constexpr std::uint32_t blocks_to_fill_a_device = 512;
  int lanes = base > 64 ? 32 : 64;
  while (lanes > 8 && items / static_cast<std::uint32_t>(lanes) < blocks_to_fill_a_device) lanes /= 2;
  return lanes;
}

/// `base` counters per lane in shared memory. They are stored digit by digit, so that neighbouring lanes use different
/// banks.
struct LaneCounters {
  std::uint32_t* counters;
  std::uint32_t lanes, lane;
  KDSCOPE_HD std::uint32_t& operator[](std::uint32_t digit) const { return counters[digit * lanes + lane]; }
};

// [region wehr/distribution]
/// Moves the elements of each (block, chunk) pair to the places in the scanned histogram (Alg. 5). One lane per pair:
/// lanes [0, blocks) take the first chunk of each block, lanes [blocks, 2 blocks) the second. The scan is inclusive,
/// and a lane decrements a count before it uses it. The lane therefore walks its elements backwards to keep equal
/// digits in order. Splitting elements are not counted: the outputs of chunk c are shifted by the c splitting elements
/// before it, which are copied to their own places. counts: H after the scan, unchanged (the lane counts down in shared
/// memory). keys, index, keys_out, index_out: [n]. Shared memory: base counts per lane.
struct Distribution {
  const std::uint32_t* keys;
  const PointId* index;
  std::uint32_t* keys_out;
  PointId* index_out;
  const std::uint32_t* counts;
  HistogramLayout layout;
  Digit digit;

  /// Returns the number of lanes to launch: half as many if no block has a second chunk.
  KDSCOPE_HD std::uint32_t pairs() const { return layout.blocks() * (layout.chunks.level > 0 ? 2 : 1); }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
    // Each lane has counters of its own and reads no other lane's, so no barrier is needed
    auto* counters = block.template shared<std::uint32_t>(static_cast<int>(layout.base * lanes));
    block.lanes([&](int lane) {
      const std::uint32_t pair = block.index() * lanes + static_cast<std::uint32_t>(lane);
      if (pair < pairs()) distribute(pair, {counters, lanes, static_cast<std::uint32_t>(lane)});
    });
  }

 private:
  KDSCOPE_HD void distribute(std::uint32_t pair, LaneCounters ends) const {
    // Find the pair's block i_b, its chunk i_c, and the elements that both share: from h_b = begin to h_e = end,
    // exclusive (lines 1 to 5)
    const bool second = pair >= layout.blocks();
    const std::uint32_t block = second ? pair - layout.blocks() : pair, n = layout.chunks.n;
    const std::uint32_t block_begin = block * layout.tpb,
                        block_end = n - block_begin < layout.tpb ? n : block_begin + layout.tpb;
    const std::uint32_t c = layout.chunks.chunk_at(block_begin) + (second ? 1 : 0);
    const std::uint32_t edge =
        layout.chunks.edge(c + (second ? 0 : 1));  // between the block's first chunk and its second
    // Copy the splitting element to its own place, which no digit decides. One lane per block does it: that of the
    // first chunk.
    if (!second && edge < block_end) keys_out[edge] = keys[edge], index_out[edge] = index[edge];
    const std::uint32_t begin = second ? edge + 1 : block_begin, end = second || edge > block_end ? block_end : edge;
    if (begin >= end) return;

    const HistogramColumn column(layout, block, c);
    // Copy the pair's column of H. By now each count is the end of a digit's outputs, but without splitting elements:
    // add the c that precede the chunk. Read a batch of values before using any, so that their loads overlap.
    constexpr std::uint32_t batch = 16;
    for (std::uint32_t first = 0; first < layout.base; first += batch) {
      std::uint32_t end_of[batch];
      for (std::uint32_t j = 0; j < batch; ++j)
        end_of[j] = first + j < layout.base ? counts[column.at + (first + j) * column.stride] : 0;
      for (std::uint32_t j = 0; j < batch; ++j)
        if (first + j < layout.base) ends[first + j] = end_of[j] + c;
    }
    // Distribute the elements from the last one down (lines 6 to 12). A digit's end, decremented, is the place of its
    // last element that is left; going backwards keeps equal digits in order.
    for (std::uint32_t i = end; i > begin;) {
      const std::uint32_t there = i - begin < batch ? i - begin : batch;
      std::uint32_t key[batch];
      PointId id[batch];
      // Load a batch; a short one loads its last element several times and uses it once
      for (std::uint32_t j = 0; j < batch; ++j) {
        const std::uint32_t at = i - 1 - (j < there ? j : 0);
        key[j] = keys[at];
        id[j] = index[at];
      }
      // Places are scattered over the output, one run per digit
      for (std::uint32_t j = 0; j < batch; ++j)
        if (j < there) {
          const std::uint32_t out = --ends[digit.of(key[j])];
          keys_out[out] = key[j];
          index_out[out] = id[j];
        }
      i -= there;
    }
  }
};
// [endregion]

// [region wehr/copy]
/// Copies T and its indices back to the keys and the index array. Work O(n).
struct CopyBack {
  const std::uint32_t* t;
  const PointId* t_index;
  std::uint32_t* keys;
  PointId* index;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    keys[i] = t[i];
    index[i] = t_index[i];
  }
};
// [endregion]

}  // namespace kdscope::wehr
