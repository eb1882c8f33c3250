#pragma once
// Measures rows of an experiment through the one door (algorithms/run): a row whose builder crashes ends the experiment
// with an error, and leaves the rows before it.

#include "algorithms/variants/runners.hpp"
#include "algorithms/variants/work.hpp"
#include "app/experiments/experiment.hpp"

namespace kdscope {

/// Experiment::measure() in one of these runners if they know the experiment, otherwise in this process. Errors: also
/// of kind bad_usage, where a row's points are a file and the runners are those of a device elsewhere.
Result<void> measure_rows(const Experiment& experiment, std::span<ExperimentRow> rows, const ExperimentOptions& options,
                          const RunControl& control,
                          const std::shared_ptr<variants::Runners>& runners = variants::runners_in_use());

/// The same as a runner does it.
variants::ServedWork row_work();

}  // namespace kdscope
