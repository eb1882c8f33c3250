#include "algorithms/microbench/copy_bandwidth.hpp"

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/microbench/timed_copies.hpp"

namespace kdscope {

Result<CopyBandwidth> copy_bandwidth(const Device& device, std::stop_token stop) {
  try {
#if defined(KDSCOPE_HAS_CUDA)
    if (device.backend == Backend::cuda) return copies::time_on_cuda(device, std::move(stop));
#endif
    CpuExec exec(std::move(stop));
    return copies::time_on(exec, device.memory_bytes);
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope
