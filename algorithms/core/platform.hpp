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
KDSCOPE_HD inline int popcount(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return __popc(mask);
#else
  return std::popcount(mask);
#endif
}
KDSCOPE_HD inline int popcount(std::uint64_t mask) {
#if defined(__CUDA_ARCH__)
  return __popcll(mask);
#else
  return std::popcount(mask);
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
