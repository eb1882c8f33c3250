// A variant of wehr with another histogram_creation. Change it, then run kdscope-cli variant build counted-edge.cu
#include "algorithms/builders/wehr/wehr.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::wehr {
// [region wehr/histogram_creation]
/// Counts the digits of a block's elements, separately for the at most two chunks that it overlaps, and writes both
/// histograms to H (Alg. 4). One lane per position. keys: [n] of the dimension being sorted; counts: H. Every column is
/// written by one block, so H needs no clearing; all lanes share the work that the source gives to thread 0. Shared
/// memory: 2 base counts.
template <class Probe>
struct MyHistogramCreation {
  const std::uint32_t* keys;
  std::uint32_t* counts;
  HistogramLayout layout;
  Digit digit;
  Probe probe;  ///< of h_0 and h_1: rows of 2 base values

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t base = layout.base, begin = block.index() * layout.tpb;
    const std::uint32_t n = layout.chunks.n, end = n - begin < layout.tpb ? n : begin + layout.tpb;
    const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
    auto* h = block.template shared<std::uint32_t>(static_cast<int>(2 * base));  // h_0, then h_1
    // The last of chunk c's elements lies before this edge. An edge within the block is the block's one splitting
    // element.
    const std::uint32_t c = layout.chunks.chunk_at(begin), edge = layout.chunks.edge(c + 1);

    block.lanes([&](int lane) {
      for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < 2 * base; e += lanes) h[e] = 0;
    });
    block.lanes([&](int lane) {
      const std::uint32_t i = begin + static_cast<std::uint32_t>(lane);
      if (i < end) block.atomic_add(&h[(i > edge ? base : 0) + digit.of(keys[i])], 1u);
    });
    block.show(probe, h, static_cast<int>(2 * base));

    // If the block has no elements of chunk c + 1, h_1 is 0 and fills the extra column of chunk c.
    const HistogramColumn column_0(layout, block.index(), c);
    const bool next_begins_here = edge + 1 < end;
    const HistogramColumn column_1 = next_begins_here ? HistogramColumn(layout, block.index(), c + 1)
                                     : edge < end     ? HistogramColumn(layout, block.index() + 1, c)
                                                      : column_0;
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

template <class Probe>
struct kdscope::ReplacementOf<kdscope::wehr::HistogramCreation<Probe>> {
  using type = wehr::MyHistogramCreation<Probe>;
  static constexpr const char* stage = "histogram_creation";
};
KDSCOPE_VARIANT_OF(wehr)
