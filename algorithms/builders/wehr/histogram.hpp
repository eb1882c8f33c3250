#pragma once
// The global histogram H (Wehr & Radkowski 2018, Fig. 3) and the kernel that fills it (Alg. 4).

#include "algorithms/builders/wehr/options.hpp"
#include "algorithms/exec/probe.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {

/// The place of each (block, chunk) pair's counts in H. The chunks' counts are stored one after another. Within a chunk
/// they are stored digit by digit, with one column per block. Therefore one inclusive prefix sum over H gives the end
/// of each block's elements of each digit. Pair (b, c) has the column slot b + c, because every step along the array
/// leads to the next block or the next chunk. Where a chunk ends at a block's edge, both change at once, and the
/// earlier chunk has one extra column, which stays 0. Requires chunks at least as wide as a block, so that a block
/// overlaps at most two (§III-C).
struct HistogramLayout {
  ChunksOfLevel chunks;
  std::uint32_t base = 2, tpb = 1;

  KDSCOPE_HD std::uint32_t blocks() const { return (chunks.n - 1) / tpb + 1; }
  KDSCOPE_HD std::uint32_t first_block(std::uint32_t c) const { return chunks.chunk(c).begin / tpb; }
  /// Returns the first column slot of a chunk; for c = count(), the number of slots.
  KDSCOPE_HD std::uint32_t columns(std::uint32_t c) const {
    return (c < chunks.count() ? first_block(c) : blocks() - 1) + c;
  }
  /// Returns the number of counts: at most (2 n / tpb + 1) base.
  KDSCOPE_HD std::uint64_t size() const { return std::uint64_t(base) * columns(chunks.count()); }
};

/// Returns the largest number of counts of any level: that of the last level sorted in parallel, which has the most
/// chunks.
inline std::uint64_t largest_histogram(const WehrOptions& options, std::uint32_t n) {
  std::uint64_t largest = 0;
  for (int level = 0; level < median_levels(n) && strategy_of(options, n, level) == Strategy::parallel_radix; ++level)
    largest = HistogramLayout{{n, level}, options.base, options.tpb}.size();
  return largest;
}

/// One column of H. The count of digit d is at index `at + d * stride`.
struct HistogramColumn {
  std::uint32_t at, stride;
  KDSCOPE_HD HistogramColumn(const HistogramLayout& layout, std::uint32_t block, std::uint32_t c) {
    // All counts of the chunks before it come first; within the chunk, a row per digit and a column per block that it
    // overlaps
    const std::uint32_t first = layout.columns(c);
    stride = layout.columns(c + 1) - first;
    at = layout.base * first + (block + c - first);
  }
};

// [region wehr/histogram_creation]
/// Counts the digits of a block's elements, separately for the one or two chunks that the block overlaps, and writes
/// both histograms to H (Alg. 4). One lane per position. Splitting elements are not counted (by the test of appendix
/// II, not that of line 6). keys: [n] of the dimension to sort; counts: H. One block writes each column, so H needs no
/// clearing. All lanes share the work that the source gives to thread 0. Shared memory: 2 base counts.
template <class Probe>
struct HistogramCreation {
  const std::uint32_t* keys;
  std::uint32_t* counts;
  HistogramLayout layout;
  Digit digit;
  Probe probe;  ///< receives h_0 and h_1: rows of 2 base values

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t base = layout.base, begin = block.index() * layout.tpb;
    const std::uint32_t n = layout.chunks.n, end = n - begin < layout.tpb ? n : begin + layout.tpb;
    const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
    auto* h = block.template shared<std::uint32_t>(static_cast<int>(2 * base));  // h_0, then h_1
    // c is the block's first chunk, `edge` the splitting element behind it. If the edge lies within the block, the
    // elements behind it belong to chunk c + 1; a second edge would lie beyond the block (appendix I, II).
    const std::uint32_t c = layout.chunks.chunk_at(begin), edge = layout.chunks.edge(c + 1);

    // Initialise h_0 and h_1 (lines 1 to 3). The barrier lets no lane count before they are 0.
    block.lanes([&](int lane) {
      for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < 2 * base; e += lanes) h[e] = 0;
    });
    // Count the digits (lines 5 to 11): chunk_rel, 0 or 1, is whether the element lies behind the edge. Many lanes have
    // the same digit, so they count by atomics, which are fast on the block's own memory (§III-C).
    block.lanes([&](int lane) {
      const std::uint32_t i = begin + static_cast<std::uint32_t>(lane);
      if (i < end && i != edge) block.atomic_add(&h[(i > edge ? base : 0) + digit.of(keys[i])], 1u);
    });
    block.show(probe, h, static_cast<int>(2 * base));

    // Copy both histograms to their columns of H (lines 13 to 15). If the block has no elements of chunk c + 1, h_1 is
    // 0 and fills the extra column of chunk c.
    const HistogramColumn column_0(layout, block.index(), c);
    const bool next_begins_here = edge + 1 < end;
    const HistogramColumn column_1 = next_begins_here ? HistogramColumn(layout, block.index(), c + 1)
                                     : edge < end     ? HistogramColumn(layout, block.index() + 1, c)
                                                      : column_0;
    // The prefix sum needs H row by row, one row per digit. Neighbouring lanes have neighbouring digits, so they write
    // one row apart, and their writes do not coalesce.
    block.lanes([&](int lane) {
      for (std::uint32_t d = static_cast<std::uint32_t>(lane); d < base; d += lanes) {
        counts[column_0.at + d * column_0.stride] = h[d];
        if (edge < end) counts[column_1.at + d * column_1.stride] = h[base + d];
      }
    });
  }
};
// [endregion]

}  // namespace kdscope::wehr
