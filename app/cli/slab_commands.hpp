#pragma once
// build --memory: builds that take more points than the memory holds (algorithms/slabs).

#include <vector>

#include "app/cli/commands.hpp"

namespace kdscope::cli {

/// --memory, --scratch, --plan.
std::vector<Option> slab_options();

/// Builds in slabs, as --memory asks for it. Errors: options of builds in memory; those of slabs::prepare() and
/// slabs::build_in_slabs().
Result<ExitCode> run_slab_build(const Arguments& arguments, Console& console);

/// Returns the error of a build in memory; if memory is short and slabs would do, its remedy names --memory.
Error with_slabs_as_remedy(Error error, const Arguments& arguments);

}  // namespace kdscope::cli
