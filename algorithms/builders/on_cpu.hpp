#pragma once
// Runs a builder on an executor of the host, and defines the functions of a Construction that do not depend on a back
// end. Only generated translation units and variants include this header.

#include <memory>

#include "algorithms/builders/run_parts.hpp"
#include "algorithms/builders/timed_run.hpp"

namespace kdscope {

template <class Construction, class Exec>
BuildReport build_on_cpu(const RunRequest& request, const TypedOptions& typed, const Device& device,
                         const RunControl& control) {
  const auto& options = typed.as<typename Construction::Options>();
  if constexpr (requires { Construction::in_parts; }) {
    DeviceGroup<Exec> group(options.parts, [&](std::uint32_t) { return std::make_unique<Exec>(control.stop); });
    return run_timed<Construction>(group, request, options, device, control);
  } else {
    Exec exec(control.stop);
    return run_timed<Construction>(exec, request, options, device, control);
  }
}

template <class Construction, class Exec>
std::shared_ptr<const Trace> record_on_cpu(const RunRequest& request, const TypedOptions& typed, const Device&,
                                           TraceHeader header, const RunControl& control) {
  const auto& options = typed.as<typename Construction::Options>();
  if constexpr (requires { Construction::in_parts; }) {
    DeviceGroup<Exec> group(options.parts, [&](std::uint32_t) { return std::make_unique<Exec>(control.stop); });
    return run_recorded<Construction>(group, request, options, std::move(header), control);
  } else {
    Exec exec(control.stop);
    return run_recorded<Construction>(exec, request, options, std::move(header), control);
  }
}

template <class Construction>
void set_rules_of(Tree& tree, const TypedOptions& options) {
  using Kind = typename Construction::Tree;
  if constexpr (requires(Kind & kind, typename Construction::Options record) { Construction::set_rules(kind, record); })
    Construction::set_rules(tree.as<Kind>(), options.as<typename Construction::Options>());
}

}  // namespace kdscope
