#include "app/experiments/experiment.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace kdscope {
namespace {

std::string quoted_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

/// Whole numbers without an exponent.
std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, x == std::floor(x) && std::abs(x) < 1e15 ? "%.0f" : "%g", x);
  return text;
}

std::string size_text(std::uint64_t n) {
  constexpr struct {
    std::uint64_t factor;
    const char* suffix;
  } units[] = {{1'000'000'000, "G"}, {1'000'000, "M"}, {1'000, "K"}};
  for (const auto& unit : units)
    if (n >= unit.factor && n % unit.factor == 0) return std::to_string(n / unit.factor) + unit.suffix;
  return std::to_string(n);
}

/// The part of an experiment's progress that one row is, from 0 to 1.
RunControl share_of(const RunControl& control, double begin, double end, const std::string& what) {
  RunControl part = control;
  if (control.progress)
    part.progress = [&control, begin, end, what](double fraction, std::string_view) {
      control.progress(begin + (end - begin) * fraction, what);
    };
  return part;
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

Result<void> run_experiment(const Experiment& experiment, const ExperimentOptions& options, const RowSink& sink,
                            const RunControl& control) {
  const ExperimentSpec& spec = experiment.spec;
  AlgorithmSpec declared;  // an experiment's parameters are declared, and so completed, as a builder's are
  declared.id = spec.id;
  declared.parameters = spec.parameters;
  auto parameters = complete_parameters(declared, options.parameters);
  if (!parameters) return parameters.error();

  const auto wanted = [&](const ExperimentRow& row) { return options.max_n == 0 || row.n <= options.max_n; };
  double all = 0, done = 0;
  for (const ExperimentRow& row : spec.rows) all += wanted(row) ? static_cast<double>(row.n) : 0;
  if (all == 0)
    return Error{ErrorKind::bad_usage, spec.id + " has no row of " + std::to_string(options.max_n) + " points or fewer",
                 "", "ask for " + size_text(range_of_n(spec).first) + " or more"};
  for (std::size_t i = 0; i < spec.rows.size(); ++i) {
    if (!wanted(spec.rows[i])) continue;
    if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the experiment was cancelled", "", ""};
    ExperimentRow row = spec.rows[i];
    row.parameters = *parameters;
    const double end = done + static_cast<double>(row.n);
    const std::string what = row.series + ", " + size_text(row.n) + " points";
    const auto measured = experiment.measure(row, options, share_of(control, done / all, end / all, what));
    if (!measured) return measured.error();
    sink(i, row);
    done = end;
  }
  return {};
}

void write_csv_header(std::ostream& out, const ExperimentSpec& spec) {
  const std::string& unit = spec.y.unit;
  out << spec.series_column << ',' << spec.x_column;
  for (const ParameterSpec& parameter : spec.parameters) out << ',' << parameter.name;
  out << ",backend,device,repeats,median_" << unit << ",min_" << unit << ",max_" << unit << ",tree_hash";
  for (const PrintedSeries& printed : spec.printed) out << ",paper_" << printed.id << '_' << unit;
  out << '\n';
}

void write_csv_row(std::ostream& out, const ExperimentSpec& spec, const ExperimentRow& row) {
  out << row.series << ',' << number(row.x);
  for (const ParameterSpec& parameter : spec.parameters) out << ',' << row.parameters.at(parameter.name);
  out << ',' << name_of(row.device.backend) << ',';
  if (row.measured) {
    char hash[20];
    std::snprintf(hash, sizeof hash, "0x%016llx", static_cast<unsigned long long>(row.tree_hash));
    out << quoted_field(row.device.name) << ',' << row.repeats << ',' << row.median << ',' << row.least << ','
        << row.most << ',' << hash;
  } else {
    out << ",0," << row.reason << ',' << row.reason << ',' << row.reason << ',';
  }
  for (const PrintedValue& printed : row.printed) out << ',' << printed.text;
  out << '\n';
}

}  // namespace kdscope
