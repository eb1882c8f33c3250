#pragma once
// Coordinates are 32-bit words, float or int32, distinguished at run time, so that one instantiation of a builder
// serves both types.

#include <bit>
#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

enum class ScalarType : std::uint8_t { float32, int32 };

/// Returns the lower-case name used in specifications and files: "float" or "int".
constexpr const char* name_of(ScalarType type) { return type == ScalarType::float32 ? "float" : "int"; }

/// Maps a coordinate word to an unsigned key with the same order. -0.0 and 0.0 share a key. NaN has no key; data sets
/// reject it. There is no branch, because kernels convert every coordinate that they read.
KDSCOPE_HD constexpr std::uint32_t ordered_key(std::uint32_t word, ScalarType type) {
  const bool is_float = type == ScalarType::float32;
  const std::uint32_t negative = is_float ? 0u - (word >> 31) : 0u, key = word ^ (negative | 0x80000000u);
  return is_float && word == 0x80000000u ? 0x80000000u : key;
}

/// Returns the coordinate word of a key: the inverse of ordered_key, up to the sign of zero.
KDSCOPE_HD constexpr std::uint32_t word_of_ordered_key(std::uint32_t key, ScalarType type) {
  if (type == ScalarType::int32) return key ^ 0x80000000u;
  return (key & 0x80000000u) ? key ^ 0x80000000u : ~key;
}

/// Returns the coordinate as a double; exact for both types.
KDSCOPE_HD inline double scalar_value(std::uint32_t word, ScalarType type) {
  if (type == ScalarType::int32) return static_cast<double>(static_cast<std::int32_t>(word));
#if defined(__CUDA_ARCH__)
  return static_cast<double>(__uint_as_float(word));
#else
  return static_cast<double>(std::bit_cast<float>(word));
#endif
}

KDSCOPE_HD inline std::uint32_t word_of(float value) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(value);
#else
  return std::bit_cast<std::uint32_t>(value);
#endif
}
KDSCOPE_HD inline float float_of(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(word);
#else
  return std::bit_cast<float>(word);
#endif
}
inline std::uint32_t word_of(std::int32_t value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace kdscope
