// Wehr & Radkowski 2018, section III-B: the share of sorting in the time of construction.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_sorting {
namespace {

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto share = [](ExperimentRow&, const BuildReport& report) {
    double sorting = 0, all = 0;
    for (const StepTime& step : report.step_times) {
      all += step.ms;
      if (!step.phase.empty()) sorting += step.ms;  // only steps of sorts have a phase
    }
    return all > 0 ? 100 * sorting / all : 0;
  };
  return measure_by_steps(rows, share, options, control);
}

}  // namespace

Experiment declare() {
  using namespace wehr_2018;
  Experiment made =
      experiment("wehr-sorting", "section III-B", "share of sorting in the time of construction", {"tpb", "base"});
  made.measure = measure;
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " The text gives one share, from the authors' profiling, without the number of points. Every step is timed by "
      "itself, so short launches count in full.";
  spec.y = {"share", "%", false};
  spec.series = {"adaptive"};
  spec.printed = {{"text", "Titan X (section III-B)"}};
  for (const std::uint64_t n : {2'000, 10'000, 50'000, 100'000, 200'000, 300'000, 400'000, 500'000})
    add_row(spec, "adaptive", Data::random, n, {{"sort", "adaptive"}}).printed = {printed_value("95")};
  return made;
}

}  // namespace kdscope::wehr_sorting
