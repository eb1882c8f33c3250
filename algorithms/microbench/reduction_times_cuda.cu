#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/microbench/timed_reductions.hpp"

namespace kdscope::reductions {

ReductionTimes time_on_cuda(const ReductionRequest& request, int device, std::stop_token stop) {
  CudaExec exec(device, std::move(stop));
  return time_on(exec, request);
}

}  // namespace kdscope::reductions
