#pragma once
// Counters in a back end's memory to which many threads add. Sums of integers do not depend on the order.

#include <cstdint>

#include "algorithms/core/atomic_ref.hpp"
#include "algorithms/core/platform.hpp"

namespace kdscope {

/// Adds to a counter while other threads do, modulo 2^32.
KDSCOPE_HD inline void add_to(std::uint32_t* counter, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(counter, value);
#else
  AtomicRef<std::uint32_t>(*counter).fetch_add(value, std::memory_order_relaxed);
#endif
}
/// The same modulo 2^64.
KDSCOPE_HD inline void add_to(std::uint64_t* counter, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(value));
#else
  AtomicRef<std::uint64_t>(*counter).fetch_add(value, std::memory_order_relaxed);
#endif
}

}  // namespace kdscope
