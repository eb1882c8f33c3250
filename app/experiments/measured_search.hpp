#pragma once
// Full-speed searches as rows of an experiment.

#include "app/experiments/measured_build.hpp"

namespace kdscope {

/// Builds the tree of these rows, which is the same for all of them, and measures median, range, mean and deviation of
/// the times of each row's search, or of the build in a row without one, in ms. Tree and queries are on the device
/// before a search is timed. Reasons and errors: those of measure_build(), and errors of search().
Result<void> measure_searches(std::span<ExperimentRow> rows, const ExperimentOptions& options,
                              const RunControl& control);

}  // namespace kdscope
