#pragma once
// Restricts the CPU back end to some of the machine's threads.

#include "algorithms/exec/devices.hpp"

#if defined(KDSCOPE_CPU_TBB)
#include <tbb/task_arena.h>
#elif defined(KDSCOPE_CPU_OMP)
#include <omp.h>
#endif

namespace kdscope {

/// Returns work(). The back end's parallel calls in it run on `threads` threads, 1 to describe_cpu().threads.
template <class Work>
auto on_threads([[maybe_unused]] int threads, Work&& work) {
  if (threads == describe_cpu().threads) return work();  // all threads, or as many as the environment sets
#if defined(KDSCOPE_CPU_TBB)
  return tbb::task_arena(threads).execute(work);
#elif defined(KDSCOPE_CPU_OMP)
  struct Restore {
    int before = omp_get_max_threads();
    ~Restore() { omp_set_num_threads(before); }
  } restore;
  omp_set_num_threads(threads);
  return work();
#else
  return work();
#endif
}

}  // namespace kdscope
