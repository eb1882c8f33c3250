#pragma once
// The executor of a variant that is recorded on the CPU. Lanes, warps, blocks and threads run in the order that the
// recording asks for (lane_order.hpp), shared memory is guarded, and everything runs on one thread.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/exec/probe.hpp"
#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/variants/lane_order.hpp"
#include "algorithms/variants/named_memory.hpp"

namespace kdscope {

/// One emulated block of lanes with the members of CpuBlock, whose documentation also holds here.
class OrderedBlock {
 public:
  OrderedBlock(std::uint32_t index, int lane_count, SharedArrays& arrays)
      : index_(index), lane_count_(lane_count), arrays_(arrays) {}
  std::uint32_t index() const { return index_; }
  int lane_count() const { return lane_count_; }

  template <class Body>
  void lanes(Body&& body, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("lanes()", where);
    arrays_.check_contents(where);
    run_interval(static_cast<std::uint32_t>(lane_count_), [&](std::uint32_t lane) { body(static_cast<int>(lane)); });
    arrays_.note_contents();
  }
  template <class T>
  T* shared(int count, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("shared()", where);
    return static_cast<T*>(
        arrays_.take(sizeof(T), static_cast<std::size_t>(count), where, false, sizes_of<T>().word_bytes));
  }
  template <class T>
  struct PerLane {
    T* values;
    T& operator[](LaneAt at) {
      check_own_register(at);
      return values[at.lane];
    }
  };
  template <class T>
  PerLane<T> per_lane(const std::source_location& where = std::source_location::current()) {
    check_between_intervals("per_lane()", where);
    return {static_cast<T*>(arrays_.take(sizeof(T), static_cast<std::size_t>(lane_count_), where, true))};
  }

  template <class T>
  T atomic_add(T* where, T value, const std::source_location& place = std::source_location::current()) {
    check_inside_interval("atomic_add()", place);
    note_atomic(where, sizeof(T));
    return std::exchange(*where, static_cast<T>(*where + value));
  }
  template <class T>
  void atomic_min(T* where, T value, const std::source_location& place = std::source_location::current()) {
    check_inside_interval("atomic_min()", place);
    note_atomic(where, sizeof(T));
    if (value < *where) *where = value;
  }
  template <class T>
  void atomic_max(T* where, T value, const std::source_location& place = std::source_location::current()) {
    check_inside_interval("atomic_max()", place);
    note_atomic(where, sizeof(T));
    if (*where < value) *where = value;
  }
  template <class T>
  void lower(T* where, T value, const std::source_location& place = std::source_location::current()) {
    atomic_min(where, value, place);
  }
  template <class T>
  void raise(T* where, T value, const std::source_location& place = std::source_location::current()) {
    atomic_max(where, value, place);
  }
  void exclusive_sum(std::uint32_t* values, int count,
                     const std::source_location& where = std::source_location::current()) {
    check_between_intervals("exclusive_sum()", where);
    arrays_.check_contents(where);
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exchange(values[i], sum);
    arrays_.note_contents();
  }
  template <class T>
  void show(const BlockProbe<T>& probe, const T* values, int count,
            const std::source_location& where = std::source_location::current()) {
    check_between_intervals("show()", where);
    if (T* to = probe.row(index_, count))
      for (int i = 0; i < count; ++i) to[i] = values[i];
  }
  void show(const NoProbe&, const void*, int) {}

 private:
  std::uint32_t index_;
  int lane_count_;
  SharedArrays& arrays_;
};

/// One emulated warp with the members of CpuWarp, whose documentation also holds here.
class OrderedWarp {
 public:
  static constexpr int lane_count = 32;
  OrderedWarp(std::uint32_t index, SharedArrays& arrays) : index_(index), arrays_(arrays) {}
  std::uint32_t index() const { return index_; }

