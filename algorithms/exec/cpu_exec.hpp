#pragma once
// The CPU back end: Thrust on oneTBB (or OpenMP, or one thread). It has the same members as CudaExec; builders are
// templates over either.

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

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/numbering.hpp"
#include "algorithms/exec/probe.hpp"

namespace kdscope {

/// One block of lanes, emulated: an interval is a loop over the lanes, the end of the loop is the barrier.
class CpuBlock {
 public:
  CpuBlock(std::uint32_t index, int lane_count, std::span<std::byte> arena)
      : index_(index), lane_count_(lane_count), arena_(arena) {}
  std::uint32_t index() const { return index_; }
  int lane_count() const { return lane_count_; }

  /// One barrier interval: body(lane) for every lane, then a barrier.
  template <class Body>
  void lanes(Body&& body) {
    for (int lane = 0; lane < lane_count_; ++lane) body(lane);
  }
  /// `count` elements shared by the block's lanes, uninitialised. All of them together take at most the shared memory
  /// of the launch.
  template <class T>
  T* shared(int count) {
    return take<T>(count);
  }

  /// One T per lane that survives from interval to interval.
  template <class T>
  struct PerLane {
    T* values;
    T& operator[](int lane) { return values[lane]; }
  };
  template <class T>
  PerLane<T> per_lane() {
    return {take<T>(lane_count_)};
  }

  /// Adds to shared or global memory and returns the previous value.
  template <class T>
  T atomic_add(T* where, T value) {
    return std::atomic_ref<T>(*where).fetch_add(value, std::memory_order_relaxed);
  }

  /// Passes `count` values that exist only in this block to a probe. All lanes call it, between intervals.
  template <class T>
  void show(const BlockProbe<T>& probe, const T* values, int count) {
    if (T* to = probe.row(index_, count))
      for (int i = 0; i < count; ++i) to[i] = values[i];
  }
  void show(const NoProbe&, const void*, int) {}

 private:
  template <class T>
  T* take(int count) {
    used_ = (used_ + 15) / 16 * 16;
    T* at = reinterpret_cast<T*>(arena_.data() + used_);
    used_ += count * sizeof(T);
    if (used_ > arena_.size())
      throw ErrorException(
          {ErrorKind::bad_usage, "a block takes more shared memory than its launch asked for", "", ""});
    return at;
  }
  std::uint32_t index_;
  int lane_count_;
  std::span<std::byte> arena_;
  std::size_t used_ = 0;
};

/// One warp of 32 lanes, emulated. Ballots and shuffles return the same as on the device, for all lanes at once.
class CpuWarp {
 public:
  static constexpr int lane_count = 32;
  CpuWarp(std::uint32_t index, std::span<std::byte> arena) : index_(index), arena_(arena) {}
  std::uint32_t index() const { return index_; }

  /// Runs body(lane) for every lane; then all wait for one another. Lanes see what others wrote before.
  template <class Body>
  void lanes(Body&& body) {
    for (int lane = 0; lane < lane_count; ++lane) body(lane);
  }
  /// Bit i is wanted(lane i); all lanes get the same mask.
  template <class Wanted>
  std::uint32_t ballot(Wanted&& wanted) {
    std::uint32_t mask = 0;
    for (int lane = 0; lane < lane_count; ++lane) mask |= std::uint32_t(wanted(lane) ? 1 : 0) << lane;
    return mask;
  }
  /// One T per lane that survives from interval to interval.
  template <class T>
  struct PerLane {
    T values[lane_count];
    T& operator[](int lane) { return values[lane]; }
  };
  template <class T>
  PerLane<T> per_lane() {
    return {};
  }
  /// Gives each lane the value of lane from(lane), 0 to 31.
  template <class T, class From>
  PerLane<T> shuffle(PerLane<T>& values, From&& from) {
    PerLane<T> got;
    for (int lane = 0; lane < lane_count; ++lane) got.values[lane] = values.values[from(lane)];
    return got;
  }
  /// `count` elements shared by the warp's lanes, uninitialised. All of them together take at most the shared memory of
  /// the launch.
  template <class T>
  T* shared(int count) {
    used_ = (used_ + 15) / 16 * 16;
    T* at = reinterpret_cast<T*>(arena_.data() + used_);
    used_ += static_cast<std::size_t>(count) * sizeof(T);
    if (used_ > arena_.size())
      throw ErrorException({ErrorKind::bad_usage, "a warp takes more shared memory than its launch asked for", "", ""});
    return at;
  }

 private:
  std::uint32_t index_;
  std::span<std::byte> arena_;
  std::size_t used_ = 0;
};

class CpuExec {
 public:
  static constexpr bool sorts_in_one_buffer = true;
  static constexpr bool runs_on_host = true;
  static constexpr const char* backend_name = "cpu";
  using Event = std::chrono::steady_clock::time_point;

  explicit CpuExec(std::stop_token stop = {}) : stop_(std::move(stop)) {}
  CpuExec(const CpuExec&) = delete;
  CpuExec& operator=(const CpuExec&) = delete;

