#pragma once
// Counts the bytes that a variant's code reads and writes in arrays. Only programs that are compiled with
// -fsanitize=thread include this header: the compiler then reports every access to memory by a call, whose receiver
// stands here in place of the sanitizer's library. One thread at a time.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "algorithms/exec/memory.hpp"

// The receivers must not report their own accesses.
#if defined(__clang__)
#define KDSCOPE_UNCOUNTED __attribute__((disable_sanitizer_instrumentation))
#else
#define KDSCOPE_UNCOUNTED __attribute__((no_sanitize("thread")))
#endif

namespace kdscope {

/// All arrays lie in one range of addresses, so that one comparison decides whether an access counts.
struct CountedMemory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;  ///< 0 while nothing is counted
  std::size_t reserved = 0, used = 0;
  Traffic traffic;
};
inline constinit CountedMemory counted_memory;

KDSCOPE_UNCOUNTED inline void count_read(const volatile void* at, std::size_t bytes) {
  CountedMemory& memory = counted_memory;
  if (reinterpret_cast<std::uintptr_t>(at) - memory.begin < memory.bytes) memory.traffic.read += bytes;
}
KDSCOPE_UNCOUNTED inline void count_write(const volatile void* at, std::size_t bytes) {
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

}  // namespace kdscope

// The receivers, by the names and types that compilers expect. An atomic operation that changes memory counts as a read
// and a write; it need not be atomic, as there is one thread.
extern "C" {
KDSCOPE_UNCOUNTED void __tsan_init() {}
KDSCOPE_UNCOUNTED void __tsan_func_entry(void*) {}
KDSCOPE_UNCOUNTED void __tsan_func_exit() {}
KDSCOPE_UNCOUNTED void __tsan_vptr_update(void*, void*) {}
KDSCOPE_UNCOUNTED void __tsan_vptr_read(void*) {}
KDSCOPE_UNCOUNTED void __tsan_read_range(void* at, std::size_t bytes) { kdscope::count_read(at, bytes); }
KDSCOPE_UNCOUNTED void __tsan_write_range(void* at, std::size_t bytes) { kdscope::count_write(at, bytes); }
KDSCOPE_UNCOUNTED void __tsan_atomic_thread_fence(int) {}
KDSCOPE_UNCOUNTED void __tsan_atomic_signal_fence(int) {}

#define KDSCOPE_COUNT_ACCESSES(bytes)                                                                 \
  KDSCOPE_UNCOUNTED void __tsan_read##bytes(void* at) { kdscope::count_read(at, bytes); }             \
  KDSCOPE_UNCOUNTED void __tsan_write##bytes(void* at) { kdscope::count_write(at, bytes); }           \
  KDSCOPE_UNCOUNTED void __tsan_unaligned_read##bytes(void* at) { kdscope::count_read(at, bytes); }   \
  KDSCOPE_UNCOUNTED void __tsan_unaligned_write##bytes(void* at) { kdscope::count_write(at, bytes); } \
  KDSCOPE_UNCOUNTED void __tsan_volatile_read##bytes(void* at) { kdscope::count_read(at, bytes); }    \
  KDSCOPE_UNCOUNTED void __tsan_volatile_write##bytes(void* at) { kdscope::count_write(at, bytes); }
KDSCOPE_COUNT_ACCESSES(1)
KDSCOPE_COUNT_ACCESSES(2)
KDSCOPE_COUNT_ACCESSES(4)
KDSCOPE_COUNT_ACCESSES(8)
KDSCOPE_COUNT_ACCESSES(16)
#undef KDSCOPE_COUNT_ACCESSES

#define KDSCOPE_COUNT_CHANGE(bits, change, result)                                                                   \
  KDSCOPE_UNCOUNTED std::uint##bits##_t __tsan_atomic##bits##_##change(volatile void* at, std::uint##bits##_t value, \
                                                                       int) {                                        \
    kdscope::count_read(at, bits / 8);                                                                               \
    kdscope::count_write(at, bits / 8);                                                                              \
    auto* const place = static_cast<volatile std::uint##bits##_t*>(at);                                              \
    const std::uint##bits##_t was = *place;                                                                          \
    *place = static_cast<std::uint##bits##_t>(result);                                                               \
    return was;                                                                                                      \
  }
#define KDSCOPE_COUNT_COMPARISON(bits, strength)                                                                  \
  KDSCOPE_UNCOUNTED bool __tsan_atomic##bits##_compare_exchange_##strength(volatile void* at, void* expected,     \
                                                                           std::uint##bits##_t value, int, int) { \
    kdscope::count_read(at, bits / 8);                                                                            \
    auto* const place = static_cast<volatile std::uint##bits##_t*>(at);                                           \
    auto* const wanted = static_cast<std::uint##bits##_t*>(expected);                                             \
    const std::uint##bits##_t was = *place;                                                                       \
    const bool equal = was == *wanted;                                                                            \
    if (equal) kdscope::count_write(at, bits / 8);                                                                \
    if (equal) *place = value;                                                                                    \
    *wanted = was;                                                                                                \
    return equal;                                                                                                 \
  }
#define KDSCOPE_COUNT_ATOMICS(bits)                                                                       \
  KDSCOPE_UNCOUNTED std::uint##bits##_t __tsan_atomic##bits##_load(const volatile void* at, int) {        \
    kdscope::count_read(at, bits / 8);                                                                    \
    return *static_cast<const volatile std::uint##bits##_t*>(at);                                         \
  }                                                                                                       \
  KDSCOPE_UNCOUNTED void __tsan_atomic##bits##_store(volatile void* at, std::uint##bits##_t value, int) { \
    kdscope::count_write(at, bits / 8);                                                                   \
    *static_cast<volatile std::uint##bits##_t*>(at) = value;                                              \
  }                                                                                                       \
  KDSCOPE_COUNT_CHANGE(bits, exchange, value)                                                             \
  KDSCOPE_COUNT_CHANGE(bits, fetch_add, was + value)                                                      \
  KDSCOPE_COUNT_CHANGE(bits, fetch_sub, was - value)                                                      \
  KDSCOPE_COUNT_CHANGE(bits, fetch_and, was& value)                                                       \
  KDSCOPE_COUNT_CHANGE(bits, fetch_or, was | value)                                                       \
  KDSCOPE_COUNT_CHANGE(bits, fetch_xor, was ^ value)                                                      \
  KDSCOPE_COUNT_CHANGE(bits, fetch_nand, ~(was & value))                                                  \
  KDSCOPE_COUNT_COMPARISON(bits, strong)                                                                  \
  KDSCOPE_COUNT_COMPARISON(bits, weak)
KDSCOPE_COUNT_ATOMICS(8)
KDSCOPE_COUNT_ATOMICS(16)
KDSCOPE_COUNT_ATOMICS(32)
KDSCOPE_COUNT_ATOMICS(64)
#undef KDSCOPE_COUNT_ATOMICS
#undef KDSCOPE_COUNT_COMPARISON
#undef KDSCOPE_COUNT_CHANGE
}
