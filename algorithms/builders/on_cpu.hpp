#pragma once
// Runs a builder on an executor of the host, and defines the functions of a Construction that do not depend on a back
// end. Only generated translation units and variants include this header.

#include <memory>

#include "algorithms/builders/run_parts.hpp"
#include "algorithms/builders/timed_run.hpp"

namespace kdscope {

template <class Construction, class Exec>
BuildReport build_on_cpu(const RunRequest& request, const Device& device, const RunControl& control) {
  if constexpr (requires { Construction::in_parts; }) {
    const std::uint32_t parts = options_of<Construction>(request.parameters).parts;
    DeviceGroup<Exec> group(parts, [&](std::uint32_t) { return std::make_unique<Exec>(control.stop); });
    return run_timed<Construction>(group, request, device, control);
  } else {
    Exec exec(control.stop);
    return run_timed<Construction>(exec, request, device, control);
  }
}

template <class Construction, class Exec>
std::shared_ptr<const Trace> record_on_cpu(const RunRequest& request, const Device&, TraceHeader header,
                                           const RunControl& control) {
  if constexpr (requires { Construction::in_parts; }) {
    require_one_part<Construction>(request);
    DeviceGroup<Exec> one(1, [&](std::uint32_t) { return std::make_unique<Exec>(control.stop); });
    return run_recorded<Construction>(one, request, std::move(header), control);
  } else {
    Exec exec(control.stop);
    return run_recorded<Construction>(exec, request, std::move(header), control);
  }
}

template <class Construction>
void set_rules_of(Tree& tree, const Parameters& parameters) {
  using Kind = typename Construction::Tree;
  if constexpr (requires(Kind & kind, typename Construction::Options options) {
                  Construction::set_rules(kind, options);
                })
    Construction::set_rules(tree.as<Kind>(), options_of<Construction>(parameters));
}

}  // namespace kdscope
