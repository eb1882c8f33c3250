#include "algorithms/builders/zhou/timed_reductions.hpp"
#include "algorithms/exec/cpu_exec.hpp"

namespace kdscope::zhou {

ReductionTimes time_reductions_on_cpu(const ReductionRequest& request, std::stop_token stop) {
  CpuExec exec(std::move(stop));
  return time_reductions(exec, request);
}

}  // namespace kdscope::zhou
