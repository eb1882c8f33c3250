#pragma once
// variant measure: a variant timed beside the original.

#include "app/cli/commands.hpp"

namespace kdscope::cli {

/// Compiles both, builds with them in turn, and prints medians, quartiles and a verdict.
Result<ExitCode> measure_variant(const Arguments& arguments, Console& console);

}  // namespace kdscope::cli
