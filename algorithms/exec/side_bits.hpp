#pragma once
// The sides of points as one bit each, in a back end's memory. Every list of the points looks its sides up by point, at
// random: those of 10^8 points take 12.5 MB and stay in a GPU's second-level cache, which a byte each would not.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/platform.hpp"

namespace kdscope {

struct SideBits {
  std::uint32_t* words = nullptr;  ///< [size(n)], all 0 at first

  /// Returns the number of words for n points.
  static constexpr std::size_t size(std::size_t n) { return (n + 31) / 32; }

  KDSCOPE_HD bool is_right(std::uint32_t point) const { return (words[point / 32] >> point % 32 & 1) != 0; }
  /// Sets a point's side. One thread may set each point while others set other points, and nobody reads theirs.
  KDSCOPE_HD void put(std::uint32_t point, bool right) const {
    std::uint32_t* const word = words + point / 32;
    const std::uint32_t bit = 1u << point % 32;
#if defined(__CUDA_ARCH__)
    if (((*static_cast<volatile std::uint32_t*>(word) & bit) != 0) != right) atomicXor(word, bit);
#else
    const std::atomic_ref<std::uint32_t> there(*word);
    if (((there.load(std::memory_order_relaxed) & bit) != 0) != right) there.fetch_xor(bit, std::memory_order_relaxed);
#endif
  }
};

/// Sets words of bits to 0.
struct ClearSides {
  std::uint32_t* words;
  KDSCOPE_HD void operator()(std::uint32_t i) const { words[i] = 0; }
};

/// Returns one value per point: 1 for right.
inline std::vector<std::uint8_t> sides_of_points(std::span<const std::uint32_t> words, std::size_t n) {
  std::vector<std::uint8_t> right(n);
  for (std::size_t point = 0; point < n; ++point) right[point] = words[point / 32] >> point % 32 & 1;
  return right;
}

}  // namespace kdscope
