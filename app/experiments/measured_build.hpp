#pragma once
// Full-speed builds as rows of an experiment.

#include <vector>

#include "app/experiments/experiment.hpp"

namespace kdscope {

/// A run of one row: median, range, mean and deviation of its build times, ms. The reason is oom where host or device
/// memory does not hold it, "no builder ID" where its algorithm is not registered, "no CUDA device" where the row asks
/// for one. Errors: those of open_data_set() and build().
Result<void> measure_build(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control);

/// Makes the build of a row several times, after a first one that does not count; `more` goes over the row's own
/// parameters, on the row's processors. Nothing where the row got a reason instead. With `time_steps` each build is
/// timed step by step, and a report comes for each; otherwise one report has all times.
Result<std::vector<BuildReport>> build_row(ExperimentRow& row, const Parameters& more, bool time_steps,
                                           const ExperimentOptions& options, const RunControl& control);

/// Times work of another kind on the CPU as build_row times builds. Nothing where the row got a reason instead: oom
/// where the work throws out_of_memory. Errors: others that it throws, and cancelled.
Result<std::vector<double>> time_on_cpu(ExperimentRow& row, const std::function<void()>& work,
                                        const ExperimentOptions& options, const RunControl& control);

/// The first device of a back end, automatic for the first of all; none where there is no such one.
std::optional<Device> device_on(Backend backend);

/// Fills in the numbers of a measured row from its repetitions, and further facts about its build.
void fill_row(ExperimentRow& row, const std::vector<double>& values, const BuildReport& report);

/// Parameters of a builder, by name, in its order; for the experiment's own.
std::vector<ParameterSpec> parameters_of(std::string_view algorithm, const std::vector<std::string>& names);

}  // namespace kdscope
