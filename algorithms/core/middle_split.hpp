#pragma once
// The split value of a node in the middle of its smallest box (Hu et al. 2015, §II).

#include <cstdint>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// Returns the middle of [lo, hi], both coordinate words, as the least coordinate that goes right. Floats are halved
/// before they are added, so that nothing overflows. Integers are rounded up, which separates them as the exact middle
/// does. The result is clamped into (lo, hi]: points at lo go left and points at hi go right, whatever the rounding.
/// Requires finite lo < hi.
KDSCOPE_HD inline std::uint32_t middle_of(std::uint32_t lo, std::uint32_t hi, ScalarType type) {
  const std::uint32_t lo_key = ordered_key(lo, type), hi_key = ordered_key(hi, type);
  if (type == ScalarType::int32) return word_of_ordered_key(hi_key - (hi_key - lo_key) / 2, type);
#if defined(__CUDA_ARCH__)
  const std::uint32_t middle =
      __float_as_uint(__fadd_rn(__fmul_rn(__uint_as_float(lo), 0.5f), __fmul_rn(__uint_as_float(hi), 0.5f)));
#else
  const std::uint32_t middle =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(lo) * 0.5f + std::bit_cast<float>(hi) * 0.5f);
#endif
  // Neighbouring floats have neighbouring keys.
  const std::uint32_t key = ordered_key(middle, type);
  return word_of_ordered_key(key <= lo_key ? lo_key + 1 : key > hi_key ? hi_key : key, type);
}

}  // namespace kdscope
