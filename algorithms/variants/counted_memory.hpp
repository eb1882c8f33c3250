#pragma once
// Counts the bytes that a variant's code reads and writes in arrays. Only programs that are compiled with
// -fsanitize=thread include this header, which receives the reports (access_receivers.hpp). One thread at a time.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "algorithms/exec/memory.hpp"
#include "algorithms/variants/unreported.hpp"

namespace kdscope {

/// All arrays lie in one range of addresses, so that one comparison decides whether an access counts.
struct CountedMemory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;  ///< 0 while nothing is counted
  std::size_t reserved = 0, used = 0;
  Traffic traffic;
};
inline constinit CountedMemory counted_memory;

KDSCOPE_UNREPORTED inline void count_read(const volatile void* at, std::size_t bytes) {
  CountedMemory& memory = counted_memory;
  if (reinterpret_cast<std::uintptr_t>(at) - memory.begin < memory.bytes) memory.traffic.read += bytes;
}
KDSCOPE_UNREPORTED inline void count_write(const volatile void* at, std::size_t bytes) {
  CountedMemory& memory = counted_memory;
  if (reinterpret_cast<std::uintptr_t>(at) - memory.begin < memory.bytes) memory.traffic.written += bytes;
}

/// Counts nothing while it lives.
class UncountedScope {
 public:
  UncountedScope() : bytes_(std::exchange(counted_memory.bytes, 0)) {}
  ~UncountedScope() { counted_memory.bytes = bytes_; }
  UncountedScope(const UncountedScope&) = delete;
  UncountedScope& operator=(const UncountedScope&) = delete;

 private:
  std::size_t bytes_;
};

/// Returns memory within the counted range, or null if there is none. Addresses are used once; released pages go back
/// to the system.
inline void* allocate_counted(std::size_t bytes) {
  constexpr std::size_t range = std::size_t(1) << 40, page = 4096;
  CountedMemory& memory = counted_memory;
  if (memory.reserved == 0) {
    void* begin = ::mmap(nullptr, range, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) return nullptr;
    memory.begin = reinterpret_cast<std::uintptr_t>(begin), memory.bytes = memory.reserved = range;
  }
  const std::size_t whole = (std::max(bytes, std::size_t(1)) + page - 1) / page * page;
  if (whole > memory.reserved - memory.used) return nullptr;
  void* data = reinterpret_cast<void*>(memory.begin + memory.used);
  if (::mprotect(data, whole, PROT_READ | PROT_WRITE) != 0) return nullptr;
  memory.used += whole;
  return data;
}
inline void release_counted(void* data, std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;
  // Mapping anew returns the pages and forgets what was committed.
  ::mmap(data, (bytes + page - 1) / page * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
         0);
}

/// An executor on the host whose arrays are counted. It must be the outermost layer of an executor. A sort and a prefix
/// sum in place count as one read and one write of their arrays, because how often a library passes over them depends
/// on the back end. So does how often a sort by comparison compares: what its comparisons read is not counted, and the
/// launch is noted as one of which that is not known.
template <class Exec>
class WithCountedMemory : public Exec {
 public:
  using Exec::Exec;

  /// Returns the bytes that all executors of this program have counted.
  static Traffic traffic() { return counted_memory.traffic; }

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    return this->taken(this->memory().has_room(bytes) ? allocate_counted(bytes) : nullptr, name, bytes, allocation);
  }
  void release(void* data, std::size_t bytes, Allocation allocation) noexcept {
    release_counted(data, bytes);
    this->memory().gave(bytes, allocation);
  }
  template <class T>
  Array<T, WithCountedMemory> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  template <class T>
  void upload(T* to, std::span<const T> from) {
    count_write(to, from.size_bytes());
    const UncountedScope scope;
    Exec::upload(to, from);
  }
  template <class T>
  void copy(T* to, const T* from, std::size_t n) {
    count_read(from, n * sizeof(T));
    count_write(to, n * sizeof(T));
    const UncountedScope scope;
    Exec::copy(to, from, n);
  }
  template <class T>
  void download(std::span<T> to, const T* from) {
    count_read(from, to.size_bytes());
    const UncountedScope scope;
    Exec::download(to, from);
  }
  template <class Key, class Value>
  void sort_pairs(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n,
                  int key_bits) {
    count_in_place(keys.current, key_bits > 0 ? n : 0);
    count_in_place(values.current, key_bits > 0 ? n : 0);
    const UncountedScope scope;
    Exec::sort_pairs(name, keys, values, n, key_bits);
  }
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less) {
    count_in_place(data, n);
    ++counted_memory.traffic.uncounted;
    const UncountedScope scope;
    Exec::sort(name, data, n, less);
  }
  template <class T>
  void inclusive_sum(const char* name, T* data, std::uint32_t n) {
    count_in_place(data, n);
    const UncountedScope scope;
    Exec::inclusive_sum(name, data, n);
  }
  template <class T>
  void exclusive_sum(const char* name, T* data, std::uint32_t n) {
    count_in_place(data, n);
    const UncountedScope scope;
    Exec::exclusive_sum(name, data, n);
  }

 private:
  template <class T>
  static void count_in_place(const T* data, std::size_t n) {
    count_read(data, n * sizeof(T));
    count_write(data, n * sizeof(T));
  }
};

// What the receivers call. An atomic operation that changes memory counts as a read and a write.
KDSCOPE_UNREPORTED inline void receive_read(const volatile void* at, std::size_t bytes, const void*) {
  count_read(at, bytes);
}
KDSCOPE_UNREPORTED inline void receive_write(const volatile void* at, std::size_t bytes, const void*) {
  count_write(at, bytes);
}
KDSCOPE_UNREPORTED inline void receive_store(const volatile void* at, std::size_t bytes, const void*) {
  count_write(at, bytes);
}
KDSCOPE_UNREPORTED inline void receive_change(const volatile void* at, std::size_t bytes, const void*) {
  count_read(at, bytes);
  count_write(at, bytes);
}
KDSCOPE_UNREPORTED inline void receive_entry(const void*) {}
KDSCOPE_UNREPORTED inline void receive_exit() {}

}  // namespace kdscope

#include "algorithms/variants/access_receivers.hpp"
