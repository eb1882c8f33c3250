#pragma once
// Measures rows of an experiment through the one door (algorithms/run): a row whose builder crashes ends the experiment
// with an error, and leaves the rows before it.

#include "algorithms/variants/work.hpp"
#include "app/experiments/experiment.hpp"

namespace kdscope {

/// Experiment::measure() in a runner if runners are in use and know the experiment, otherwise in this process.
Result<void> measure_rows(const Experiment& experiment, std::span<ExperimentRow> rows, const ExperimentOptions& options,
                          const RunControl& control);

/// The same as a runner does it.
variants::ServedWork row_work();

}  // namespace kdscope
