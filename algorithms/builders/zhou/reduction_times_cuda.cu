#include "algorithms/builders/zhou/timed_reductions.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope::zhou {

ReductionTimes time_reductions_on_cuda(const ReductionRequest& request, int device, std::stop_token stop) {
  CudaExec exec(device, std::move(stop));
  return time_reductions(exec, request);
}

}  // namespace kdscope::zhou
