#include "algorithms/microbench/reduction_times.hpp"

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/microbench/timed_reductions.hpp"

namespace kdscope {

Result<ReductionTimes> time_reductions(const ReductionRequest& request, const Device& device, std::stop_token stop) {
  try {
#if defined(KDSCOPE_HAS_CUDA)
    if (device.backend == Backend::cuda) return reductions::time_on_cuda(request, device.ordinal, std::move(stop));
#else
    static_cast<void>(device);  // only the CPU is available
#endif
    CpuExec exec(std::move(stop));
    return reductions::time_on(exec, request);
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope
