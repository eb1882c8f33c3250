#pragma once
// Macros and functions that let the same source compile for the host (g++) and for a CUDA device (nvcc).

#include <bit>
#include <cstdint>

#if defined(__CUDACC__)
#define KDSCOPE_HD __host__ __device__
#else
#define KDSCOPE_HD
#endif

namespace kdscope {

/// Returns the number of ones in a mask, like CUDA's __popc.
KDSCOPE_HD inline int popcount(std::uint64_t mask) {
#if defined(__CUDA_ARCH__)
  return __popcll(mask);
#elif defined(__x86_64__) && !defined(__POPCNT__)
  // std::popcount would call a function of the compiler's library here, because the oldest x86-64 processors have no
  // instruction. These few additions count pairs, groups of four and bytes, and the product sums the bytes.
  mask -= mask >> 1 & 0x5555555555555555u;
  mask = (mask & 0x3333333333333333u) + (mask >> 2 & 0x3333333333333333u);
  return static_cast<int>(((mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
#else
  return std::popcount(mask);
#endif
}
KDSCOPE_HD inline int popcount(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return __popc(mask);
#else
  return popcount(std::uint64_t(mask));
#endif
}
/// Returns the index of the lowest one in a nonzero mask.
KDSCOPE_HD inline std::uint32_t lowest_one(std::uint64_t mask) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(mask)) - 1);
#else
  return static_cast<std::uint32_t>(std::countr_zero(mask));
#endif
}

}  // namespace kdscope
