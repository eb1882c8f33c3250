#pragma once
// Runs a builder on CUDA. Only generated translation units and variants include this header.

#include <bit>
#include <memory>
#include <type_traits>
#include <vector>

#include "algorithms/builders/run_parts.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"

namespace kdscope {

/// The devices of several parts: the chosen device and the others after it. With fewer devices than parts, neighbouring
/// parts share a device.
struct DevicesOfParts {
  std::vector<int> ordinals;  ///< [parts]
  std::size_t used = 1;       ///< devices among them

  DevicesOfParts(std::uint32_t parts, const Device& device) {
    std::vector<int> all{device.ordinal};
    if (parts > 1)
      for (const CudaDevice& found : find_cuda_devices().devices)
        if (found.ordinal != device.ordinal) all.push_back(found.ordinal);
    used = std::min<std::size_t>(parts, std::bit_floor(all.size()));
    for (std::uint32_t part = 0; part < parts; ++part) ordinals.push_back(all[part * used / parts]);
  }
  template <class Exec>
  auto executors(const RunRequest& request, const RunControl& control) const {
    return [&](std::uint32_t part) { return std::make_unique<Exec>(ordinals[part], control.stop, request.processors); };
  }
};

template <class Construction, class Exec = CudaExec>
BuildReport build_on_cuda(const RunRequest& request, const TypedOptions& typed, const Device& device,
                          const RunControl& control) {
  const auto& options = typed.as<typename Construction::Options>();
  if constexpr (requires { Construction::in_parts; }) {
    const DevicesOfParts devices(options.parts, device);
    DeviceGroup<Exec> group(options.parts, devices.template executors<Exec>(request, control));
    BuildReport report = run_timed<Construction>(group, request, options, device, control);
    if (devices.used > 1) report.device.name = std::to_string(devices.used) + " x " + report.device.name;
    return report;
  } else {
    if constexpr (std::is_same_v<Exec, CudaExec>)
      if (request.keeps_tree_there) {
        BuildReport report;
        report.device = device;
        report.kept = std::make_shared<TreeOfExecutor<Construction, Exec>>(
            rested_cuda_exec(device.ordinal, control.stop, request.processors), request, options, report);
        return report;
      }
    Exec exec(device.ordinal, control.stop, request.processors);
    return run_timed<Construction>(exec, request, options, device, control);
  }
}

template <class Construction, class Exec = CudaExec>
std::shared_ptr<const Trace> record_on_cuda(const RunRequest& request, const TypedOptions& typed, const Device& device,
                                            TraceHeader header, const RunControl& control) {
  const auto& options = typed.as<typename Construction::Options>();
  if constexpr (requires { Construction::in_parts; }) {
    const DevicesOfParts devices(options.parts, device);
    DeviceGroup<Exec> group(options.parts, devices.template executors<Exec>(request, control));
    if (devices.used > 1) header.device = std::to_string(devices.used) + " x " + header.device;
    return run_recorded<Construction>(group, request, options, std::move(header), control);
  } else {
    Exec exec(device.ordinal, control.stop, request.processors);
    return run_recorded<Construction>(exec, request, options, std::move(header), control);
  }
}

}  // namespace kdscope
