#include "algorithms/builders/brown/entry.hpp"
#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/exec/cpu_exec.hpp"

namespace kdscope::brown {

BuildReport build_on_cpu(const BuildRequest& request, const Device& device, const RunControl& control) {
  return run_build<CpuExec>(request, device, control, [&](std::uint32_t) { return std::make_unique<CpuExec>(control.stop); });
}

std::shared_ptr<const Trace> record_on_cpu(const BuildRequest& request, const Device&, TraceHeader header, const RunControl& control) {
  return run_record<CpuExec>(request, std::move(header), control, [&](std::uint32_t) { return std::make_unique<CpuExec>(control.stop); });
}

}  // namespace kdscope::brown
