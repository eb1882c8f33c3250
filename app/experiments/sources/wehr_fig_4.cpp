// Wehr & Radkowski 2018, Figure 4: the loss of cutoff = TPB against the best cutoff.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_fig_4 {
namespace {

constexpr int factors[] = {1, 2, 4, 8, 16};

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentRow& row = rows.front();
  const auto tpb = std::stoull(row.what.given.at("tpb"));
  double lowest = 0, best = 0;
  std::string best_cutoff;
  BuildReport first;
  for (std::size_t i = 0; i < std::size(factors); ++i) {
    const auto cutoff = tpb * static_cast<unsigned>(factors[i]);
    if (i > 0 && cutoff > row.n) break;  // no level would be sorted in parallel
    const auto reports =
        build_row(row, {{"cutoff", std::to_string(cutoff)}}, false, options, share_of(control, i / 5.0, (i + 1) / 5.0));
    if (!reports) return reports.error();
    if (reports->empty()) return {};
    const double ms = median_ms(reports->front().build_ms);
    if (i == 0) lowest = ms, first = reports->front();
    if (i == 0 || ms < best) best = ms, best_cutoff = std::to_string(cutoff);
  }
  const double loss = best > 0 ? 100 * (lowest / best - 1) : 0;
  fill_row(row, {}, first);
  row.samples.summary = {first.build_ms.size(), loss, loss, loss, loss};
  row.details = {best_cutoff, std::to_string(lowest), std::to_string(best)};
  return {};
}

}  // namespace

Experiment declare() {
  using namespace wehr_2018;
  Experiment made = experiment("wehr-fig-4", "Figure 4", "loss of cutoff = TPB against the best cutoff", {"base"});
  made.measure = measure;
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " The text states a loss of at most 0.0025 %. Cutoffs of 1, 2, 4, 8 and 16 TPB are tried if they leave a level "
      "to the parallel sort.";
  spec.statistic = Statistic::median_and_range;
  spec.y = {"loss", "%", false};
  spec.printed = {{"text", "at most (section IV-A)"}};
  spec.details = {"best_cutoff", "ms_at_tpb", "ms_at_best"};
  for (const int tpb : threads_per_block) {
    spec.series.push_back("TPB " + std::to_string(tpb));
    for (const std::uint64_t n : {2'000, 10'000, 50'000, 100'000, 200'000, 500'000})
      add_row(spec, spec.series.back(), Data::random, n, {{"tpb", std::to_string(tpb)}}).printed = {
          printed_value("<0.0025")};
  }
  return made;
}

}  // namespace kdscope::wehr_fig_4
