#include "app/bench/bench_charts.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

ExperimentSpec spec_for(const BenchResults& results, BenchWork work, const std::string& distribution) {
  ExperimentSpec spec;
  spec.id = "bench";
  spec.title = std::string(work == BenchWork::build ? "Builds of " : "Searches of ") + distribution + ", measured on " +
               results.date.substr(0, 10) + " by kdscope-cli bench.";
  spec.notes =
      "GB/s are compulsory bytes per second: a build reads its input and writes the tree; a search reads tree and "
      "queries, and writes what it finds.";
  spec.series_column = work == BenchWork::build ? "builder" : "search";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.usual_max_n_on_cpu = std::numeric_limits<std::uint64_t>::max();
  return spec;
}

void add_series(ExperimentSpec& spec, const std::string& series) {
  if (std::ranges::count(spec.series, series) == 0) spec.series.push_back(series);
}

/// A row of the chart. value(ms) is what the chart shows of a time.
template <class Value>
void add_bench_row(ExperimentSpec& spec, const BenchRow& row, const BenchTable& table, Value value) {
  add_series(spec, row.name());
  ExperimentRow& added = add_row(spec, row.name(), row.n);
  added.device.backend = table.backend;
  added.device.name = table.device;
  if (!row.measured()) {
    added.reason = row.over_time ? "time limit" : "left out";
    return;
  }
  added.measured = true;
  added.median = value(row.median());
  added.least = std::min(value(row.quantile_ms(0)), value(row.quantile_ms(1)));
  added.most = std::max(value(row.quantile_ms(0)), value(row.quantile_ms(1)));
  added.repeats = row.ms.size();
  added.tree_hash = row.work == BenchWork::build ? row.hash : 0;
  added.parameters = row.parameters;
}

std::vector<std::string> details_of(const BenchRow& row, const BenchTable& table) {
  if (!row.measured()) return {"", "", "", "", "", row.reason};
  const double speed = row.gigabytes_per_second();
  return {short_number(speed, 3),
          table.copy_gigabytes > 0 ? short_number(100 * speed / table.copy_gigabytes, 3) + " %" : "",
          row.peak_bytes > 0 ? bytes_text(row.peak_bytes) : "",
          row.launches ? std::to_string(*row.launches) : "",
          std::to_string(row.processors),
          ""};
}

void add_copy(ExperimentSpec& spec, const BenchTable& table) {
  const auto [least, most] = std::ranges::minmax(spec.rows, {}, &ExperimentRow::n);
  const std::uint64_t ends[] = {least.n, most.n};
  add_series(spec, "copy");
  for (const std::uint64_t n : ends) {
    ExperimentRow& row = add_row(spec, "copy", n);
    row.measured = true;
    row.median = row.least = row.most = table.copy_gigabytes;
    row.device.backend = table.backend;
    row.device.name = table.device;
    if (ends[0] == ends[1]) break;
  }
}

BenchChart chart_of(const BenchResults& results, const BenchTable& table, BenchWork work,
                    const std::string& distribution) {
  BenchChart chart{std::string(results.tables.size() > 1 ? std::string(name_of(table.backend)) + " " : "") +
                       (work == BenchWork::build ? "builds, " : "searches, ") + distribution,
                   {spec_for(results, work, distribution), nullptr},
                   {spec_for(results, work, distribution), nullptr}};
  ExperimentSpec &times = chart.times.spec, &speeds = chart.speeds.spec;
  times.y = {work == BenchWork::build ? "time per point" : "time per query", "ns", true};
  times.details = {"GB/s",    "of copy", "memory", "launches", table.backend == Backend::cpu ? "threads" : "processors",
                   "left out"};
  speeds.y = {"compulsory bytes per second", "GB/s", true};
  for (const BenchRow& row : table.rows) {
    if (row.work != work || row.distribution != distribution) continue;
    const double n = static_cast<double>(row.n), bytes = static_cast<double>(row.compulsory_bytes);
    add_bench_row(times, row, table, [&](double ms) { return n > 0 ? ms * 1e6 / n : 0; });
    times.rows.back().details = details_of(row, table);
    add_bench_row(speeds, row, table, [&](double ms) { return ms > 0 ? bytes / 1e6 / ms : 0; });
  }
  const auto in_order = [](ExperimentSpec& spec) {
    std::ranges::stable_sort(spec.rows, {}, [&](const ExperimentRow& row) {
      return std::pair(std::ranges::find(spec.series, row.series) - spec.series.begin(), row.n);
    });
  };
  in_order(times);
  in_order(speeds);
  if (table.copy_gigabytes > 0) add_copy(speeds, table);
  return chart;
}

}  // namespace

std::vector<BenchChart> bench_charts(const BenchResults& results) {
  std::vector<BenchChart> charts;
  for (const BenchTable& table : results.tables) {
    std::vector<std::pair<BenchWork, std::string>> kinds;
    for (const BenchRow& row : table.rows)
      if (const std::pair kind(row.work, row.distribution); std::ranges::count(kinds, kind) == 0) kinds.push_back(kind);
    for (const auto& [work, distribution] : kinds) charts.push_back(chart_of(results, table, work, distribution));
  }
  return charts;
}

}  // namespace kdscope
