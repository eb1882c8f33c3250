#pragma once
// Sorts by a comparison that the caller supplies. They are templates of Thrust and CUB, which take long to compile, so
// only builders that sort by comparison include this header. SequentialExec has its own sort; a unit that runs on it
// alone defines KDSCOPE_SEQUENTIAL and compiles without Thrust.

#if defined(__CUDACC__)
#include <cub/device/device_merge_sort.cuh>

#include "algorithms/exec/cuda_exec.cuh"
#elif !defined(KDSCOPE_SEQUENTIAL)
#include <thrust/sort.h>

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/exec/thrust_policy.hpp"
#endif

namespace kdscope {

#if defined(__CUDACC__)

template <class T, class Less>
void CudaExec::sort(const char* name, T* data, std::uint32_t n, Less less) {
  begin();
  if (n == 0) return;
  const Launch launch(*this, name);
  with_scratch(name, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(scratch, bytes, data, n, less, stream_);
  });
}

#elif !defined(KDSCOPE_SEQUENTIAL)

template <class T, class Less>
void CpuExec::sort(const char*, T* data, std::uint32_t n, Less less) {
  begin(n);
  probe_scratch(*this, n * sizeof(T));
  CountingAllocator allocator{this};
  thrust::sort(thrust_policy(allocator), data, data + n, less);
}

#endif

}  // namespace kdscope
