#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/microbench/timed_copies.hpp"

namespace kdscope::copies {

CopyBandwidth time_on_cuda(const Device& device, std::stop_token stop) {
  CudaExec exec(device.ordinal, std::move(stop));
  return time_on(exec, device.memory_bytes);
}

}  // namespace kdscope::copies
