// Wehr & Radkowski 2018, Figure 10: sorting times per level, by the sort used for chunks below the cutoff.

#include <bit>

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_fig_10 {
namespace {

/// Measures all levels of a series by the same run.
Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto sorting = [](ExperimentRow& row, const BuildReport& report) {
    double ms = 0;
    for (const StepTime& step : report.step_times)
      if (step.level == static_cast<int>(row.x) && !step.phase.empty()) {
        ms += step.ms;
        row.details = {step.phase};
      }
    return ms;
  };
  return measure_by_steps(rows, sorting, options, control);
}

}  // namespace

Experiment declare() {
  using namespace wehr_2018;
  Experiment made =
      experiment("wehr-fig-10", "Figure 10", "times for sorting each level, by sequential sort", {"tpb", "base"});
  made.measure = measure;
  ExperimentSpec& spec = made.spec;
  spec.notes += " The figure's times are not printed. It shows the final levels, where chunks are below the cutoff.";
  spec.facet_column = "points";
  spec.x_column = "level";
  spec.x = {"level", "", false};
  spec.y = {"time for sorting", "ms", true};
  spec.details = {"strategy"};
  spec.series = {"adaptive", "adaptive-radix", "adaptive-insertion"};
  int run = 0;
  for (const std::uint64_t n : {10'000, 100'000}) {
    spec.facets.push_back(n == 10'000 ? "10,000" : "100,000");
    for (const std::string& sort : spec.series) {
      for (int level = 0; level + 1 < static_cast<int>(std::bit_width(n)); ++level) {
        ExperimentRow& row = add_row(spec, sort, Data::random, n, {{"sort", sort}});
        row.facet = spec.facets.back();
        row.x = level;
        row.run = run;
      }
      ++run;
    }
  }
  return made;
}

}  // namespace kdscope::wehr_fig_10
