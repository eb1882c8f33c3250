#pragma once
// The CPU back end: Thrust on oneTBB (or on OpenMP, or on one thread). It has the same members as CudaExec, and
// builders are templates over both. A launch is a loop over a range; parallel_ranges.cpp distributes the ranges.

#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "algorithms/exec/host_exec.hpp"
#include "algorithms/exec/numbering.hpp"
#include "algorithms/exec/parallel_ranges.hpp"

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
    run(n, body);
  }

  /// Runs body(block) for `blocks` blocks of `lanes` lanes with `shared_bytes` of shared memory each.
  template <class Body>
  void for_each_block(const char*, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    begin(blocks);
    run(blocks, block_runner(lanes, shared_bytes, body));
  }

  /// Runs body(warp) for `warps` warps of 32 lanes with `shared_bytes` of shared memory each.
  template <class Body>
  void for_each_warp(const char*, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    begin(warps);
    run(warps, warp_runner(shared_bytes, body));
  }

  /// Sorts pairs by ascending key. The sort is stable. Keys must be zero outside of bits [0, key_bits).
  template <class Key, class Value>
  void sort_pairs(const char*, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n, int key_bits) {
    begin(n);
    if (key_bits > 0) sort_pairs_on_threads(*this, keys.current, values.current, n);
  }

  /// Sorts by a strict weak order. Equal elements may end in any order. Defined in exec/comparison_sort.hpp.
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less);

  /// Combines map(i) for i in [0, n). combine must be exact and commutative, so that the result does not depend on the
  /// order.
  template <class T, class Map, class Combine>
  T reduce(const char*, std::uint32_t n, Map map, Combine combine, T identity) {
    begin(n);
    T result = identity;
    std::mutex joining;
    for_ranges(n, [&](std::uint32_t begin, std::uint32_t end) {
      T part = identity;
      for (std::uint32_t i = begin; i < end; ++i) part = combine(part, static_cast<T>(map(i)));
      const std::lock_guard lock(joining);
      result = combine(result, part);
    });
    return result;
  }

  /// Computes the inclusive prefix sum of n elements in place, modulo 2^32 for 32-bit elements.
  template <class T>
  void inclusive_sum(const char*, T* data, std::uint32_t n) {
    begin(n);
    inclusive_sum_on_threads(data, n);
  }

  /// Computes the exclusive prefix sum of n elements in place, modulo 2^32 for 32-bit elements.
  template <class T>
  void exclusive_sum(const char*, T* data, std::uint32_t n) {
    begin(n);
    exclusive_sum_on_threads(data, n);
  }

  /// Sets out[i] = map(0) + ... + map(i - 1) for i in [0, n), modulo 2^32 for 32-bit results. map(i) may read out[i].
  template <class T, class Map>
  void transform_exclusive_scan(const char*, std::uint32_t n, Map map, T* out) {
    begin(n);
    if constexpr (std::is_integral_v<T>) {
      for_ranges(n, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) out[i] = static_cast<T>(map(i));
      });
      exclusive_sum_on_threads(out, n);
    } else {  // Structs are summed serially, because lists of nodes are short.
      T sum(0);
      for (std::uint32_t i = 0; i < n; ++i) sum = sum + std::exchange(out[i] = static_cast<T>(map(i)), sum);
    }
  }

  /// Runs the phases of a compaction; each ends before the next begins. Work O(items + count).
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
    for_each(name, of.items, of.before);
    transform_exclusive_scan(name, of.count + 1, UpTo<T, Map>{of.map, of.count}, of.out);
    for_each(name, of.count, of.after);
    if (of.sum) *of.sum = of.out[of.count];
  }

 private:
  template <class Body>
  static void run(std::uint32_t n, const Body& body) {
    for_ranges(n, [&body](std::uint32_t begin, std::uint32_t end) {
      Body own = body;  // a local copy lets the compiler keep members in registers
      for (std::uint32_t i = begin; i < end; ++i) own(i);
    });
  }
};

}  // namespace kdscope
