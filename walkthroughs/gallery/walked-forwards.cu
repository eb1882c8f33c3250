// A variant of wehr with another distribution. Change it, then run kdscope-cli variant build walked-forwards.cu
#include "algorithms/builders/wehr/wehr.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::wehr {
// [region wehr/distribution]
/// Moves the elements of each (block, chunk) pair to the places in the scanned histogram (Alg. 5). One lane per pair:
/// lanes [0, blocks) take the first chunk of each block, lanes [blocks, 2 blocks) the second. A lane decrements a count
/// before it uses it. Splitting elements are not counted, and are copied to their own places.
struct MyDistribution {
  const std::uint32_t* keys;
  const PointId* index;
  std::uint32_t* keys_out;
  PointId* index_out;
  const std::uint32_t* counts;
  HistogramLayout layout;
  Digit digit;

  KDSCOPE_HD std::uint32_t pairs() const { return layout.blocks() * (layout.chunks.level > 0 ? 2 : 1); }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
    auto* counters = block.template shared<std::uint32_t>(static_cast<int>(layout.base * lanes));
    block.lanes([&](int lane) {
      const std::uint32_t pair = block.index() * lanes + static_cast<std::uint32_t>(lane);
      if (pair < pairs()) distribute(pair, {counters, lanes, static_cast<std::uint32_t>(lane)});
    });
  }

 private:
  KDSCOPE_HD void distribute(std::uint32_t pair, LaneCounters ends) const {
    const bool second = pair >= layout.blocks();
    const std::uint32_t block = second ? pair - layout.blocks() : pair, n = layout.chunks.n;
    const std::uint32_t block_begin = block * layout.tpb,
                        block_end = n - block_begin < layout.tpb ? n : block_begin + layout.tpb;
    const std::uint32_t c = layout.chunks.chunk_at(block_begin) + (second ? 1 : 0);
    const std::uint32_t edge =
        layout.chunks.edge(c + (second ? 0 : 1));  // between the block's first chunk and its second
    if (!second && edge < block_end) keys_out[edge] = keys[edge], index_out[edge] = index[edge];
    const std::uint32_t begin = second ? edge + 1 : block_begin, end = second || edge > block_end ? block_end : edge;
    if (begin >= end) return;
    const HistogramColumn column(layout, block, c);
    for (std::uint32_t d = 0; d < layout.base; ++d) ends[d] = counts[column.at + d * column.stride] + c;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t out = --ends[digit.of(keys[i])];
      keys_out[out] = keys[i];
      index_out[out] = index[i];
    }
  }
};
// [endregion]
}  // namespace kdscope::wehr

template <>
struct kdscope::ReplacementOf<kdscope::wehr::Distribution> {
  using type = wehr::MyDistribution;
  static constexpr const char* stage = "distribution";
};
KDSCOPE_VARIANT_OF(wehr)
