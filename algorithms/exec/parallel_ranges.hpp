#pragma once
// The threads of the CPU back end behind plain functions: units with kernels need no header of Thrust or oneTBB, which
// take longer to compile than most kernels.

#include <cstdint>

#include "algorithms/exec/host_exec.hpp"

namespace kdscope {

/// Something that can run a range of a launch: a functor without its type.
struct RangeBody {
  const void* functor;
  void (*run)(const void* functor, std::uint32_t begin, std::uint32_t end);
};

/// Runs body.run(begin, end) for ranges that together cover [0, n), in parallel. Exceptions pass on to the caller.
void run_ranges(std::uint32_t n, const RangeBody& body);

/// Calls f(begin, end) for ranges that together cover [0, n), in parallel.
template <class F>
void for_ranges(std::uint32_t n, const F& f) {
  run_ranges(n, {&f, [](const void* functor, std::uint32_t begin, std::uint32_t end) {
                   (*static_cast<const F*>(functor))(begin, end);
                 }});
}

/// Sorts pairs by ascending key on all threads. The sort is stable. Its scratch memory is counted in `exec`.
/// parallel_ranges.cpp instantiates it.
template <class Key, class Value>
void sort_pairs_on_threads(HostExec& exec, Key* keys, Value* values, std::uint32_t n);

/// Replaces n elements by their inclusive or exclusive prefix sums on all threads. Compiled for 32 and 64-bit unsigned
/// integers.
template <class T>
void inclusive_sum_on_threads(T* data, std::uint32_t n);
template <class T>
void exclusive_sum_on_threads(T* data, std::uint32_t n);

}  // namespace kdscope
