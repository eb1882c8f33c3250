#pragma once
// The CPU back end: Thrust on oneTBB (or on OpenMP, or on one thread). It has the same members as CudaExec, and
// builders are templates over both.

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#if defined(KDSCOPE_CPU_TBB)
#include <thrust/system/tbb/execution_policy.h>
#elif defined(KDSCOPE_CPU_OMP)
#include <thrust/system/omp/execution_policy.h>
#else
#include <thrust/system/cpp/execution_policy.h>
#endif

#include <cstdint>

#include "algorithms/exec/host_exec.hpp"
#include "algorithms/exec/numbering.hpp"

namespace kdscope {

class CpuExec : public HostExec {
 public:
  using HostExec::HostExec;

  template <class T>
  Array<T, CpuExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  /// Runs body(i) for i in [0, n), in any order.
  template <class Body>
  void for_each(const char*, std::uint32_t n, Body body) {
    begin(n);
    thrust::for_each(policy(), thrust::counting_iterator<std::uint32_t>(0), thrust::counting_iterator<std::uint32_t>(n),
                     body);
  }

  /// Runs body(block) for `blocks` blocks of `lanes` lanes with `shared_bytes` of shared memory each.
  template <class Body>
  void for_each_block(const char*, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    begin(blocks);
    thrust::for_each(policy(), thrust::counting_iterator<std::uint32_t>(0),
                     thrust::counting_iterator<std::uint32_t>(blocks), block_runner(lanes, shared_bytes, body));
  }

  /// Runs body(warp) for `warps` warps of 32 lanes with `shared_bytes` of shared memory each.
  template <class Body>
  void for_each_warp(const char*, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    begin(warps);
    thrust::for_each(policy(), thrust::counting_iterator<std::uint32_t>(0),
                     thrust::counting_iterator<std::uint32_t>(warps), warp_runner(shared_bytes, body));
  }

  /// Sorts pairs by ascending key. The sort is stable. Keys must be zero outside of bits [0, key_bits).
  template <class Key, class Value>
  void sort_pairs(const char*, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n, int key_bits) {
    begin(n);
    probe_scratch(n * (sizeof(Key) + sizeof(Value)));
    if (key_bits > 0) thrust::stable_sort_by_key(sort_policy(), keys.current, keys.current + n, values.current);
  }

  /// Sorts by a strict weak order. Equal elements may end in any order.
  template <class T, class Less>
  void sort(const char*, T* data, std::uint32_t n, Less less) {
    begin(n);
    probe_scratch(n * sizeof(T));
    thrust::sort(sort_policy(), data, data + n, less);
  }

  /// Combines map(i) for i in [0, n). combine must be exact and commutative, so that the result does not depend on the
  /// order.
  template <class T, class Map, class Combine>
  T reduce(const char*, std::uint32_t n, Map map, Combine combine, T identity) {
    begin(n);
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), map);
    return thrust::reduce(policy(), first, first + n, identity, combine);
  }

  /// Computes the inclusive prefix sum of n elements in place, modulo 2^32 for 32-bit elements.
  template <class T>
  void inclusive_sum(const char*, T* data, std::uint32_t n) {
    begin(n);
    thrust::inclusive_scan(policy(), data, data + n, data);
  }

  /// Sets out[i] = map(0) + ... + map(i - 1) for i in [0, n), modulo 2^32 for 32-bit results.
  template <class T, class Map>
  void transform_exclusive_scan(const char*, std::uint32_t n, Map map, T* out) {
    begin(n);
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), map);
    thrust::exclusive_scan(policy(), first, first + n, out, T(0));
  }

  /// Calls before(i) for i < items; then sets out[i] to the sum of map over [0, i) for i <= count; then calls after(i)
  /// for i < count. Each phase ends before the next begins. For lists of nodes, the phases decide, number and write.
  /// out: [count + 1]. Work O(items + count). sum: receives the sum of all elements on the host, which waits for the
  /// device; may be null.
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, std::uint32_t items, Before before, std::uint32_t count, Map map, T* out,
                       After after, T* sum = nullptr) {
    for_each(name, items, before);
    transform_exclusive_scan(name, count + 1, UpTo<T, Map>{map, count}, out);
    for_each(name, count, after);
    if (sum) *sum = out[count];
  }

 private:
  /// Tests whether a sort's scratch memory is available. Thrust's OpenMP sorts allocate inside a parallel region, where
  /// a failure cannot be caught. This allocation fails before the region instead.
  void probe_scratch([[maybe_unused]] std::size_t bytes) {
#if defined(KDSCOPE_CPU_OMP)
    if (bytes > 0) release(allocate("sorting", bytes, Allocation::scratch), bytes, Allocation::scratch);
#endif
  }

  /// Counts the bytes that Thrust allocates inside a sort.
  struct CountingAllocator {
    using value_type = std::byte;
    CpuExec* exec;
    std::byte* allocate(std::size_t n) {
      return static_cast<std::byte*>(exec->allocate("sorting", n, Allocation::scratch));
    }
    void deallocate(std::byte* data, std::size_t n) { exec->release(data, n, Allocation::scratch); }
  };

#if defined(KDSCOPE_CPU_TBB)
  static auto policy() { return thrust::tbb::par; }
  auto sort_policy() { return thrust::tbb::par(allocator_); }
#elif defined(KDSCOPE_CPU_OMP)
  static auto policy() { return thrust::omp::par; }
  auto sort_policy() { return thrust::omp::par(allocator_); }
#else
  static auto policy() { return thrust::cpp::par; }
  auto sort_policy() { return thrust::cpp::par(allocator_); }
#endif

  CountingAllocator allocator_{this};
};

}  // namespace kdscope
