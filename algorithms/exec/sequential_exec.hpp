#pragma once
// The CPU back end on one thread, with the standard library only: every launch is a plain loop. Its units compile in a
// third of the time of those with CpuExec, a debugger steps through it, and it gives the same results.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/exec/host_exec.hpp"
#include "algorithms/exec/numbering.hpp"

namespace kdscope {

/// An executor with the members of CpuExec, whose documentation also holds here. Bodies run in the order of their
/// indices.
class SequentialExec : public HostExec {
 public:
  using HostExec::HostExec;

  template <class T>
  Array<T, SequentialExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  template <class Body>
  void for_each(const char*, std::uint32_t n, Body body) {
    begin(n);
    for (std::uint32_t i = 0; i < n; ++i) body(i);
  }

  template <class Body>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    for_each(name, blocks, block_runner(lanes, shared_bytes, body));
  }

  template <class Body>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    for_each(name, warps, warp_runner(shared_bytes, body));
  }

  template <class Key, class Value>
  void sort_pairs(const char*, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n, int key_bits) {
    begin(n);
    if (key_bits == 0) return;
    std::vector<std::pair<Key, Value>> pairs(n);
    for (std::uint32_t i = 0; i < n; ++i) pairs[i] = {keys.current[i], values.current[i]};
    std::ranges::stable_sort(pairs, {}, &std::pair<Key, Value>::first);
    for (std::uint32_t i = 0; i < n; ++i) keys.current[i] = pairs[i].first, values.current[i] = pairs[i].second;
  }

  /// Sorts by merging. Unlike std::sort, this stays within its range even if a variant's `less` is not a strict weak
  /// order.
  template <class T, class Less>
  void sort(const char*, T* data, std::uint32_t n, Less less) {
    begin(n);
    std::stable_sort(data, data + n, less);
  }

  template <class T, class Map, class Combine>
  T reduce(const char*, std::uint32_t n, Map map, Combine combine, T identity) {
    begin(n);
    T result = identity;
    for (std::uint32_t i = 0; i < n; ++i) result = combine(result, static_cast<T>(map(i)));
    return result;
  }

  template <class T>
  void inclusive_sum(const char*, T* data, std::uint32_t n) {
    begin(n);
    for (std::uint32_t i = 1; i < n; ++i) data[i] += data[i - 1];
  }

  template <class T>
  void exclusive_sum(const char*, T* data, std::uint32_t n) {
    begin(n);
    T sum(0);
    for (std::uint32_t i = 0; i < n; ++i) sum += std::exchange(data[i], sum);
  }

  template <class T, class Map>
  void transform_exclusive_scan(const char*, std::uint32_t n, Map map, T* out) {
    begin(n);
    T sum(0);
    for (std::uint32_t i = 0; i < n; ++i) {
      const T value = static_cast<T>(map(i));  // `map` may read out[i]
      out[i] = sum;
      sum = sum + value;
    }
  }

  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
    for_each(name, of.items, of.before);
    transform_exclusive_scan(name, of.count + 1, UpTo<T, Map>{of.map, of.count}, of.out);
    for_each(name, of.count, of.after);
    if (of.sum) *of.sum = of.out[of.count];
  }
};

}  // namespace kdscope
