#pragma once
// A full-speed build as one row of an experiment.

#include "app/experiments/experiment.hpp"

namespace kdscope {

/// A number of timed builds that is enough for a steady median, and small where a build takes long.
int usual_repeats(std::uint64_t n);

/// Builds row.n points of a data specification and fills the row: median, least and most of the build times, ms. The
/// reason is oom where host or device memory does not hold it. `request` says algorithm and parameters; `dim` is for
/// the estimate of host memory, which is made before anything is allocated. Errors: those of open_data_set() and
/// build().
Result<void> measure_build(ExperimentRow& row, BuildRequest request, const std::string& data, std::uint32_t dim,
                           const ExperimentOptions& options, const RunControl& control);

}  // namespace kdscope
