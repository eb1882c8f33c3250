#pragma once
// The one door to builds and recordings; applications.hpp and run_work.hpp lead through it, too. A run is done by a
// process of its own if runners are in use (variants::use_runners()), so that a crash leaves the caller alive with an
// error; otherwise by this process.

#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/runners.hpp"

namespace kdscope {

/// Reads a request's texts, then opens the points that it names, unless it has them, and chooses the usual algorithm
/// for them if it names none. Errors: those of typed() and open_data_set(), cancelled.
Result<TypedRun> opened(RunRequest request, const RunControl& control = {});

/// build() and record() of an opened run; a build by a runner comes without its tree. A request is opened first.
Result<BuildReport> run_build(const TypedRun& run, const RunControl& control = {});
/// arrived: as for Runners::record().
Result<variants::Recording> run_record(const TypedRun& run, const RunControl& control = {},
                                       const variants::StepsArrived& arrived = {});
Result<BuildReport> run_build(const RunRequest& request, const RunControl& control = {});
Result<variants::Recording> run_record(const RunRequest& request, const RunControl& control = {});

}  // namespace kdscope
