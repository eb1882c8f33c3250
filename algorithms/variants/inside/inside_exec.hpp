#pragma once
// The executor of a program that records the accesses of its lanes (access_recorder.hpp). It runs like OrderedExec, and
// announces arrays, launches, groups, intervals and what lanes do together. Only programs that are compiled with
// -fsanitize=thread include this header: the compiler announces the accesses.

#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>
#include <vector>

#include "algorithms/variants/inside/access_recorder.hpp"
#include "algorithms/variants/named_memory.hpp"
#include "algorithms/variants/ordered_exec.hpp"
#include "algorithms/variants/unreported.hpp"

namespace kdscope {

using access_log::AtomicScope, access_log::IntervalScope, access_log::LaunchKind, access_log::LaunchScope;

/// A block with the members of OrderedBlock, which announces them.
class InsideBlock : public OrderedBlock {
 public:
  InsideBlock(std::uint32_t index, int lane_count, SharedArrays& arrays) : OrderedBlock(index, lane_count, arrays) {
    access_log::begin_group(index);
  }
  template <class Body>
  void lanes(Body&& body, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("lanes()", where);
    const IntervalScope interval("lanes");
    OrderedBlock::lanes(body, where);
  }
  template <class T>
  T* shared(int count, const std::source_location& where = std::source_location::current()) {
    T* data = OrderedBlock::shared<T>(count, where);
    bank_offset_ = access_log::watch_shared(data, static_cast<std::size_t>(count), bank_offset_);
    return data;
  }
  template <class T>
  PerLane<T> per_lane(const std::source_location& where = std::source_location::current()) {
    const PerLane<T> registers = OrderedBlock::per_lane<T>(where);
    access_log::watch_registers(registers.values, sizeof(T) * static_cast<std::size_t>(lane_count()));
    return registers;
  }
  template <class T>
  T atomic_add(T* at, T value, const std::source_location& place = std::source_location::current()) {
    const AtomicScope atomic(at, sizeof(T));
    return OrderedBlock::atomic_add(at, value, place);
  }
  template <class T>
  void atomic_min(T* at, T value, const std::source_location& place = std::source_location::current()) {
    const AtomicScope atomic(at, sizeof(T));
    OrderedBlock::atomic_min(at, value, place);
  }
  template <class T>
  void atomic_max(T* at, T value, const std::source_location& place = std::source_location::current()) {
    const AtomicScope atomic(at, sizeof(T));
    OrderedBlock::atomic_max(at, value, place);
  }
  template <class T>
  void lower(T* at, T value, const std::source_location& place = std::source_location::current()) {
    atomic_min(at, value, place);
  }
  template <class T>
  void raise(T* at, T value, const std::source_location& place = std::source_location::current()) {
    atomic_max(at, value, place);
  }
  void exclusive_sum(std::uint32_t* values, int count,
                     const std::source_location& where = std::source_location::current()) {
    check_between_intervals("exclusive_sum()", where);
    IntervalScope interval("exclusive_sum", true);
    OrderedBlock::exclusive_sum(values, count, where);
    interval.values.assign(values, values + count);
  }
  template <class Probe, class T>
  void show(const Probe& probe, const T* values, int count,
            const std::source_location& where = std::source_location::current()) {
    if constexpr (!std::is_same_v<Probe, NoProbe>) {
      const access_log::HiddenScope hidden;
      OrderedBlock::show(probe, values, count, where);
    }
  }

