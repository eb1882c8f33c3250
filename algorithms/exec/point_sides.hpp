#pragma once
// The sides of points in a back end's memory. Every list of the points looks its sides up by point, at random. A device
// has one bit per point: those of 10^8 points take 12.5 MB and stay in its second-level cache, which a byte each would
// not. A host has a byte per point, because its threads would wait for one another to change bits of the same word.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// One side per point, left or right.
struct PointSides {
  std::uint32_t* words = nullptr;  ///< [size(n)], all 0 at first

  /// Returns the number of words for n points.
  template <class Exec>
  static constexpr std::size_t size(std::size_t n) {
    return Exec::runs_on_host ? (n + 3) / 4 : (n + 31) / 32;
  }

  KDSCOPE_HD bool is_right(std::uint32_t point) const {
#if defined(__CUDA_ARCH__)
    return (words[point / 32] >> point % 32 & 1) != 0;
#else
    return reinterpret_cast<const std::uint8_t*>(words)[point] != 0;
#endif
  }
  /// Sets a point's side. One thread may set each point while others set other points, and nobody reads theirs.
  KDSCOPE_HD void put(std::uint32_t point, bool right) const {
#if defined(__CUDA_ARCH__)
    std::uint32_t* const word = words + point / 32;
    const std::uint32_t bit = 1u << point % 32;
    if (((*static_cast<volatile std::uint32_t*>(word) & bit) != 0) != right) atomicXor(word, bit);
#else
    reinterpret_cast<std::uint8_t*>(words)[point] = right ? 1 : 0;
#endif
  }
};

/// Sets words of sides to 0.
struct ClearSides {
  std::uint32_t* words;
  KDSCOPE_HD void operator()(std::uint32_t i) const { words[i] = 0; }
};

/// Returns one value per point, 1 for right, of downloaded words.
template <class Exec>
std::vector<std::uint8_t> sides_of_points(std::span<const std::uint32_t> words, std::size_t n) {
  std::vector<std::uint8_t> right(n);
  for (std::size_t point = 0; point < n; ++point)
    right[point] = Exec::runs_on_host ? reinterpret_cast<const std::uint8_t*>(words.data())[point]
                                      : words[point / 32] >> point % 32 & 1;
  return right;
}

}  // namespace kdscope
