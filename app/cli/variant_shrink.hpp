#pragma once
// variant shrink: from a data set on which a variant fails to the fewest points that still fail.

#include "algorithms/core/error.hpp"
#include "app/cli/commands.hpp"

namespace kdscope::cli {

/// The time limit of a search when --seconds is left out.
inline constexpr int default_shrink_seconds = 60;

/// Runs `variant shrink FILE --data SPEC --out FILE`. Prints the sizes before and after, the number of tests and the
/// seconds, and writes the points or triangles. Errors: those of build() and compile(); bad_input if the variant does
/// not fail; cancelled if it did not fail within the time.
Result<ExitCode> shrink_variant(const Arguments& arguments, Console& console);

}  // namespace kdscope::cli