 private:
  std::uint32_t bank_offset_ = 0;
};

/// A warp with the members of OrderedWarp, which announces them.
class InsideWarp : public OrderedWarp {
 public:
  InsideWarp(std::uint32_t index, SharedArrays& arrays) : OrderedWarp(index, arrays) { access_log::begin_group(index); }
  template <class Body>
  void lanes(Body&& body, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("lanes()", where);
    const IntervalScope interval("lanes");
    OrderedWarp::lanes(body, where);
  }
  template <class Wanted>
  std::uint32_t ballot(Wanted&& wanted, const std::source_location& where = std::source_location::current()) {
    check_between_intervals("ballot()", where);
    IntervalScope interval("ballot");
    const std::uint32_t mask = OrderedWarp::ballot(wanted, where);
    interval.values = {mask};
    return mask;
  }
  template <class T, class From>
  PerLane<T> shuffle(PerLane<T>& values, From&& from,
                     const std::source_location& where = std::source_location::current()) {
    check_between_intervals("shuffle()", where);
    IntervalScope interval("shuffle");
    std::vector<std::uint32_t>& sources = interval.sources;
    const PerLane<T> got = OrderedWarp::shuffle(
        values,
        [&](int lane) {
          sources.push_back(static_cast<std::uint32_t>(from(lane)));
          return static_cast<int>(sources.back());
        },
        where);
    interval.type = access_log::value_type_of<T>(), interval.bytes = sizeof(T);
    for (const T& value : got.values) interval.values.push_back(bits_of(value));
    return got;
  }
  std::uint32_t smallest(PerLane<std::uint32_t>& values,
                         const std::source_location& where = std::source_location::current()) {
    check_between_intervals("smallest()", where);
    IntervalScope interval("smallest");
    interval.values = {OrderedWarp::smallest(values, where)};
    return static_cast<std::uint32_t>(interval.values.front());
  }
  std::uint32_t largest(PerLane<std::uint32_t>& values,
                        const std::source_location& where = std::source_location::current()) {
    check_between_intervals("largest()", where);
    IntervalScope interval("largest");
    interval.values = {OrderedWarp::largest(values, where)};
    return static_cast<std::uint32_t>(interval.values.front());
  }
  template <class T>
  T* shared(int count, const std::source_location& where = std::source_location::current()) {
    T* data = OrderedWarp::shared<T>(count, where);
    bank_offset_ = access_log::watch_shared(data, static_cast<std::size_t>(count), bank_offset_);
    return data;
  }

 private:
  template <class T>
  static std::uint64_t bits_of(const T& value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits);
    return bits;
  }
  std::uint32_t bank_offset_ = 0;
};

/// An executor with the members of CpuExec, whose documentation also holds here.
class InsideExec : public OrderedExec {
 public:
  using OrderedExec::OrderedExec;

  template <class T>
  Array<T, InsideExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }
  template <class Body>
  void for_each(const char* name, std::uint32_t n, Body body) {
    const LaunchScope launch(name, LaunchKind::threads, 1, n);
    OrderedExec::for_each(name, n, body);
  }
  template <class Body>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    const LaunchScope launch(name, LaunchKind::blocks, blocks, static_cast<std::uint32_t>(lanes));
    OrderedExec::for_each_block<InsideBlock>(name, blocks, lanes, shared_bytes, body);
  }
  template <class Body>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    const LaunchScope launch(name, LaunchKind::warps, warps, OrderedWarp::lane_count);
    OrderedExec::for_each_warp<InsideWarp>(name, warps, shared_bytes, body);
  }
  template <class Key, class Value>
  void sort_pairs(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n,
                  int key_bits) {
    const LaunchScope launch(name, LaunchKind::library, 1, n);
    OrderedExec::sort_pairs(name, keys, values, n, key_bits);
  }
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less) {
    const LaunchScope launch(name, LaunchKind::library, 1, n);
    OrderedExec::sort(name, data, n, less);
  }
  template <class T>
  void inclusive_sum(const char* name, T* data, std::uint32_t n) {
    const LaunchScope launch(name, LaunchKind::library, 1, n);
    OrderedExec::inclusive_sum(name, data, n);
  }
  template <class T>
  void exclusive_sum(const char* name, T* data, std::uint32_t n) {
    const LaunchScope launch(name, LaunchKind::library, 1, n);
    OrderedExec::exclusive_sum(name, data, n);
  }
  /// Each element's `map` runs as a lane; how they are combined is the library's affair.
  template <class T, class Map, class Combine>
  T reduce(const char* name, std::uint32_t n, Map map, Combine combine, T identity) {
    const LaunchScope launch(name, LaunchKind::threads, 1, n);
    return OrderedExec::reduce<T>(
        name, n,
        [&](std::uint32_t i) {
          running_lane().lane = i;
          const T value = static_cast<T>(map(i));
          running_lane().lane = -1;
          return value;
        },
        combine, identity);
  }
  template <class T, class Map>
  void transform_exclusive_scan(const char* name, std::uint32_t n, Map map, T* out) {
    const LaunchScope launch(name, LaunchKind::threads, 1, n);
    OrderedExec::transform_exclusive_scan(name, n, map, out);
  }
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
    compact_by(*this, name, of);
  }
};

