#pragma once
// Counters and least values in a back end's memory that many threads change. Sums of integers and minima do not depend
// on the order.

#include <cstdint>
#include <type_traits>

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

/// Lowers a value while other threads do.
template <class T>
KDSCOPE_HD void lower_to(T* least, T value) {
#if defined(__CUDA_ARCH__)
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  static_assert(sizeof(Word) == sizeof(T));
  // Most values do not lower it, and reading is cheaper than an atomic operation
  if (value < *static_cast<volatile T*>(least)) atomicMin(reinterpret_cast<Word*>(least), static_cast<Word>(value));
#else
  const AtomicRef<T> there(*least);
  for (T found = there.load(std::memory_order_relaxed); value < found;)
    if (there.compare_exchange_weak(found, value)) return;
#endif
}

}  // namespace kdscope
