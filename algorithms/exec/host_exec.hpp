#pragma once
// The parts of the host's executors that do not depend on how they run in parallel: emulated blocks and warps, memory,
// copies, events and the stop token. They need only the standard library, so units that include only this header
// compile quickly.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "algorithms/core/atomic_ref.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/probe.hpp"

namespace kdscope {

/// One emulated block of lanes. An interval is a loop over the lanes, and the end of the loop is the barrier.
class CpuBlock {
 public:
  CpuBlock(std::uint32_t index, int lane_count, std::span<std::byte> arena)
      : index_(index), lane_count_(lane_count), arena_(arena) {}
  std::uint32_t index() const { return index_; }
  int lane_count() const { return lane_count_; }

  /// Runs one barrier interval: body(lane) for every lane, then a barrier.
  template <class Body>
  void lanes(Body&& body) {
    for (int lane = 0; lane < lane_count_; ++lane) body(lane);
  }
  /// Returns `count` uninitialised elements that the block's lanes share. All such arrays together take at most the
  /// shared memory of the launch.
  template <class T>
  T* shared(int count) {
    return take<T>(count);
  }

  /// Holds one T per lane that survives from interval to interval.
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
    return AtomicRef<T>(*where).fetch_add(value, std::memory_order_relaxed);
  }

  /// Lowers or raises a value in shared or global memory.
  template <class T>
  void atomic_min(T* where, T value) {
    for (T found = *where; value < found;)
      if (AtomicRef<T>(*where).compare_exchange_weak(found, value)) return;
  }
  template <class T>
  void atomic_max(T* where, T value) {
    for (T found = *where; found < value;)
      if (AtomicRef<T>(*where).compare_exchange_weak(found, value)) return;
  }
  /// Lowers or raises a value in shared memory, the same for all lanes. All lanes call it, inside an interval.
  template <class T>
  void lower(T* where, T value) {
    if (value < *where) *where = value;
  }
  template <class T>
  void raise(T* where, T value) {
    if (*where < value) *where = value;
  }

  /// Replaces `count` elements of shared memory by the sums of the elements before them. All lanes call it, between
  /// intervals.
  void exclusive_sum(std::uint32_t* values, int count) {
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exchange(values[i], sum);
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

/// One emulated warp of 32 lanes. Ballots and shuffles return the same values as on the device, for all lanes at once.
class CpuWarp {
 public:
  static constexpr int lane_count = 32;
  CpuWarp(std::uint32_t index, std::span<std::byte> arena) : index_(index), arena_(arena) {}
  std::uint32_t index() const { return index_; }

  /// Runs body(lane) for every lane; then all lanes wait for one another. Each lane sees what the others wrote before.
  template <class Body>
  void lanes(Body&& body) {
    for (int lane = 0; lane < lane_count; ++lane) body(lane);
  }
  /// Returns a mask whose bit i is wanted(lane i). All lanes get the same mask.
  template <class Wanted>
  std::uint32_t ballot(Wanted&& wanted) {
    std::uint32_t mask = 0;
    for (int lane = 0; lane < lane_count; ++lane) mask |= std::uint32_t(wanted(lane) ? 1 : 0) << lane;
    return mask;
  }
  /// Holds one T per lane that survives from interval to interval.
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
  /// Returns the smallest or the largest of the lanes' values.
  std::uint32_t smallest(PerLane<std::uint32_t>& values) {
    return *std::min_element(values.values, values.values + lane_count);
  }
  std::uint32_t largest(PerLane<std::uint32_t>& values) {
    return *std::max_element(values.values, values.values + lane_count);
  }
  /// Returns `count` uninitialised elements that the warp's lanes share. All such arrays together take at most the
  /// shared memory of the launch.
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

/// The base of the host's executors. A derived class adds array() and the launches.
class HostExec {
 public:
  static constexpr bool sorts_in_one_buffer = true;
  static constexpr bool runs_on_host = true;
  static constexpr const char* backend_name = "cpu";
  using Event = std::chrono::steady_clock::time_point;

  explicit HostExec(std::stop_token stop = {}) : stop_(std::move(stop)) {}
  HostExec(const HostExec&) = delete;
  HostExec& operator=(const HostExec&) = delete;

  MemoryLedger& memory() { return memory_; }
  /// Fills all bytes of arrays allocated from now on with `byte`. For recordings; costs one pass over each array.
  void mark_unwritten(std::uint8_t byte = unwritten_byte) { fill_ = byte; }

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    return taken(memory_.has_room(bytes) ? ::operator new (bytes, std::align_val_t{64}, std::nothrow) : nullptr, name,
                 bytes, allocation);
  }
  void release(void* data, std::size_t bytes, Allocation allocation) noexcept {
    ::operator delete (data, std::align_val_t{64});
    memory_.gave(bytes, allocation);
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

  Event event() { return std::chrono::steady_clock::now(); }
  double elapsed_ms(const Event& from, const Event& to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  }
  void synchronize() {}
  // All executors work on the host's memory, one call after another.
  void wait_for(const Event&) {}
  void share_memory_with(const HostExec&) {}
  void open_range(const char*) {}
  void close_range() {}
  void check_stop() const {
    if (stop_.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
  }
  /// Returns the number of launches so far: loops over bodies, sorts, scans and reductions.
  std::uint64_t launches() const { return launches_; }

 protected:
  /// Counts a launch over n elements, unless n is 0. Throws on a stop request.
  void begin(std::uint32_t n) {
    check_stop();
    launches_ += n > 0;
  }
  /// Counts new memory, marks it as unwritten if requested, and returns it. Throws if `data` is null.
  void* taken(void* data, const char* name, std::size_t bytes, Allocation allocation) {
    if (!data)
      throw ErrorException({ErrorKind::out_of_memory,
                            "host memory has no room for " + std::to_string(bytes) + " bytes of " + name, "",
                            "use fewer points or triangles, or close other programs"});
    memory_.took(bytes, allocation);
    if (fill_) std::memset(data, *fill_, bytes);
    return data;
  }
  /// Returns a function that runs body(block) for the block with a given index.
  template <class Body>
  static auto block_runner(int lanes, std::size_t shared_bytes, Body body) {
    const std::size_t arena_bytes = shared_bytes + static_cast<std::size_t>(lanes) * per_lane_budget;
    return [=](std::uint32_t index) {
      const auto arena = std::make_unique_for_overwrite<std::byte[]>(arena_bytes);
      CpuBlock block(index, lanes, {arena.get(), arena_bytes});
      body(block);
    };
  }
  /// Returns a function that runs body(warp) for the warp with a given index.
  template <class Body>
  static auto warp_runner(std::size_t shared_bytes, Body body) {
    return [=](std::uint32_t index) {
      const auto arena = std::make_unique_for_overwrite<std::byte[]>(shared_bytes);
      CpuWarp warp(index, {arena.get(), shared_bytes});
      body(warp);
    };
  }

 private:
  static constexpr std::size_t per_lane_budget = 256;  // bytes of per-lane storage, which a device keeps in registers

  std::stop_token stop_;
  MemoryLedger memory_;
  std::uint64_t launches_ = 0;
  std::optional<std::uint8_t> fill_;  // the byte that fills new arrays
};

}  // namespace kdscope
