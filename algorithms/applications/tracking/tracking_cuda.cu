#include "algorithms/applications/tracking/follow.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope::tracking {

Tracking track_on_cuda(const TrackingRequest& request, const std::vector<TypedOptions>& builders,
                       const TypedOptions& search, const Device& device, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop);
  return track_on(exec, request, builders, search, control);
}

}  // namespace kdscope::tracking
