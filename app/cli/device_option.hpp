#pragma once
// --device: the runs of a command are made elsewhere.

#include <memory>
#include <vector>

#include "algorithms/variants/runners.hpp"
#include "app/arguments/arguments.hpp"

namespace kdscope::cli {

Option device_option();

/// While it exists, the one door (algorithms/run) leads to a device; null leads nowhere else.
struct LeadsHereAgain {
  void operator()(variants::Runners*) const { variants::use_runners(nullptr); }
};
using DeviceInUse = std::unique_ptr<variants::Runners, LeadsHereAgain>;

/// Uses the device that --device names, or none without one. Errors: those of device_named() and runners_of().
Result<DeviceInUse> device_from(const Arguments& arguments);

/// Returns the trace of a recording that is whole. Errors: its own; of kind device_failure if it ends early.
Result<std::shared_ptr<const Trace>> whole_trace(const Result<variants::Recording>& recording);

/// --device of a command that measures on several devices beside one another: NAME,NAME.
Option devices_option();
/// Returns runners of each; none for a single device, which device_from() uses. Errors: also of kind bad_usage if a
/// device is named twice.
Result<std::vector<std::shared_ptr<variants::Runners>>> devices_from(const Arguments& arguments);

}  // namespace kdscope::cli
