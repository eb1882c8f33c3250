// Robinson: the time of each level of a build.

#include <bit>

#include "app/experiments/measured_build.hpp"

namespace kdscope::brown_levels {
namespace {

/// Measures all levels by the same run.
Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto of_level = [](ExperimentRow& row, const BuildReport& report) {
    double ms = 0;
    for (const StepTime& step : report.step_times)
      if (step.level == static_cast<int>(row.x)) ms += step.ms;
    return ms;
  };
  return measure_by_steps(rows, of_level, options, control);
}

}  // namespace

Experiment declare() {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = "brown-levels";
  spec.citation = "Robinson, Partitioning";
  spec.title = "time of each level of a build of points in 4 dimensions";
  spec.notes =
      "The source states that each level takes about the same time, and prints none. The lowest levels have no "
      "references left to partition. Every step is timed by itself.";
  spec.series_column = "points";
  spec.x_column = "level";
  spec.x = {"level", "", false};
  spec.y = {"time", "ms", true};
  spec.parameters = parameters_of("brown", {"compare", "writes", "warps"});
  spec.usual_max_n_on_cpu = 1 << 20;
  int run = 0;
  for (std::uint64_t n = 1 << 16; n <= 1 << 24; n *= 16, ++run) {
    spec.series.push_back(std::to_string(n));
    for (int level = 0; level < static_cast<int>(std::bit_width(n)); ++level) {
      ExperimentRow& row = add_row(spec, spec.series.back(), n);
      row.x = level;
      row.run = run;
      row.builds("brown", "uniform:n=" + std::to_string(n) + ",dim=4,seed=1,type=int,range=2147483647", 4, {});
    }
  }
  return made;
}

}  // namespace kdscope::brown_levels
