#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/slabs/subtrees_on.hpp"

namespace kdscope::slabs {

std::unique_ptr<SubtreeBuilder> subtrees_on_cuda(int device, int processors, std::uint64_t memory,
                                                 std::stop_token stop) {
  return std::make_unique<SubtreesOn<CudaExec>>(memory, device, std::move(stop), processors);
}

}  // namespace kdscope::slabs