  MemoryLedger& memory() { return memory_; }
  /// From now on, fills all bytes of new arrays with `byte`. For recordings; costs one pass over each array.
  void mark_unwritten(std::uint8_t byte = unwritten_byte) { fill_ = byte; }

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    void* data = memory_.has_room(bytes) ? ::operator new (bytes, std::align_val_t{64}, std::nothrow) : nullptr;
    if (!data)
      throw ErrorException({ErrorKind::out_of_memory,
                            "host memory has no room for " + std::to_string(bytes) + " bytes of " + name, "",
                            "use fewer points or triangles, or close other programs"});
    memory_.took(bytes, allocation);
    if (fill_) std::memset(data, *fill_, bytes);
    return data;
  }
  void release(void* data, std::size_t bytes, Allocation allocation) noexcept {
    ::operator delete (data, std::align_val_t{64});
    memory_.gave(bytes, allocation);
  }
  template <class T>
  Array<T, CpuExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  template <class T>
  void upload(T* to, std::span<const T> from) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
  }
  /// Copies n elements within this memory; the ranges must not overlap.
  template <class T>
  void copy(T* to, const T* from, std::size_t n) {
    if (n > 0) std::memcpy(to, from, n * sizeof(T));
  }
  template <class T>
  void download(std::span<T> to, const T* from) {
    if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
  }

  /// Runs body(i) for i in [0, n), in any order.
  template <class Body>
  void for_each(const char*, std::uint32_t n, Body body) {
    check_stop();
    thrust::for_each(policy(), thrust::counting_iterator<std::uint32_t>(0), thrust::counting_iterator<std::uint32_t>(n),
                     body);
  }

  /// Runs body(block) for `blocks` blocks of `lanes` lanes with `shared_bytes` of shared memory each.
  template <class Body>
  void for_each_block(const char*, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    check_stop();
    const std::size_t arena_bytes = shared_bytes + static_cast<std::size_t>(lanes) * per_lane_budget;
    const auto run = [=](std::uint32_t index) {
      const auto arena = std::make_unique_for_overwrite<std::byte[]>(arena_bytes);
      CpuBlock block(index, lanes, {arena.get(), arena_bytes});
      body(block);
    };
    thrust::for_each(policy(), thrust::counting_iterator<std::uint32_t>(0),
                     thrust::counting_iterator<std::uint32_t>(blocks), run);
  }

  /// Runs body(warp) for `warps` warps of 32 lanes with `shared_bytes` of shared memory each.
  template <class Body>
  void for_each_warp(const char*, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    check_stop();
    const auto run = [=](std::uint32_t index) {
      const auto arena = std::make_unique_for_overwrite<std::byte[]>(shared_bytes);
      CpuWarp warp(index, {arena.get(), shared_bytes});
      body(warp);
    };
    thrust::for_each(policy(), thrust::counting_iterator<std::uint32_t>(0),
                     thrust::counting_iterator<std::uint32_t>(warps), run);
  }

  /// Sorts pairs by ascending key, stably; keys must be zero outside of bits [0, key_bits).
  template <class Key, class Value>
  void sort_pairs(const char*, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n, int key_bits) {
    check_stop();
    probe_scratch(n * (sizeof(Key) + sizeof(Value)));
    if (key_bits > 0) thrust::stable_sort_by_key(sort_policy(), keys.current, keys.current + n, values.current);
  }

  /// Sorts by a strict weak order; equal elements may end in any order.
  template <class T, class Less>
  void sort(const char*, T* data, std::uint32_t n, Less less) {
    check_stop();
    probe_scratch(n * sizeof(T));
    thrust::sort(sort_policy(), data, data + n, less);
  }

  /// Combines map(i) for i in [0, n); combine must be exact and commutative, so that the result does not depend on the
  /// order.
  template <class T, class Map, class Combine>
  T reduce(const char*, std::uint32_t n, Map map, Combine combine, T identity) {
    check_stop();
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), map);
    return thrust::reduce(policy(), first, first + n, identity, combine);
  }

  /// Computes the inclusive prefix sum of n elements in place, modulo 2^32 for 32-bit elements.
  template <class T>
  void inclusive_sum(const char*, T* data, std::uint32_t n) {
    check_stop();
    thrust::inclusive_scan(policy(), data, data + n, data);
  }

  /// Sets out[i] = map(0) + ... + map(i - 1) for i in [0, n), modulo 2^32 for 32-bit results.
  template <class T, class Map>
  void transform_exclusive_scan(const char*, std::uint32_t n, Map map, T* out) {
    check_stop();
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), map);
    thrust::exclusive_scan(policy(), first, first + n, out, T(0));
  }

  /// Calls before(i) for i < items, then computes the sums of map over [0, i) for i <= count, then calls after(i) for i
  /// < count; out: [count + 1]. Each phase ends before the next begins. For lists of nodes: decide, number, write.
  /// O(items + count). sum: on the host, of all elements; requesting it waits for the device.
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, std::uint32_t items, Before before, std::uint32_t count, Map map, T* out,
                       After after, T* sum = nullptr) {
    for_each(name, items, before);
    transform_exclusive_scan(name, count + 1, UpTo<T, Map>{map, count}, out);
    for_each(name, count, after);
    if (sum) *sum = out[count];
  }

  Event event() { return std::chrono::steady_clock::now(); }
  double elapsed_ms(const Event& from, const Event& to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  }
  void synchronize() {}
  // All executors work on the host's memory, one call after the other.
  void wait_for(const Event&) {}
  void share_memory_with(const CpuExec&) {}
  void open_range(const char*) {}
  void close_range() {}
  void check_stop() const {
    if (stop_.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
  }

 private:
  static constexpr std::size_t per_lane_budget = 256;  // bytes of per-lane storage per lane, as registers would hold

  /// Thrust's OpenMP sorts allocate inside a parallel region, where a failure cannot be caught. This allocation fails
  /// before the region instead.
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

  std::stop_token stop_;
  MemoryLedger memory_;
  std::optional<std::uint8_t> fill_;  // of new arrays
  CountingAllocator allocator_{this};
};

}  // namespace kdscope
