#pragma once
// Full-speed builds as rows of an experiment.

#include <vector>

#include "app/experiments/experiment.hpp"
#include "app/measure/sampling.hpp"

namespace kdscope {

/// Measures median, range, mean and deviation of the build times of each row, in ms. A row gets the reason oom if host
/// or device memory is too small, "no builder ID" if its algorithm is not registered, and "no CUDA device" if it needs
/// one and there is none. Errors: those of open_data_set() and build().
Result<void> measure_build(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control);

/// Repeats the build of a row on the row's processors, after warm-up builds that do not count. `more` overrides the
/// row's own parameters. Empty if the row got a reason instead. With `time_steps`, each build is timed step by step and
/// has its own report; otherwise one report has all times.
Result<std::vector<BuildReport>> build_row(ExperimentRow& row, const Parameters& more, bool time_steps,
                                           const ExperimentOptions& options, const RunControl& control);

/// Measures all rows by the same builds, which are those of the first row, timed step by step. value_of(row, report):
/// the value of a row in one build.
Result<void> measure_by_steps(std::span<ExperimentRow> rows,
                              const std::function<double(ExperimentRow& row, const BuildReport& report)>& value_of,
                              const ExperimentOptions& options, const RunControl& control);

/// Times other work on the CPU as build_row times builds. Empty if the row got the reason oom instead, because the work
/// threw out_of_memory. Errors: all others that the work throws, and cancelled.
Result<std::vector<double>> time_on_cpu(ExperimentRow& row, const std::function<void()>& work,
                                        const ExperimentOptions& options, const RunControl& control);

/// Sets the numbers of a measured row from its repetitions, and its device and facts from the report.
void fill_row(ExperimentRow& row, const std::vector<double>& values, const BuildReport& report);

/// The parameters of a builder with these names, in the builder's order, for the experiment's own parameters.
std::vector<ParameterSpec> parameters_of(std::string_view algorithm, const std::vector<std::string>& names);

}  // namespace kdscope
