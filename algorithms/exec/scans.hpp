#pragma once
// Reductions and scans over functors: the members of CudaExec that are templates of CUB. Builders, searches and
// applications that call them include this header. Those of the CPU back end are in cpu_exec.hpp.

#if defined(__CUDACC__)

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <tuple>
#include <utility>

#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope {
namespace cuda_kernels {

/// Adds two values. Defined here because CUB's own sum has moved between versions.
struct Sum {
  template <class T>
  KDSCOPE_HD T operator()(T a, T b) const {
    return a + b;
  }
};

/// Up to this many elements, one block is faster than the several launches of the general case.
inline constexpr std::uint32_t short_lanes = 512, short_items = 4, short_count = short_lanes * short_items;
/// Up to this many elements, that block also runs the phases before and after the sums. More elements are slow on one
/// multiprocessor (256 is the fastest of 256, 512 and 1024 on an H100).
inline constexpr std::uint32_t short_part = 256;

/// Runs all phases of CudaExec::compact_indices in one block, which sets n sums. of.sum: on the device.
template <class T, class Before, class Map, class After>
__global__ void __launch_bounds__(short_lanes)
    compact_indices(const __grid_constant__ Compaction<T, Before, Map, After> of, std::uint32_t n) {
  using Scan = cub::BlockScan<T, short_lanes>;
  __shared__ typename Scan::TempStorage storage;
  // Decide for each item. The barrier makes the decisions, in global memory, visible to the lanes that sum them.
  for (std::uint32_t i = threadIdx.x; i < of.items; i += short_lanes) of.before(i);
  __syncthreads();
  // Number by sums: each lane takes consecutive elements in registers, and the block scans the lanes' sums
  T sums[short_items];
  const std::uint32_t begin = threadIdx.x * short_items;
  for (std::uint32_t i = 0; i < short_items; ++i) sums[i] = begin + i < n ? of.map(begin + i) : T(0);
  Scan(storage).ExclusiveScan(sums, sums, T(0), Sum{});
  for (std::uint32_t i = 0; i < short_items; ++i)
    if (begin + i < n) {
      of.out[begin + i] = sums[i];
      if (of.sum && begin + i == n - 1) *of.sum = sums[i];
    }
  // Write once all numbers are visible
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < of.count; i += short_lanes) of.after(i);
}

}  // namespace cuda_kernels

template <class T, class Map, class Combine>
T CudaExec::reduce(const char* name, std::uint32_t n, Map map, Combine combine, T identity) {
  begin();
  if (n == 0) return identity;
  const Launch launch(*this, name);
  Array<T, CudaExec> result = array<T>(name, 1, Allocation::scratch);
  const auto first = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), map);
  with_scratch_up_to<std::tuple<T, Map, Combine>>(name, n, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, first, result.data(), n, combine, identity, stream_);
  });
  T host;
  download(std::span<T>(&host, 1), result.data());
  return host;
}

template <class T, class Map>
void CudaExec::transform_exclusive_scan(const char* name, std::uint32_t n, Map map, T* out) {
  begin();
  if (n == 0) return;
  if (n <= cuda_kernels::short_count) return number_short(name, Compaction{0u, NoOp{}, 0u, map, out, NoOp{}}, n);
  const Launch launch(*this, name);
  const auto first = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), map);
  with_scratch_up_to<std::pair<T, Map>>(name, n, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(scratch, bytes, first, out, cuda_kernels::Sum{}, T(0), n, stream_);
  });
}

template <class T, class Before, class Map, class After>
void CudaExec::compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
  const std::uint32_t count = of.count;
  std::uint32_t items = of.items;
  const UpTo<T, Map> counted{of.map, count};
  const bool one_block = count + 1 <= cuda_kernels::short_count;
  const auto done_inside = [&](std::uint32_t n) { return one_block && n <= cuda_kernels::short_part; };
  begin();
  if (!done_inside(items)) for_each(name, std::exchange(items, 0), of.before);
  if (one_block) {
    number_short(name, Compaction{items, of.before, done_inside(count) ? count : 0, counted, of.out, of.after, of.sum},
                 count + 1);
  } else {
    transform_exclusive_scan(name, count + 1, counted, of.out);
    if (of.sum) download(std::span(of.sum, 1), of.out + count);
  }
  if (!done_inside(count)) for_each(name, count, of.after);
}

/// The kernel writes the sum directly to the host's memory, which saves a download.
template <class T, class Before, class Map, class After>
void CudaExec::number_short(const char* name, const Compaction<T, Before, Map, After>& of, std::uint32_t n) {
  static_assert(sizeof(T) <= staging_bytes);
  const Launch launch(*this, name);
  Compaction<T, Before, Map, After> there = of;
  if (of.sum) there.sum = reinterpret_cast<T*>(staging_);
  cuda_kernels::compact_indices<<<1, cuda_kernels::short_lanes, 0, stream_>>>(there, n);
  check_cuda(cudaGetLastError(), name);
  if (!of.sum) return;
  synchronize();
  std::memcpy(of.sum, staging_, sizeof(T));
}

}  // namespace kdscope

#endif
