// Wehr & Radkowski 2018, section IV-A: shares of the three sorts in the time for sorting.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_shares {
namespace {

/// The series, which are also the phases of steps.
const std::vector<std::string> sorts{"parallel radix sort", "sequential radix sort", "insertion sort"};

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto share = [&](ExperimentRow& row, const BuildReport& report) {
    const std::string& sort = sorts[static_cast<std::size_t>(&row - rows.data())];
    double of_sort = 0, all = 0;
    for (const StepTime& step : report.step_times) {
      if (!step.phase.empty()) all += step.ms;
      if (step.phase == sort) of_sort += step.ms;
    }
    return all > 0 ? 100 * of_sort / all : 0;
  };
  return measure_by_steps(rows, share, options, control);
}

}  // namespace

Experiment declare() {
  using namespace wehr_2018;
  Experiment made =
      experiment("wehr-shares", "section IV-A", "shares of the three sorts in the time for sorting", {"tpb", "base"});
  made.measure = measure;
  ExperimentSpec& spec = made.spec;
  spec.notes += " The text gives one share per sort, over all measurements, with one standard deviation.";
  spec.series_column = "sort_used";
  spec.y = {"share", "%", false};
  spec.series = sorts;
  spec.printed = {{"text", "Titan X (section IV-A)"}};
  int run = 0;
  for (const std::uint64_t n : {2'000, 10'000, 50'000, 100'000, 200'000, 300'000, 400'000, 500'000}) {
    for (std::size_t s = 0; s < sorts.size(); ++s) {
      ExperimentRow& row = add_row(spec, sorts[s], Data::random, n, {{"sort", "adaptive"}});
      row.printed = {printed_value(std::array{"96.5", "0.86", "2.64"}[s])};
      row.run = run;
    }
    ++run;
  }
  return made;
}

}  // namespace kdscope::wehr_shares
