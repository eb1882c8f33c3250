#include "algorithms/cluster/executor_build_on.hpp"
#include "algorithms/exec/scans.hpp"

namespace kdscope::cluster {

std::unique_ptr<ExecutorBuild> executor_build_on_cuda(Communicator& ranks, const PointSet& points, std::uint64_t first,
                                                      const rank::RankOptions& options, const ExecutorSizes& sizes,
                                                      std::stop_token stop, int device) {
  return std::make_unique<ExecutorBuildOn<CudaExec>>(ranks, points, first, options, sizes, device, std::move(stop));
}

std::uint64_t free_bytes_on_cuda(int device) { return CudaExec::free_bytes(device); }

}  // namespace kdscope::cluster
