#pragma once
// Probes, which make data visible to a recorded run that exist only inside a kernel (block-local histograms, ballots,
// masks). A kernel takes the probe as a member and passes values to it by block.show(probe, values, count). At full
// speed the member is a NoProbe, and the call compiles to nothing.

#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

struct NoProbe {};

/// Collects one row of values from each of the blocks [first, first + blocks).
template <class T>
struct BlockProbe {
  T* rows = nullptr;  ///< [blocks * width] in the back end's memory
  std::uint32_t first = 0, blocks = 0;
  int width = 0;

  /// Returns the place of a block's row, or null for blocks outside the range. Requires count <= width.
  KDSCOPE_HD T* row(std::uint32_t block, int count) const {
    const bool asked = block >= first && block - first < blocks && count <= width;
    return asked ? rows + std::size_t(block - first) * static_cast<std::size_t>(width) : nullptr;
  }
};

}  // namespace kdscope
