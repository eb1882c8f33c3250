#pragma once
// The one door to builds and recordings; applications.hpp and run_work.hpp lead through it, too. A run is done by a
// process of its own if runners are in use (variants::use_runners()), so that a crash leaves the caller alive with an
// error; otherwise by this process.

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/variants/runners.hpp"

namespace kdscope {

/// Checks the algorithm and its parameters, then opens the points that a request names, unless it has them, and chooses
/// the usual algorithm for them if it names none. Errors: an unknown algorithm or parameter, those of open_data_set(),
/// cancelled.
Result<RunRequest> opened(RunRequest request, const RunControl& control = {});

/// build() and record() of an opened request.
Result<BuildReport> run_build(const RunRequest& request, const RunControl& control = {});
Result<variants::Recording> run_record(const RunRequest& request, const RunControl& control = {});

}  // namespace kdscope
