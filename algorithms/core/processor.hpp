#pragma once
// Compiles a function a second time for the host's processor if that has wider instructions than every x86-64 has.

/// KDSCOPE_WIDE before a function compiles it, with all that it calls, for processors with AVX2, which
/// has_wide_instructions finds; multiplications and additions stay apart. Undefined where the compiler cannot do that,
/// and with -fsanitize=thread: looks inside a launch show accesses to single numbers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__SANITIZE_THREAD__)
#define KDSCOPE_WIDE [[gnu::target("avx2,bmi,bmi2,popcnt"), gnu::flatten]]

namespace kdscope {

inline const bool has_wide_instructions = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");

}  // namespace kdscope
#endif
