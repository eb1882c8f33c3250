#include "algorithms/builders/zhou-vvh/entry.hpp"
#include "algorithms/builders/zhou-vvh/zhou_vvh.hpp"
#include "algorithms/exec/cpu_exec.hpp"

namespace kdscope::zhou_vvh {

BuildReport build_on_cpu(const BuildRequest& request, const Device& device, const RunControl& control) {
  CpuExec exec(control.stop);
  return run_build(exec, request, device, control);
}

std::shared_ptr<const Trace> record_on_cpu(const BuildRequest& request, const Device&, TraceHeader header, const RunControl& control) {
  CpuExec exec(control.stop);
  return run_record(exec, request, std::move(header), control);
}

}  // namespace kdscope::zhou_vvh
