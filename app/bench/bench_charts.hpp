#pragma once
// The results of a bench as charts, in the form of experiments that are measured already.

#include <string>
#include <vector>

#include "app/experiments/experiment.hpp"
#include "app/measure/measured_row.hpp"

namespace kdscope {

/// The builds or the searches of one distribution on one device, one series per builder, search or library.
struct BenchChart {
  std::string title;  ///< "builds, uniform"; with several devices "cuda builds, uniform"
  Experiment times;   ///< nanoseconds per point; it has all columns, and no function that measures
  Experiment speeds;  ///< GB/s of the same rows, and of the copy; without rows if their bytes are unknown
};

/// One chart per kind of work and distribution, of the rows whose size is known.
std::vector<BenchChart> bench_charts(const MeasuredRun& results);

}  // namespace kdscope
