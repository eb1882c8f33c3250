// Sorts and prefix sums of plain arrays by CUB, compiled once for all builders and searches.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "algorithms/core/ids.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope {

template <class Key, class Value>
void CudaExec::sort_pairs(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n,
                          int key_bits) {
  begin();
  if (n == 0 || key_bits == 0) return;
  const Launch launch(*this, name);
  cub::DoubleBuffer<Key> k(keys.current, keys.alternate);
  cub::DoubleBuffer<Value> v(values.current, values.alternate);
  with_scratch(name, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, n, 0, key_bits, stream_);
  });
  keys = {k.Current(), k.Alternate()};
  values = {v.Current(), v.Alternate()};
}

template <class T>
void CudaExec::inclusive_sum(const char* name, T* data, std::uint32_t n) {
  begin();
  if (n == 0) return;
  const Launch launch(*this, name);
  with_scratch_up_to<T>(name, n, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, data, data, n, stream_);
  });
}

template <class T>
void CudaExec::exclusive_sum(const char* name, T* data, std::uint32_t n) {
  begin();
  if (n == 0) return;
  const Launch launch(*this, name);
  with_scratch_up_to<const T>(name, n, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, data, data, n, stream_);
  });
}

template void CudaExec::sort_pairs(const char*, DoubleBuffer<std::uint32_t>&, DoubleBuffer<std::uint32_t>&,
                                   std::uint32_t, int);
template void CudaExec::sort_pairs(const char*, DoubleBuffer<std::uint32_t>&, DoubleBuffer<PointId>&, std::uint32_t,
                                   int);
template void CudaExec::sort_pairs(const char*, DoubleBuffer<std::uint64_t>&, DoubleBuffer<std::uint32_t>&,
                                   std::uint32_t, int);
template void CudaExec::sort_pairs(const char*, DoubleBuffer<std::uint64_t>&, DoubleBuffer<PointId>&, std::uint32_t,
                                   int);
template void CudaExec::inclusive_sum(const char*, std::uint32_t*, std::uint32_t);
template void CudaExec::inclusive_sum(const char*, std::uint64_t*, std::uint32_t);
template void CudaExec::exclusive_sum(const char*, std::uint32_t*, std::uint32_t);
template void CudaExec::exclusive_sum(const char*, std::uint64_t*, std::uint32_t);

}  // namespace kdscope
