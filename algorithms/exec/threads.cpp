#include "algorithms/exec/threads.hpp"

#include "algorithms/exec/devices.hpp"

#if defined(KDSCOPE_CPU_TBB)
#include <tbb/task_arena.h>
#elif defined(KDSCOPE_CPU_OMP)
#include <omp.h>
#endif

namespace kdscope {

int usable_threads() {
#if defined(KDSCOPE_CPU_TBB)
  return tbb::this_task_arena::max_concurrency();
#elif defined(KDSCOPE_CPU_OMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

void run_on_threads([[maybe_unused]] int threads, void (*work)(void* context), void* context) {
  if (threads == describe_cpu().threads) return work(context);  // all threads, or as many as the environment sets
#if defined(KDSCOPE_CPU_TBB)
  tbb::task_arena(threads).execute([=] { work(context); });
#elif defined(KDSCOPE_CPU_OMP)
  struct Restore {
    int before = omp_get_max_threads();
    ~Restore() { omp_set_num_threads(before); }
  } restore;
  omp_set_num_threads(threads);
  work(context);
#else
  work(context);
#endif
}

}  // namespace kdscope
