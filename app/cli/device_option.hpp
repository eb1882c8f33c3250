#pragma once
// --device: the runs of a command are made elsewhere.

#include <memory>

#include "algorithms/variants/runners.hpp"
#include "app/arguments/arguments.hpp"

namespace kdscope::cli {

Option device_option();

/// Returns the runners of the device that --device names, or null without one. While they exist, the one door
/// (algorithms/run) leads there. Errors: those of device_named() and Runners::find_program().
Result<std::unique_ptr<variants::Runners>> runners_from(const Arguments& arguments);

}  // namespace kdscope::cli
