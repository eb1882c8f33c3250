#include "app/bench/bench_charts.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

ExperimentSpec spec_for(const MeasuredRun& results, WorkKind work, const std::string& distribution) {
  ExperimentSpec spec;
  spec.id = "bench";
  spec.title = std::string(work == WorkKind::build ? "Builds of " : "Searches of ") + distribution + ", measured on " +
               results.date.substr(0, 10) + " by kdscope-cli.";
  spec.notes =
      "GB/s are compulsory bytes per second: a build reads its input and writes the tree; a search reads tree and "
      "queries, and writes what it finds.";
  spec.series_column = work == WorkKind::build ? "builder" : "search";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.usual_max_n_on_cpu = std::numeric_limits<std::uint64_t>::max();
  return spec;
}

void add_series(ExperimentSpec& spec, const std::string& series) {
  if (std::ranges::count(spec.series, series) == 0) spec.series.push_back(series);
}

/// The samples with `value` of each time.
template <class Value>
Samples shown(const Samples& samples, Value value) {
  Samples values;
  for (const double ms : samples.values) values.values.push_back(value(ms));
  if (const auto& known = samples.summary)
    values.summary = {known->count,       value(known->median), value(known->least),
                      value(known->most), value(known->mean),   value(known->deviation)};
  return values;
}

/// Adds a row of the chart. value(ms): what the chart shows of a time.
template <class Value>
void add_bench_row(ExperimentSpec& spec, const MeasuredRow& row, const MeasuredTable& table, Value value) {
  add_series(spec, row.what.name());
  ExperimentRow& added = add_row(spec, row.what.name(), row.n);
  static_cast<MeasuredRow&>(added) = row;
  added.device.backend = table.backend;
  added.device.name = table.device;
  added.samples = shown(row.samples, value);
  if (!row.measured()) added.reason = row.over_time ? "time limit" : "left out";
  if (row.what.kind != WorkKind::build) added.facts.hash = 0;
}

std::vector<std::string> details_of(const MeasuredRow& row, const MeasuredTable& table) {
  if (!row.measured()) return {"", "", "", "", "", row.reason};
  const double speed = row.gigabytes_per_second();
  return {speed > 0 ? short_number(speed, 3) : "",
          speed > 0 && table.copy_gigabytes > 0 ? short_number(100 * speed / table.copy_gigabytes, 3) + " %" : "",
          row.facts.peak_bytes > 0 ? bytes_text(row.facts.peak_bytes) : "",
          row.facts.launches ? std::to_string(*row.facts.launches) : "",
          row.facts.processors > 0 ? std::to_string(row.facts.processors) : "",
          ""};
}

void add_copy(ExperimentSpec& spec, const MeasuredTable& table) {
  const auto [least, most] = std::ranges::minmax(spec.rows, {}, &ExperimentRow::n);
  const std::uint64_t ends[] = {least.n, most.n};
  add_series(spec, "copy");
  for (const std::uint64_t n : ends) {
    ExperimentRow& row = add_row(spec, "copy", n);
    row.samples = {{table.copy_gigabytes}};
    row.device.backend = table.backend;
    row.device.name = table.device;
    if (ends[0] == ends[1]) break;
  }
}

/// What distinguishes the table from others of the run: "cuda ", "cpu with processors=4 ".
std::string title_of(const MeasuredRun& results, const MeasuredTable& table) {
  if (results.tables.size() < 2) return {};
  std::string title = name_of(table.backend);
  if (table.processors > 0 && std::ranges::count(results.tables, table.backend, &MeasuredTable::backend) > 1)
    title += " with processors=" + std::to_string(table.processors);
  return title + " ";
}

BenchChart chart_of(const MeasuredRun& results, const MeasuredTable& table, WorkKind work,
                    const std::string& distribution) {
  BenchChart chart{title_of(results, table) + (work == WorkKind::build ? "builds, " : "searches, ") + distribution,
                   {spec_for(results, work, distribution), nullptr},
                   {spec_for(results, work, distribution), nullptr}};
  ExperimentSpec &times = chart.times.spec, &speeds = chart.speeds.spec;
  times.y = {work == WorkKind::build ? "time per point" : "time per query", "ns", true};
  times.details = {"GB/s",    "of copy", "memory", "launches", table.backend == Backend::cpu ? "threads" : "processors",
                   "left out"};
  speeds.y = {"compulsory bytes per second", "GB/s", true};
  for (const MeasuredRow& row : table.rows) {
    if (row.what.kind != work || row.distribution != distribution || row.n == 0) continue;
    const double n = static_cast<double>(row.n), bytes = static_cast<double>(row.facts.compulsory_bytes);
    add_bench_row(times, row, table, [&](double ms) { return ms * 1e6 / n; });
    times.rows.back().details = details_of(row, table);
    if (bytes > 0 || !row.measured())
      add_bench_row(speeds, row, table, [&](double ms) { return ms > 0 ? bytes / 1e6 / ms : 0; });
  }
  const auto in_order = [](ExperimentSpec& spec) {
    std::ranges::stable_sort(spec.rows, {}, [&](const ExperimentRow& row) {
      return std::pair(std::ranges::find(spec.series, row.series) - spec.series.begin(), row.n);
    });
  };
  in_order(times);
  in_order(speeds);
  if (table.copy_gigabytes > 0 && !speeds.rows.empty()) add_copy(speeds, table);
  return chart;
}

}  // namespace

std::vector<BenchChart> bench_charts(const MeasuredRun& results) {
  std::vector<BenchChart> charts;
  for (const MeasuredTable& table : results.tables) {
    std::vector<std::pair<WorkKind, std::string>> kinds;
    for (const MeasuredRow& row : table.rows)
      if (const std::pair kind(row.what.kind, row.distribution); std::ranges::count(kinds, kind) == 0)
        kinds.push_back(kind);
    for (const auto& [work, distribution] : kinds) {
      charts.push_back(chart_of(results, table, work, distribution));
      if (charts.back().times.spec.rows.empty()) charts.pop_back();
    }
  }
  return charts;
}

}  // namespace kdscope
