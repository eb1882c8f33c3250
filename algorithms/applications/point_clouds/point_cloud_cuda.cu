#include "algorithms/applications/point_clouds/estimate.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope::point_clouds {

Cloud estimate_on_cuda(const CloudRequest& request, const TypedOptions& builder, const TypedOptions& search,
                       const Device& device, const RunControl& control, std::vector<std::uint32_t>& neighbours) {
  CudaExec exec(device.ordinal, control.stop);
  return estimate_on(exec, request, builder, search, control, neighbours);
}

}  // namespace kdscope::point_clouds
