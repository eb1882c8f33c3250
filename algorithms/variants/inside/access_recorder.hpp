#pragma once
// Records the accesses of launches in the program of a builder or variant. The executor (inside_exec.hpp)
// announces arrays, launches, groups and intervals; the compiler's hooks (access_receivers.hpp) announce accesses. One
// thread at a time.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/variants/inside/launch_recording.hpp"

namespace kdscope::access_log {

template <class T>
constexpr ValueType value_type_of() {
  if constexpr (std::is_floating_point_v<T>) return ValueType::real;
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? ValueType::signed_whole : ValueType::whole;
  return ValueType::other;
}

/// Known arrays of the program. From the beginning of the run on, writes to them are noted, so that a read of an
/// element that nobody wrote is found.
void watch_array(const void* data, WatchedArray array);
void forget_array(const void* data);
/// Watches a shared array that a group takes, whose elements nobody has written. bank_offset: the end of the group's
/// last one in the memory of the block. Returns the end of this one.
std::uint32_t watch_shared(const void* data, std::uint32_t element_bytes, std::uint32_t alignment, std::size_t elements,
                           ValueType type, std::uint32_t bank_offset);
template <class T>
std::uint32_t watch_shared(const T* data, std::size_t elements, std::uint32_t bank_offset) {
  return watch_shared(data, sizeof(T), alignof(T), elements, value_type_of<T>(), bank_offset);
}
/// Leaves the registers of lanes out.
void watch_registers(const void* data, std::size_t bytes);

/// Records the launches of a step, which begins, and of those after it: what `wanted` names.
void record_step(const Wanted& wanted, const std::string& step);
/// Ends the recording, if one was started. Returns whether all of it could be written. What was recorded is in its file
/// (recording_file.hpp) whether or not the program comes here.
bool finish_recording();

/// Announce a launch and its end.
class LaunchScope {
 public:
  LaunchScope(const char* name, LaunchKind kind, std::uint32_t groups, std::uint32_t lanes);
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
};
void begin_group(std::uint32_t index);

/// Accesses within are those of the executor, and are not recorded.
class HiddenScope {
 public:
  explicit HiddenScope(bool hides = true);
  ~HiddenScope();
  HiddenScope(const HiddenScope&) = delete;
  HiddenScope& operator=(const HiddenScope&) = delete;

 private:
  bool before_;
};

/// An interval, or another call that all lanes of a group make together.
class IntervalScope {
 public:
  explicit IntervalScope(const char* call, bool hides = false);
  ~IntervalScope();
  IntervalScope(const IntervalScope&) = delete;
  IntervalScope& operator=(const IntervalScope&) = delete;
  std::vector<std::uint64_t> values = {};
  std::vector<std::uint32_t> sources = {};
  ValueType type = ValueType::whole;
  std::uint32_t bytes = 4;

 private:
  const char* call_;
  std::uint32_t site_;
  HiddenScope hidden_;
};

/// An atomic operation: its accesses count as one.
class AtomicScope {
 public:
  AtomicScope(const void* at, std::size_t bytes);
  ~AtomicScope();
  AtomicScope(const AtomicScope&) = delete;
  AtomicScope& operator=(const AtomicScope&) = delete;

 private:
  HiddenScope hidden_;
};

/// An access of the running lane. Called before it happens. code: the return address of the hook.
void note_access(const volatile void* at, std::size_t bytes, AccessKind kind, const void* code);
/// A function of the program begins or ends. code: where it was called.
void enter_function(const void* code);
void leave_function();

}  // namespace kdscope::access_log