/// An executor on the host whose arrays are guarded, known by name, and watched. It must be the outermost layer of an
/// executor.
template <class Exec>
class WithWatchedMemory : public WithNamedMemory<Exec> {
  using Base = WithNamedMemory<Exec>;

 public:
  using Base::Base;

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    const std::uint64_t element_bytes = this->sizes_.bytes;
    void* data = Base::allocate(name, bytes, allocation);
    access_log::watch_array(data, {name, static_cast<std::uint32_t>(element_bytes), bytes / element_bytes, type_, false,
                                   0, false, 0, alignment_});
    return data;
  }
  void release(void* data, std::size_t bytes, Allocation allocation) noexcept {
    access_log::forget_array(data);
    Base::release(data, bytes, allocation);
  }
  template <class T>
  Array<T, WithWatchedMemory> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    this->sizes_ = sizes_of<T>();
    type_ = access_log::value_type_of<T>();
    alignment_ = alignof(T);
    return {*this, name, n, allocation};
  }

 private:
  // Of the array that is being allocated
  access_log::ValueType type_ = access_log::ValueType::other;
  std::uint32_t alignment_ = 0;
};

KDSCOPE_UNREPORTED inline void receive_read(const volatile void* at, std::size_t bytes, const void* code) {
  access_log::note_access(at, bytes, access_log::AccessKind::read, code);
}
KDSCOPE_UNREPORTED inline void receive_write(const volatile void* at, std::size_t bytes, const void* code) {
  access_log::note_access(at, bytes, access_log::AccessKind::write, code);
}
KDSCOPE_UNREPORTED inline void receive_store(const volatile void* at, std::size_t bytes, const void* code) {
  access_log::note_access(at, bytes, access_log::AccessKind::atomic, code);
}
KDSCOPE_UNREPORTED inline void receive_change(const volatile void* at, std::size_t bytes, const void* code) {
  access_log::note_access(at, bytes, access_log::AccessKind::atomic, code);
}
KDSCOPE_UNREPORTED inline void receive_entry(const void* caller) { access_log::enter_function(caller); }
KDSCOPE_UNREPORTED inline void receive_exit() { access_log::leave_function(); }

}  // namespace kdscope

#include "algorithms/variants/access_receivers.hpp"

// Calls of the C library move memory too (the linker's --wrap).
extern "C" {
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int byte, std::size_t bytes);
KDSCOPE_UNREPORTED void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) kdscope::receive_read(from, bytes, __builtin_return_address(0));
  if (bytes > 0) kdscope::receive_write(to, bytes, __builtin_return_address(0));
  return __real_memcpy(to, from, bytes);
}
KDSCOPE_UNREPORTED void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) kdscope::receive_read(from, bytes, __builtin_return_address(0));
  if (bytes > 0) kdscope::receive_write(to, bytes, __builtin_return_address(0));
  return __real_memmove(to, from, bytes);
}
KDSCOPE_UNREPORTED void* __wrap_memset(void* to, int byte, std::size_t bytes) {
  if (bytes > 0) kdscope::receive_write(to, bytes, __builtin_return_address(0));
  return __real_memset(to, byte, bytes);
}
}
