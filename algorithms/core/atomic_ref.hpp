#pragma once
// std::atomic_ref, also on standard libraries that lack it, such as that of Emscripten.

#include <atomic>

namespace kdscope {

#if defined(__cpp_lib_atomic_ref)
template <class T>
using AtomicRef = std::atomic_ref<T>;
#else
/// What the host's executors use of std::atomic_ref, by the compiler's builtins.
template <class T>
class AtomicRef {
 public:
  explicit AtomicRef(T& value) : at_(&value) {}
  T fetch_add(T value, std::memory_order = std::memory_order_seq_cst) const {
    return __atomic_fetch_add(at_, value, __ATOMIC_SEQ_CST);
  }
  T load(std::memory_order = std::memory_order_seq_cst) const { return __atomic_load_n(at_, __ATOMIC_SEQ_CST); }
  bool compare_exchange_weak(T& expected, T desired) const {
    return __atomic_compare_exchange(at_, &expected, &desired, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

 private:
  T* at_;
};
#endif

}  // namespace kdscope
