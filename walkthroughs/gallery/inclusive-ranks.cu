// A variant of zhou-sah with another mark_sides. Change it, then run kdscope-cli variant build inclusive-ranks.cu
#include "algorithms/builders/zhou-sah/zhou_sah.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::zhou {
// [region zhou/mark_sides]
/// Finds the children of each reference by its box, the reference's ranks in the chunk by a scan in shared memory, and
/// the chunk's counts. The references of a node that stays whole count as left.
struct MyMarkSides : MarkSides {
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t k = block.index(), size = chunks.size[k], node = plan.halved[chunks.owner[k]];
    const std::uint32_t dim = nodes.split_dim[node];
    const float value = nodes.split_value[node];
    // Pack both counts into a word: left in the low half, right in the high half, at most 1,024 each.
    std::uint32_t* sums = block.template shared<std::uint32_t>(static_cast<int>(chunks.chunk_size));
    std::uint32_t* other = block.template shared<std::uint32_t>(static_cast<int>(chunks.chunk_size));
    auto own = block.template per_lane<std::uint32_t>();
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      own[lane] = 0;
      if (j < size && dim == no_id)
        own[lane] = 1;
      else if (j < size) {
        const Box3& b = box[chunks.first[k] + j];
        own[lane] = (goes_left(b.lo[dim], value) ? 1u : 0u) | (goes_right(b.lo[dim], b.hi[dim], value) ? 1u << 16 : 0u);
      }
      sums[j] = own[lane];
    });
    for (std::uint32_t step = 1; step < chunks.chunk_size; step *= 2) {
      block.lanes([&](int lane) {
        const auto j = static_cast<std::uint32_t>(lane);
        other[j] = j >= step ? sums[j] + sums[j - step] : sums[j];
      });
      std::uint32_t* const swap = sums;
      sums = other, other = swap;
    }
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      const std::uint32_t before = sums[j];
      if (j < size)
        ranks[chunks.first[k] + j] = {
            static_cast<std::uint16_t>(before & 0xffffu), static_cast<std::uint16_t>(before >> 16),
            static_cast<std::uint8_t>(own[lane] & 1u), static_cast<std::uint8_t>(own[lane] >> 16)};
      if (j + 1 == chunks.chunk_size) counts[k] = {sums[j] & 0xffffu, sums[j] >> 16};
    });
  }
};
// [endregion]
}  // namespace kdscope::zhou

template <>
struct kdscope::ReplacementOf<kdscope::zhou::MarkSides> {
  using type = zhou::MyMarkSides;
  static constexpr const char* stage = "mark_sides";
};
KDSCOPE_VARIANT_OF(zhou_sah)
