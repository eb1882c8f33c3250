#include "app/experiments/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "algorithms/text/csv.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/experiments/measured_rows.hpp"

namespace kdscope {
namespace {

std::string size_text(std::uint64_t n) {
  constexpr struct {
    std::uint64_t factor;
    const char* suffix;
  } units[] = {{1'000'000'000, "G"}, {1'000'000, "M"}, {1'000, "K"}};
  for (const auto& unit : units)
    if (n >= unit.factor && n % unit.factor == 0) return std::to_string(n / unit.factor) + unit.suffix;
  return std::to_string(n);
}

/// The unit as it appears in a column's name.
std::string column_unit(const std::string& unit) { return unit == "%" ? "percent" : unit; }

/// Columns of parameters: the experiment's own, then those of the builders.
std::vector<std::string> parameter_columns(const ExperimentSpec& spec) {
  std::vector<std::string> names;
  for (const ParameterSpec& parameter : spec.parameters) names.push_back(parameter.name);
  for (const std::string& name : spec.shown_parameters)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

PrintedValue printed_value(std::string text) {
  PrintedValue printed;
  printed.upper_bound = text.starts_with('<');
  const char* begin = text.data() + (printed.upper_bound ? 1 : 0);
  double value = 0;
  if (const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
      error == std::errc() && end == text.data() + text.size())
    printed.value = value;
  printed.text = std::move(text);
  return printed;
}

ExperimentRow& add_row(ExperimentSpec& spec, std::string series, std::uint64_t n) {
  ExperimentRow& row = spec.rows.emplace_back();
  row.series = std::move(series);
  row.x = static_cast<double>(n);
  row.n = n;
  row.printed.resize(spec.printed.size());
  row.details.resize(spec.details.size());
  return row;
}

void ExperimentRow::builds(std::string algorithm, std::string data, std::uint32_t dim, Parameters given, Backend on) {
  what.subject = std::move(algorithm);
  what.data = std::move(data);
  what.given = std::move(given);
  facts.dim = dim;
  backend = on;
}

void ExperimentRow::searches(std::string search, std::string of, std::uint32_t k, Parameters given) {
  what.kind = WorkKind::search;
  what.search = std::move(search);
  what.search_given = std::move(given);
  what.k = k;
  queries = std::move(of);
}

const Experiment* find_experiment(std::string_view id) {
  for (const Experiment& e : experiments())
    if (e.spec.id == id) return &e;
  return nullptr;
}

std::pair<std::uint64_t, std::uint64_t> range_of_n(const ExperimentSpec& spec) {
  const auto [least, most] =
      std::minmax_element(spec.rows.begin(), spec.rows.end(), [](const auto& a, const auto& b) { return a.n < b.n; });
  return {least->n, most->n};
}

namespace {

/// Fills the ratio details of rows that name a series to be compared with; the other series must come first.
class Ratios {
 public:
  explicit Ratios(const ExperimentSpec& spec) : spec_(spec) {}

  void add(std::span<ExperimentRow> rows) {
    if (spec_.ratio_detail < 0) return;
    for (const ExperimentRow& row : rows)
      if (row.measured()) middles_[{row.facet, row.series, row.x}] = row.middle(spec_.statistic);
    for (ExperimentRow& row : rows) {
      const std::string& facet = row.compared_facet.empty() ? row.facet : row.compared_facet;
      const auto other = middles_.find({facet, row.compared_with, row.x});
      if (!row.measured() || row.compared_with.empty() || other == middles_.end()) continue;
      row.details[static_cast<std::size_t>(spec_.ratio_detail)] =
          short_number(other->second / row.middle(spec_.statistic), 3);
    }
  }

 private:
  const ExperimentSpec& spec_;
  std::map<std::tuple<std::string, std::string, double>, double> middles_;
};

}  // namespace

Result<void> run_experiment(const Experiment& experiment, const ExperimentOptions& options, const RowSink& sink,
                            const RunControl& control) {
  const ExperimentSpec& spec = experiment.spec;
  auto parameters = complete_parameters(spec.id, spec.parameters, options.parameters);
  if (!parameters) return parameters.error();

  ExperimentOptions chosen = options;
  if (chosen.repeat == 0) chosen.repeat = spec.repeats;
  const auto wanted = [&](const ExperimentRow& row) { return options.max_n == 0 || row.n <= options.max_n; };
  double all = 0, done = 0;
  for (const ExperimentRow& row : spec.rows) all += wanted(row) ? static_cast<double>(row.n) : 0;
  if (all == 0)
    return Error{ErrorKind::bad_usage,
                 spec.id + " has no row of " + std::to_string(options.max_n) + " " + spec.counted + " or fewer", "",
                 "ask for " + size_text(range_of_n(spec).first) + " or more"};
  Ratios ratios(spec);
  for (std::size_t first = 0, next; first < spec.rows.size(); first = next) {
    const ExperimentRow& head = spec.rows[first];
    next = first + 1;
    while (next < spec.rows.size() && head.run >= 0 && spec.rows[next].run == head.run) ++next;
    if (!wanted(head)) continue;
    if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the experiment was cancelled", "", ""};
    std::vector<ExperimentRow> rows(spec.rows.begin() + static_cast<std::ptrdiff_t>(first),
                                    spec.rows.begin() + static_cast<std::ptrdiff_t>(next));
    for (ExperimentRow& row : rows) row.facts.parameters = *parameters;
    const double end = done + static_cast<double>(head.n) * static_cast<double>(rows.size());
    std::string what =
        (head.facet.empty() ? "" : head.facet + ", ") + head.series + ", " + size_text(head.n) + " " + spec.counted;
    const auto measured = measure_rows(experiment, rows, chosen, share_of(control, done / all, end / all, what));
    if (!measured) return measured.error();
    ratios.add(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) sink(first + i, rows[i]);
    done = end;
  }
  return {};
}

RunControl share_of(const RunControl& control, double begin, double end, const std::string& what) {
  RunControl part = control;
  if (control.progress)
    part.progress = [whole = control.progress, begin, end, what](double fraction, std::string_view detail) {
      whole(begin + (end - begin) * fraction, what.empty() ? detail : what);
    };
  return part;
}

void write_csv_header(std::ostream& out, const ExperimentSpec& spec) {
  const std::string unit = column_unit(spec.y.unit);
  std::string text;
  CsvWriter csv(text);
  if (!spec.facet_column.empty()) csv << spec.facet_column;
  csv << spec.series_column << spec.x_column;
  for (const std::string& name : parameter_columns(spec)) csv << name;
  csv << "backend"
      << "device"
      << "repeats";
  for (const char* what : {"median_", "min_", "max_", "mean_", "sd_"}) csv << what + unit;
  csv << "tree_hash";
  for (const std::string& name : spec.details) csv << name;
  for (const PrintedSeries& printed : spec.printed) csv << "paper_" + printed.id + "_" + unit;
  csv.end_row();
  out << text;
}

void write_csv_row(std::ostream& out, const ExperimentSpec& spec, const ExperimentRow& row) {
  std::string text;
  CsvWriter csv(text);
  if (!spec.facet_column.empty()) csv << row.facet;
  csv << row.series << table_number(row.x);
  for (const std::string& name : parameter_columns(spec)) {
    const Parameters& of = !row.measured() && row.what.given.contains(name) ? row.what.given : row.facts.parameters;
    const auto value = of.find(name);
    csv << (value != of.end() ? value->second : "");
  }
  csv << name_of(row.device.backend);
  if (row.measured()) {
    csv << row.device.name << row.samples.count();
    for (const double value :
         {row.samples.median(), row.samples.least(), row.samples.most(), row.samples.mean(), row.samples.deviation()})
      csv << value;
    csv << (row.facts.hash != 0 ? hash_text(row.facts.hash) : "");  // empty if the row's build has no tree
  } else {
    csv << "" << 0;
    for (int i = 0; i < 5; ++i) csv << row.reason;
    csv << "";
  }
  for (std::size_t i = 0; i < spec.details.size(); ++i) csv << (i < row.details.size() ? row.details[i] : "");
  for (const PrintedValue& printed : row.printed) csv << printed.text;
  csv.end_row();
  out << text;
}

}  // namespace kdscope
