#include "algorithms/applications/point_clouds/strength.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope::point_clouds {

StrengthField strength_on_cuda(const StrengthRequest& request, const TypedOptions& builder, const TypedOptions& search,
                               const Device& device, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop);
  return strength_on(exec, request, builder, search, control);
}

}  // namespace kdscope::point_clouds
