#pragma once
// The box of all points, by which split=widest chooses its dimensions.

#include "algorithms/builders/rank/order.hpp"

namespace kdscope::rank {

// [region rank/domain]
/// Finds the box of each tile of points, or, given boxes, of all boxes by one block. to: [blocks x 2 k] keys, lower
/// ends first.
struct BoxOfTile {
  static constexpr int lanes = 256;
  static constexpr std::uint32_t tile = 16384;
  Records from;
  std::uint32_t n, k;
  const std::uint32_t* boxes;  ///< [n x 2 k] instead of points; may be null
  std::uint32_t* to;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
    // One block joins the boxes of all tiles; otherwise each block reads a tile of points
    const std::uint32_t begin = boxes ? 0 : block.index() * tile, end = boxes || n - begin < tile ? n : begin + tile;
    auto* box = block.template shared<std::uint32_t>(static_cast<int>(2 * k));
    // Start with an empty box, which the barrier makes visible
    block.lanes([&](int lane) {
      for (std::uint32_t d = static_cast<std::uint32_t>(lane); d < k; d += width) box[d] = no_id, box[k + d] = 0;
    });
    // Each lane reduces what it reads in registers. lower() and raise() combine the lanes of a warp before they change
    // the shared box, so all lanes call them, also those that read nothing.
    block.lanes([&](int lane) {
      for (std::uint32_t d = 0; d < k; ++d) {
        std::uint32_t lo = no_id, hi = 0;
        for (std::uint32_t i = begin + static_cast<std::uint32_t>(lane); i < end; i += width) {
          const std::uint32_t low = boxes ? boxes[std::size_t(i) * 2 * k + d] : from.key(i, d);
          const std::uint32_t high = boxes ? boxes[std::size_t(i) * 2 * k + k + d] : low;
          lo = low < lo ? low : lo, hi = high > hi ? high : hi;
        }
        block.lower(&box[d], lo);
        block.raise(&box[k + d], hi);
      }
    });
    // The barrier completes the box
    block.lanes([&](int lane) {
      for (std::uint32_t d = static_cast<std::uint32_t>(lane); d < 2 * k; d += width)
        to[std::size_t(block.index()) * 2 * k + d] = box[d];
    });
  }
};
// [endregion]

}  // namespace kdscope::rank
