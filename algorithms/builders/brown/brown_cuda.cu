#include "algorithms/builders/brown/entry.hpp"
#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"

namespace kdscope::brown {

/// Parts go to the chosen device and those after it, around; neighbouring parts to one device where there are fewer devices than parts.
BuildReport build_on_cuda(const BuildRequest& request, const Device& device, const RunControl& control) {
  const std::uint32_t parts = options_of(request.parameters).parts;
  std::vector<int> ordinals{device.ordinal};
  if (parts > 1)
    for (const CudaDevice& found : find_cuda_devices().devices)
      if (found.ordinal != device.ordinal) ordinals.push_back(found.ordinal);
  const std::size_t used = std::min<std::size_t>(parts, std::bit_floor(ordinals.size()));
  BuildReport report = run_build<CudaExec>(request, device, control, [&](std::uint32_t part) { return std::make_unique<CudaExec>(ordinals[part * used / parts], control.stop, request.processors); });
  if (used > 1) report.device.name = std::to_string(used) + " x " + report.device.name;
  return report;
}

std::shared_ptr<const Trace> record_on_cuda(const BuildRequest& request, const Device& device, TraceHeader header, const RunControl& control) {
  return run_record<CudaExec>(request, std::move(header), control, [&](std::uint32_t) { return std::make_unique<CudaExec>(device.ordinal, control.stop, request.processors); });
}

}  // namespace kdscope::brown
