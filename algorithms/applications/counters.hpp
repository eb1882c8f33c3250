#pragma once
// Counters and least values in a back end's memory that many threads change. Sums of integers and minima do not depend
// on the order.

#include <cstdint>
#include <type_traits>

#include "algorithms/core/atomic_ref.hpp"
#include "algorithms/core/platform.hpp"

namespace kdscope {

/// The type of CUDA's atomic operations on a T.
template <class T>
using AtomicWord = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

/// Adds to a counter of 32 or 64 bits while other threads do, modulo its range.
template <class T>
KDSCOPE_HD void add_to(T* counter, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<AtomicWord<T>*>(counter), static_cast<AtomicWord<T>>(value));
#else
  AtomicRef<T>(*counter).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Lowers a value while other threads do.
template <class T>
KDSCOPE_HD void lower_to(T* least, T value) {
#if defined(__CUDA_ARCH__)
  // Most values do not lower it, and reading is cheaper than an atomic operation
  if (value < *static_cast<volatile T*>(least))
    atomicMin(reinterpret_cast<AtomicWord<T>*>(least), static_cast<AtomicWord<T>>(value));
#else
  const AtomicRef<T> there(*least);
  for (T found = there.load(std::memory_order_relaxed); value < found;)
    if (there.compare_exchange_weak(found, value)) return;
#endif
}

}  // namespace kdscope
