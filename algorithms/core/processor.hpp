#pragma once
// Runs code compiled a second time for the host's processor if that has wider instructions than every x86-64 has.

#include "algorithms/core/platform.hpp"

namespace kdscope {

// Where the compiler cannot do that, and with -fsanitize=thread, nothing is compiled twice: looks inside a launch show
// accesses to single numbers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__SANITIZE_THREAD__)
inline const bool has_wide_instructions = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");

/// Calls f, compiled with all that it calls for processors with AVX2. Multiplications and additions stay apart.
template <class F>
[[gnu::target("avx2,bmi,bmi2,popcnt"), gnu::flatten]] auto run_wide(const F& f) {
  return f();
}

/// Calls f, compiled for this processor.
template <class F>
auto on_this_processor(const F& f) {
  return has_wide_instructions ? run_wide(f) : f();
}
#else
template <class F>
KDSCOPE_HD auto on_this_processor(const F& f) {
  return f();
}
#endif

}  // namespace kdscope
