#include "algorithms/cluster/executor_build_on.hpp"
#include "algorithms/exec/cpu_exec.hpp"

namespace kdscope::cluster {

std::unique_ptr<ExecutorBuild> executor_build_on_cpu(Communicator& ranks, const PointSet& points, std::uint64_t first,
                                                     const rank::RankOptions& options, const ExecutorSizes& sizes,
                                                     std::stop_token stop) {
  return std::make_unique<ExecutorBuildOn<CpuExec>>(ranks, points, first, options, sizes, std::move(stop));
}

}  // namespace kdscope::cluster
