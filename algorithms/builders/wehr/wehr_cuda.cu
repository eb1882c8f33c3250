#include "algorithms/builders/wehr/entry.hpp"
#include "algorithms/builders/wehr/wehr.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope::wehr {

BuildReport build_on_cuda(const BuildRequest& request, const Device& device, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop, request.processors);
  return run_build(exec, request, device, control);
}

std::shared_ptr<const Trace> record_on_cuda(const BuildRequest& request, const Device& device, TraceHeader header, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop, request.processors);
  return run_record(exec, request, std::move(header), control);
}

}  // namespace kdscope::wehr
