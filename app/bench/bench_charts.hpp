#pragma once
// The results of a bench as charts, in the form of experiments that are measured already.

#include <string>
#include <vector>

#include "app/bench/bench_results.hpp"
#include "app/experiments/experiment.hpp"

namespace kdscope {

/// The builds or the searches of one distribution on one device, one series per builder, search or library.
struct BenchChart {
  std::string title;  ///< "builds, uniform"; with several devices "cuda builds, uniform"
  Experiment times;   ///< nanoseconds per point; it has all columns, and no function that measures
  Experiment speeds;  ///< GB/s of the same rows, and of the copy
};

/// At least one chart for results that have rows.
std::vector<BenchChart> bench_charts(const BenchResults& results);

}  // namespace kdscope
