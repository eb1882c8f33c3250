#pragma once
// Chooses Thrust's policy on the CPU: oneTBB, OpenMP or one thread. Only units that call Thrust's templates include it.

#if defined(KDSCOPE_CPU_TBB)
#include <thrust/system/tbb/execution_policy.h>
#elif defined(KDSCOPE_CPU_OMP)
#include <thrust/system/omp/execution_policy.h>
#else
#include <thrust/system/cpp/execution_policy.h>
#endif

#include "algorithms/exec/host_exec.hpp"

namespace kdscope {

#if defined(KDSCOPE_CPU_TBB)
inline constexpr auto& thrust_policy = thrust::tbb::par;
#elif defined(KDSCOPE_CPU_OMP)
inline constexpr auto& thrust_policy = thrust::omp::par;
#else
inline constexpr auto& thrust_policy = thrust::cpp::par;
#endif

/// Counts the bytes that Thrust allocates inside a sort.
struct CountingAllocator {
  using value_type = std::byte;
  HostExec* exec;
  std::byte* allocate(std::size_t n) {
    return static_cast<std::byte*>(exec->allocate("sorting", n, Allocation::scratch));
  }
  void deallocate(std::byte* data, std::size_t n) { exec->release(data, n, Allocation::scratch); }
};

/// Tests whether a sort's scratch memory is available. Thrust's OpenMP sorts allocate inside a parallel region, where a
/// failure cannot be caught. This allocation fails before the region instead.
inline void probe_scratch([[maybe_unused]] HostExec& exec, [[maybe_unused]] std::size_t bytes) {
#if defined(KDSCOPE_CPU_OMP)
  if (bytes > 0) exec.release(exec.allocate("sorting", bytes, Allocation::scratch), bytes, Allocation::scratch);
#endif
}

}  // namespace kdscope
