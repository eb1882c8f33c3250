#pragma once
// Where a node is split in the middle of its smallest box (Hu et al. 2015, §II).

#include <cstdint>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// The middle of [lo, hi] in float, halved before adding so that it cannot overflow, then clamped into (lo, hi]: points at lo
/// go left and points at hi go right of it, whatever rounding does. Requires lo < hi, finite. Coordinate words.
KDSCOPE_HD inline std::uint32_t middle_of(std::uint32_t lo, std::uint32_t hi) {
#if defined(__CUDA_ARCH__)
  const float middle = __fadd_rn(__fmul_rn(__uint_as_float(lo), 0.5f), __fmul_rn(__uint_as_float(hi), 0.5f));
  const std::uint32_t word = __float_as_uint(middle);
#else
  const std::uint32_t word = std::bit_cast<std::uint32_t>(std::bit_cast<float>(lo) * 0.5f + std::bit_cast<float>(hi) * 0.5f);
#endif
  const std::uint32_t key = ordered_key(word, ScalarType::float32);
  const std::uint32_t lo_key = ordered_key(lo, ScalarType::float32), hi_key = ordered_key(hi, ScalarType::float32);
  // The float after lo has the next key.
  return word_of_ordered_key(key <= lo_key ? lo_key + 1 : key > hi_key ? hi_key : key, ScalarType::float32);
}

}  // namespace kdscope
