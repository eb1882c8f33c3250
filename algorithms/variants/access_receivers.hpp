// With -fsanitize=thread, the compiler reports every access to memory by a call. The functions that it calls stand
// here, in place of the sanitizer's library, by the names and types that compilers expect. A header includes this one
// at its end, after it has defined what they call: receive_read() and receive_write(), receive_change() and
// receive_store() for atomic operations, receive_entry() and receive_exit() of functions. They need not be atomic, as
// there is one thread.

#include <cstddef>
#include <cstdint>

#include "algorithms/variants/unreported.hpp"

extern "C" {
KDSCOPE_UNREPORTED void __tsan_init() {}
KDSCOPE_UNREPORTED void __tsan_func_entry(void* caller) { kdscope::receive_entry(caller); }
KDSCOPE_UNREPORTED void __tsan_func_exit() { kdscope::receive_exit(); }
KDSCOPE_UNREPORTED void __tsan_vptr_update(void*, void*) {}
KDSCOPE_UNREPORTED void __tsan_vptr_read(void*) {}
KDSCOPE_UNREPORTED void __tsan_read_range(void* at, std::size_t bytes) {
  kdscope::receive_read(at, bytes, __builtin_return_address(0));
}
KDSCOPE_UNREPORTED void __tsan_write_range(void* at, std::size_t bytes) {
  kdscope::receive_write(at, bytes, __builtin_return_address(0));
}
KDSCOPE_UNREPORTED void __tsan_atomic_thread_fence(int) {}
KDSCOPE_UNREPORTED void __tsan_atomic_signal_fence(int) {}

#define KDSCOPE_RECEIVER(name, bytes, receive) \
  KDSCOPE_UNREPORTED void __tsan_##name##bytes(void* at) { receive(at, bytes, __builtin_return_address(0)); }
#define KDSCOPE_RECEIVE_ACCESSES(bytes)                            \
  KDSCOPE_RECEIVER(read, bytes, kdscope::receive_read)             \
  KDSCOPE_RECEIVER(write, bytes, kdscope::receive_write)           \
  KDSCOPE_RECEIVER(unaligned_read, bytes, kdscope::receive_read)   \
  KDSCOPE_RECEIVER(unaligned_write, bytes, kdscope::receive_write) \
  KDSCOPE_RECEIVER(volatile_read, bytes, kdscope::receive_read)    \
  KDSCOPE_RECEIVER(volatile_write, bytes, kdscope::receive_write)
KDSCOPE_RECEIVE_ACCESSES(1)
KDSCOPE_RECEIVE_ACCESSES(2)
KDSCOPE_RECEIVE_ACCESSES(4)
KDSCOPE_RECEIVE_ACCESSES(8)
KDSCOPE_RECEIVE_ACCESSES(16)
#undef KDSCOPE_RECEIVE_ACCESSES
#undef KDSCOPE_RECEIVER

#define KDSCOPE_RECEIVE_CHANGE(bits, change, result)                                                                  \
  KDSCOPE_UNREPORTED std::uint##bits##_t __tsan_atomic##bits##_##change(volatile void* at, std::uint##bits##_t value, \
                                                                        int) {                                        \
    kdscope::receive_change(at, bits / 8, __builtin_return_address(0));                                               \
    auto* const place = static_cast<volatile std::uint##bits##_t*>(at);                                               \
    const std::uint##bits##_t was = *place;                                                                           \
    *place = static_cast<std::uint##bits##_t>(result);                                                                \
    return was;                                                                                                       \
  }
#define KDSCOPE_RECEIVE_COMPARISON(bits, strength)                                                                 \
  KDSCOPE_UNREPORTED bool __tsan_atomic##bits##_compare_exchange_##strength(volatile void* at, void* expected,     \
                                                                            std::uint##bits##_t value, int, int) { \
    auto* const place = static_cast<volatile std::uint##bits##_t*>(at);                                            \
    auto* const wanted = static_cast<std::uint##bits##_t*>(expected);                                              \
    const std::uint##bits##_t was = *place;                                                                        \
    const bool equal = was == *wanted;                                                                             \
    (equal ? kdscope::receive_change : kdscope::receive_read)(at, bits / 8, __builtin_return_address(0));          \
    if (equal) *place = value;                                                                                     \
    *wanted = was;                                                                                                 \
    return equal;                                                                                                  \
  }
#define KDSCOPE_RECEIVE_ATOMICS(bits)                                                                      \
  KDSCOPE_UNREPORTED std::uint##bits##_t __tsan_atomic##bits##_load(const volatile void* at, int) {        \
    kdscope::receive_read(at, bits / 8, __builtin_return_address(0));                                      \
    return *static_cast<const volatile std::uint##bits##_t*>(at);                                          \
  }                                                                                                        \
  KDSCOPE_UNREPORTED void __tsan_atomic##bits##_store(volatile void* at, std::uint##bits##_t value, int) { \
    kdscope::receive_store(at, bits / 8, __builtin_return_address(0));                                     \
    *static_cast<volatile std::uint##bits##_t*>(at) = value;                                               \
  }                                                                                                        \
  KDSCOPE_RECEIVE_CHANGE(bits, exchange, value)                                                            \
  KDSCOPE_RECEIVE_CHANGE(bits, fetch_add, was + value)                                                     \
  KDSCOPE_RECEIVE_CHANGE(bits, fetch_sub, was - value)                                                     \
  KDSCOPE_RECEIVE_CHANGE(bits, fetch_and, was& value)                                                      \
  KDSCOPE_RECEIVE_CHANGE(bits, fetch_or, was | value)                                                      \
  KDSCOPE_RECEIVE_CHANGE(bits, fetch_xor, was ^ value)                                                     \
  KDSCOPE_RECEIVE_CHANGE(bits, fetch_nand, ~(was & value))                                                 \
  KDSCOPE_RECEIVE_COMPARISON(bits, strong)                                                                 \
  KDSCOPE_RECEIVE_COMPARISON(bits, weak)
KDSCOPE_RECEIVE_ATOMICS(8)
KDSCOPE_RECEIVE_ATOMICS(16)
KDSCOPE_RECEIVE_ATOMICS(32)
KDSCOPE_RECEIVE_ATOMICS(64)
#undef KDSCOPE_RECEIVE_ATOMICS
#undef KDSCOPE_RECEIVE_COMPARISON
#undef KDSCOPE_RECEIVE_CHANGE
}
