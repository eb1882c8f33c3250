#pragma once
// Experiments: tables and figures of the sources, measured again on this machine beside what was printed. No Qt: the
// headless tool writes them as CSV, the app draws them.

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"

namespace kdscope {

struct Axis {
  std::string title;  ///< "points", "build time"
  std::string unit;   ///< "ms"; empty for counts
  bool logarithmic = false;
};

/// What a source printed in one place, as a number where it is one.
struct PrintedValue {
  std::string text;             ///< as it goes into CSV, in the axis' unit: "12.8", "<1", "oom"
  std::optional<double> value;  ///< 12.8; of "<1" the bound
  bool upper_bound = false;     ///< the text says "<"
};
/// Reads "12.8" and "<1"; any other text has no value.
PrintedValue printed_value(std::string text);

/// Whose numbers a source printed.
struct PrintedSeries {
  std::string id;     ///< "rtx_8000", part of a CSV column's name
  std::string title;  ///< "RTX 8000"
};

/// One place of the table: what was printed there, and once it is measured, what came out.
struct ExperimentRow {
  std::string series;  ///< one of the spec's
  double x = 0;
  std::uint64_t n = 0;                ///< points to build, for the limit; often x itself
  std::vector<PrintedValue> printed;  ///< one for each of the spec's printed series

  bool measured = false;                   ///< the numbers below are there
  std::string reason;                      ///< why they never will be: "oom"
  double median = 0, least = 0, most = 0;  ///< in the unit of the y axis
  std::size_t repeats = 0;
  std::uint64_t tree_hash = 0;
  Device device;          ///< of a row with a reason, its back end only
  Parameters parameters;  ///< completed
};

struct ExperimentSpec {
  std::string id;             ///< "wald-table-1"
  std::string citation;       ///< "Wald 2023, Table 1"
  std::string title;          ///< "build times of int1 and float4 points, ..."
  std::string series_column;  ///< what tells series apart, "data"
  std::string x_column;       ///< "n"
  Axis x, y;
  std::vector<std::string> series;  ///< in the order of their rows
  std::vector<PrintedSeries> printed;
  std::vector<ParameterSpec> parameters;
  std::vector<ExperimentRow> rows;  ///< all that the source shows, nothing measured yet; smallest first in a series
};

struct ExperimentOptions {
  std::uint64_t max_n = 0;  ///< leaves out rows of more points; 0 for none
  int repeat = 0;           ///< timed builds a row; 0 for the experiment's own choice
  Backend backend = Backend::automatic;
  Parameters parameters;
  std::optional<std::uint64_t> host_memory;  ///< bytes to stay within; what is free when absent
};

struct Experiment {
  ExperimentSpec spec;
  /// Measures one row, whose parameters are completed, or gives it a reason. An error ends the experiment.
  Result<void> (*measure)(ExperimentRow& row, const ExperimentOptions& options, const RunControl& control);
};

/// All experiments, in the order of their ids.
const std::vector<Experiment>& experiments();
const Experiment* find_experiment(std::string_view id);

/// Smallest and largest number of points among the rows.
std::pair<std::uint64_t, std::uint64_t> range_of_n(const ExperimentSpec& spec);

/// Hears of each row as soon as it is measured, on the running thread; `index` is its place among the spec's rows.
using RowSink = std::function<void(std::size_t index, const ExperimentRow& row)>;

/// Measures row by row. What memory does not hold is a row with the reason oom. Errors: an unknown parameter, no such
/// device, no row within max_n, cancelled; rows heard of before stay valid.
Result<void> run_experiment(const Experiment& experiment, const ExperimentOptions& options, const RowSink& sink,
                            const RunControl& control = {});

/// CSV: what tells rows apart, the measured numbers, the printed ones.
void write_csv_header(std::ostream& out, const ExperimentSpec& spec);
void write_csv_row(std::ostream& out, const ExperimentSpec& spec, const ExperimentRow& row);

}  // namespace kdscope
