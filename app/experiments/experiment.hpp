#pragma once
// Experiments: tables and figures of the sources, measured again on this machine beside what was printed. No Qt: the
// headless tool writes them as CSV, the app draws them.

#include <functional>
#include <optional>
#include <ostream>
#include <span>
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

/// Which numbers of several builds a source shows, and so chart and table.
enum class Statistic { median_and_range, mean_and_deviation };

/// What a source printed in one place, as a number where it is one.
struct PrintedValue {
  std::string text;             ///< as it goes into CSV, in the axis' unit: "12.8", "<1", "oom"
  std::optional<double> value;  ///< 12.8; of "<1" the bound
  bool upper_bound = false;     ///< printed with "<"
};
/// Reads "12.8" and "<1"; any other text has no value.
PrintedValue printed_value(std::string text);

/// Whose numbers a source printed.
struct PrintedSeries {
  std::string id;     ///< "rtx_8000", part of a CSV column's name
  std::string title;  ///< "RTX 8000"
};

/// What a row builds.
struct RowBuild {
  std::string algorithm;                 ///< a row of one that is not registered has a reason instead of numbers
  std::string data;                      ///< specification of row.n points
  std::uint32_t dim = 3;                 ///< of these points, for the estimate of memory
  Parameters fixed;                      ///< beside the experiment's own
  Backend backend = Backend::automatic;  ///< automatic for that of the options
  int processors = 0;                    ///< multiprocessors or threads; 0 for all
};

/// One place of the table: what was printed there, and once it is measured, what came out.
struct ExperimentRow {
  std::string facet;   ///< one of the spec's; empty where it has none
  std::string series;  ///< one of the spec's
  double x = 0;
  std::uint64_t n = 0;                ///< points or what else the spec counts, for the limit; often x itself
  std::vector<PrintedValue> printed;  ///< one for each of the spec's printed series
  RowBuild build;
  int run = -1;  ///< neighbours of the same run come out of it together; -1 for a row alone

  bool measured = false;                   ///< the numbers below are there
  std::string reason;                      ///< why they never will be: "oom"
  double median = 0, least = 0, most = 0;  ///< in the unit of the y axis
  double mean = 0, deviation = 0;
  std::size_t repeats = 0;
  std::uint64_t tree_hash = 0;
  Device device;          ///< of a row with a reason, its back end only
  Parameters parameters;  ///< completed, and of a measured row those of the build, with "auto" resolved
  std::vector<std::string>
      details;  ///< one for each of the spec's, once measured; what is known before may stand there already

  /// What a chart shows of several builds.
  double middle(Statistic s) const { return s == Statistic::median_and_range ? median : mean; }
  double low(Statistic s) const { return s == Statistic::median_and_range ? least : mean - deviation; }
  double high(Statistic s) const { return s == Statistic::median_and_range ? most : mean + deviation; }
};

struct ExperimentSpec {
  std::string id;             ///< "wald-table-1"
  std::string citation;       ///< "Wald 2023, Table 1"
  std::string title;          ///< "build times of int1 and float4 points, ..."
  std::string notes;          ///< sentences that explain the printed numbers; may be empty
  std::string facet_column;   ///< what distinguishes neighbouring charts; empty for one chart
  std::string series_column;  ///< what distinguishes series, such as "data"
  std::string x_column;       ///< "n"
  Axis x, y;
  Statistic statistic = Statistic::median_and_range;
  std::vector<std::string> facets, series;  ///< in the order of their rows
  std::vector<PrintedSeries> printed;
  std::vector<ParameterSpec> parameters;
  std::vector<std::string> shown_parameters;     ///< of the builders; columns of the CSV
  std::vector<std::string> details;              ///< further columns
  std::string counted = "points";                ///< what n is the number of
  std::uint64_t usual_max_n_on_cpu = 1'000'000;  ///< more take a CPU minutes
  std::vector<ExperimentRow> rows;  ///< all that the source shows, nothing measured yet; smallest first in a series
};

/// Adds a row at x = n with nothing printed and no details yet, a place for each of them.
ExperimentRow& add_row(ExperimentSpec& spec, std::string series, std::uint64_t n);

struct ExperimentOptions {
  std::uint64_t max_n = 0;  ///< leaves out rows of more points; 0 for none
  int repeat = 0;           ///< timed builds a row; 0 for 25, and down to 3 where they would take more than two seconds
  Backend backend = Backend::automatic;
  Parameters parameters;
  std::optional<std::uint64_t> host_memory;  ///< bytes to stay within; what is free when absent
};

struct Experiment {
  ExperimentSpec spec;
  /// Measures the rows of one run, whose parameters are completed, or gives them a reason. An error ends the
  /// experiment.
  Result<void> (*measure)(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control);
};

/// All experiments, in the order of their ids.
const std::vector<Experiment>& experiments();
const Experiment* find_experiment(std::string_view id);

/// Smallest and largest number of points among the rows.
std::pair<std::uint64_t, std::uint64_t> range_of_n(const ExperimentSpec& spec);

/// Hears of each row as soon as it is measured, on the running thread; `index` is its place among the spec's rows.
using RowSink = std::function<void(std::size_t index, const ExperimentRow& row)>;

/// Measures run by run. What memory does not hold is a row with the reason oom. Errors: an unknown parameter, no such
/// device, no row within max_n, cancelled; rows heard of before stay valid.
Result<void> run_experiment(const Experiment& experiment, const ExperimentOptions& options, const RowSink& sink,
                            const RunControl& control = {});

/// The part of a run's progress from begin to end, both 0 to 1; `what` in place of its words, unless that is empty.
RunControl share_of(const RunControl& control, double begin, double end, const std::string& what = {});

/// CSV: what distinguishes rows, the measured numbers, the printed ones. A row without numbers has the reason instead.
void write_csv_header(std::ostream& out, const ExperimentSpec& spec);
void write_csv_row(std::ostream& out, const ExperimentSpec& spec, const ExperimentRow& row);

}  // namespace kdscope
