#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/queries/wald/run.hpp"

namespace kdscope::queries::wald {
namespace {

template <class Traversal>
SearchReport run(const SearchRequest& request, const Device& device, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop, request.processors);
  return search<Traversal>(exec, request, control);
}

}  // namespace

const Runs on_cuda{run<StackBased>, run<StackFree>, run<ClosestCorner>};

}  // namespace kdscope::queries::wald