  template <class Body>
  void lanes(Body&& body, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("lanes()", where);
    arrays_.check_contents(where);
    run_interval(lane_count, [&](std::uint32_t lane) { body(static_cast<int>(lane)); });
    arrays_.note_contents();
  }
  template <class Wanted>
  std::uint32_t ballot(Wanted&& wanted, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("ballot()", where);
    std::uint32_t mask = 0;
    run_interval(lane_count,
                 [&](std::uint32_t lane) { mask |= std::uint32_t(wanted(static_cast<int>(lane)) ? 1 : 0) << lane; });
    return mask;
  }
  template <class T>
  struct PerLane {
    T values[lane_count];
    T& operator[](LaneAt at) {
      check_own_register(at);
      return values[at.lane];
    }
  };
  template <class T>
  PerLane<T> per_lane() {
    return {};
  }
  template <class T, class From>
  PerLane<T> shuffle(PerLane<T>& values, From&& from,
                     const std::source_location& where = std::source_location::current()) {
    check_between_intervals("shuffle()", where);
    PerLane<T> got;
    run_interval(lane_count, [&](std::uint32_t lane) {
      const int source = static_cast<int>(from(static_cast<int>(lane)));
      if (source < 0 || source >= lane_count)
        report_misuse("shuffles from lane " + std::to_string(source) + ", but a warp has lanes 0 to 31", where);
      got.values[lane] = values.values[source];
    });
    return got;
  }
  std::uint32_t smallest(PerLane<std::uint32_t>& values,
                         const std::source_location& where = std::source_location::current()) {
    check_between_intervals("smallest()", where);
    return *std::min_element(values.values, values.values + lane_count);
  }
  std::uint32_t largest(PerLane<std::uint32_t>& values,
                        const std::source_location& where = std::source_location::current()) {
    check_between_intervals("largest()", where);
    return *std::max_element(values.values, values.values + lane_count);
  }
  template <class T>
  T* shared(int count, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("shared()", where);
    return static_cast<T*>(
        arrays_.take(sizeof(T), static_cast<std::size_t>(count), where, false, sizes_of<T>().word_bytes));
  }

 private:
  std::uint32_t index_;
  SharedArrays& arrays_;
};

/// Compacts indices by the launches of an executor.
template <class Exec, class T, class Before, class Map, class After>
void compact_by(Exec& exec, const char* name, const Compaction<T, Before, Map, After>& of) {
  exec.for_each(name, of.items, of.before);
  exec.transform_exclusive_scan(name, of.count + 1, UpTo<T, Map>{of.map, of.count}, of.out);
  exec.for_each(name, of.count, of.after);
  if (of.sum) *of.sum = of.out[of.count];
}

/// An executor with the members of CpuExec, whose documentation also holds here. Block and Warp may be derived classes.
class OrderedExec : public SequentialExec {
 public:
  using SequentialExec::SequentialExec;

  template <class T>
  Array<T, OrderedExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  template <class Body>
  void for_each(const char*, std::uint32_t n, Body body) {
    begin(n);
    run_interval(n, [&](std::uint32_t i) { body(i); });
  }

  template <class Block = OrderedBlock, class Body>
  void for_each_block(const char*, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    begin(blocks);
    SharedArrays arrays("block", shared_bytes);
    run_groups(blocks, [&](std::uint32_t index) {
      arrays.begin_group(index);
      Block block(index, lanes, arrays);
      body(block);
    });
  }

  template <class Warp = OrderedWarp, class Body>
  void for_each_warp(const char*, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    begin(warps);
    SharedArrays arrays("warp", shared_bytes);
    run_groups(warps, [&](std::uint32_t index) {
      arrays.begin_group(index);
      Warp warp(index, arrays);
      body(warp);
    });
  }

  /// Equal elements end in the order that lanes have, because a device's sort may leave them in any.
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less) {
    if (lane_order().kind == LaneOrder::Kind::descending || lane_order().kind == LaneOrder::Kind::shuffled) {
      const std::vector<T> before(data, data + n);
      T* to = data;
      run_in_order(n, [&](std::uint32_t i) { *to++ = before[i]; });
    }
    SequentialExec::sort(name, data, n, less);
  }

  template <class T, class Map, class Combine>
  T reduce(const char*, std::uint32_t n, Map map, Combine combine, T identity) {
    begin(n);
    T result = identity;
    run_in_order(n, [&](std::uint32_t i) { result = combine(result, static_cast<T>(map(i))); });
    return result;
  }

  template <class T, class Map>
  void transform_exclusive_scan(const char*, std::uint32_t n, Map map, T* out) {
    begin(n);
    run_interval(n, [&](std::uint32_t i) { out[i] = static_cast<T>(map(i)); });
    T sum(0);
    for (std::uint32_t i = 0; i < n; ++i) sum = sum + std::exchange(out[i], sum);
  }

  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
    compact_by(*this, name, of);
  }
};

}  // namespace kdscope
