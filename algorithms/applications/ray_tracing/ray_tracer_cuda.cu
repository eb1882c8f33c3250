#include "algorithms/applications/ray_tracing/trace_picture.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope::ray_tracing {

Picture trace_on_cuda(const PictureRequest& request, const PictureOptions& options, const SplitPlaneTree* given,
                      const Device& device, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop, request.processors);
  return trace_on(exec, request, options, given, control);
}

}  // namespace kdscope::ray_tracing
