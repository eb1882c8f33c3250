#pragma once
// Runs a builder on CUDA. Only generated translation units and variants include this header.

#include <bit>
#include <memory>
#include <vector>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/run_parts.hpp"
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"

namespace kdscope {

/// Builds in several parts. The parts are distributed over the chosen device and the others after it. With fewer
/// devices than parts, neighbouring parts share a device.
template <class Construction, class Exec = CudaExec>
BuildReport build_parts_on_cuda(const RunRequest& request, const typename Construction::Options& options,
                                const Device& device, const RunControl& control) {
  const std::uint32_t parts = options.parts;
  std::vector<int> ordinals{device.ordinal};
  if (parts > 1)
    for (const CudaDevice& found : find_cuda_devices().devices)
      if (found.ordinal != device.ordinal) ordinals.push_back(found.ordinal);
  const std::size_t used = std::min<std::size_t>(parts, std::bit_floor(ordinals.size()));
  DeviceGroup<Exec> group(parts, [&](std::uint32_t part) {
    return std::make_unique<Exec>(ordinals[part * used / parts], control.stop, request.processors);
  });
  BuildReport report = run_timed<Construction>(group, request, options, device, control);
  if (used > 1) report.device.name = std::to_string(used) + " x " + report.device.name;
  return report;
}

template <class Construction, class Exec = CudaExec>
BuildReport build_on_cuda(const RunRequest& request, const TypedOptions& typed, const Device& device,
                          const RunControl& control) {
  const auto& options = typed.as<typename Construction::Options>();
  if constexpr (requires { Construction::in_parts; }) {
    return build_parts_on_cuda<Construction, Exec>(request, options, device, control);
  } else {
    Exec exec(device.ordinal, control.stop, request.processors);
    return run_timed<Construction>(exec, request, options, device, control);
  }
}

template <class Construction, class Exec = CudaExec>
std::shared_ptr<const Trace> record_on_cuda(const RunRequest& request, const TypedOptions& typed, const Device& device,
                                            TraceHeader header, const RunControl& control) {
  const auto& options = typed.as<typename Construction::Options>();
  if constexpr (requires { Construction::in_parts; }) {
    require_one_part(options.parts);
    DeviceGroup<Exec> one(
        1, [&](std::uint32_t) { return std::make_unique<Exec>(device.ordinal, control.stop, request.processors); });
    return run_recorded<Construction>(one, request, options, std::move(header), control);
  } else {
    Exec exec(device.ordinal, control.stop, request.processors);
    return run_recorded<Construction>(exec, request, options, std::move(header), control);
  }
}

}  // namespace kdscope
