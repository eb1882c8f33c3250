#pragma once
// variant repeat: a variant recorded again and again.

#include "app/cli/commands.hpp"

namespace kdscope::cli {

/// Compiles the variant, records it many times, and prints what varies between the runs: on the CPU with lanes in
/// ascending order and then in shuffled orders of different seeds, on a device as it runs them.
Result<ExitCode> repeat_variant(const Arguments& arguments, Console& console);

}  // namespace kdscope::cli
