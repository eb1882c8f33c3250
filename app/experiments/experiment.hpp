#pragma once
// Experiments: tables and figures of the sources, measured again on this machine and compared with the printed values.
// No Qt: the headless tool writes them as CSV, and the app draws them.

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "app/measure/measured_row.hpp"

namespace kdscope {

namespace variants {
class Runners;
}

struct Axis {
  std::string title;  ///< "points", "build time"
  std::string unit;   ///< "ms"; empty for counts
  bool logarithmic = false;
};

/// The statistics of several builds that a source prints. Chart and table show the same ones.
enum class Statistic { median_and_range, mean_and_deviation };

/// One printed value of a source, with its number if it is one.
struct PrintedValue {
  std::string text;             ///< as written to CSV, in the unit of the axis: "12.8", "<1", "oom"
  std::optional<double> value;  ///< 12.8; for "<1" the bound
  bool upper_bound = false;     ///< printed with "<"
};
/// Reads "12.8" and "<1"; any other text has no value.
PrintedValue printed_value(std::string text);

/// A machine or method whose numbers a source printed.
struct PrintedSeries {
  std::string id;     ///< "rtx_8000", part of a CSV column's name
  std::string title;  ///< "RTX 8000"
};

/// One entry of the table: a measured row with its place in the table and its printed values. Before it is measured,
/// its parameters are those that the experiment asks for; then those of the build, with "auto" resolved. Its samples
/// are in the unit of the y axis, its hash is that of the tree, and its size is what the spec counts, for max_n.
struct ExperimentRow : MeasuredRow {
  std::string facet = {};   ///< one of the spec's; empty if the spec has none
  std::string series = {};  ///< one of the spec's
  double x = 0;
  std::vector<PrintedValue> printed = {};  ///< one per printed series of the spec
  std::string opened = {};                 ///< what.data as open_data_set() takes it; empty: as it is
  Backend backend = Backend::automatic;    ///< automatic: the back end of the options
  std::string queries = {};  ///< of a search, as open_queries() takes them; empty: the points of the build
  /// Series whose row with the same facet and x takes a number of times longer, in the spec's ratio detail; may be
  /// empty
  std::string compared_with = {};
  std::string compared_facet = {};  ///< facet of that series; empty: the row's own
  int run = -1;                     ///< consecutive rows with the same run are measured together; -1: this row alone
  Device device = {};               ///< in a row with a reason, only the back end is set
  std::vector<std::string> details = {};  ///< one per detail of the spec; some are known before the row is measured

  /// Sets the build. dim: dimensions of the points, for the memory estimate. given: in addition to the experiment's
  /// own.
  void builds(std::string algorithm, std::string data, std::uint32_t dim, Parameters given, Backend on = {});
  /// Times a search for the nearest points on the tree of the build, in place of the build.
  void searches(std::string search, std::string of, std::uint32_t k, Parameters given = {});

  const std::string& specification() const { return opened.empty() ? what.data : opened; }
  bool searching() const { return what.kind == WorkKind::search; }
  /// The middle and the ends of the range that a chart shows. Preconditions: measured().
  double middle(Statistic s) const { return s == Statistic::median_and_range ? samples.median() : samples.mean(); }
  double low(Statistic s) const {
    return s == Statistic::median_and_range ? samples.least() : samples.mean() - samples.deviation();
  }
  double high(Statistic s) const {
    return s == Statistic::median_and_range ? samples.most() : samples.mean() + samples.deviation();
  }
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
  std::vector<std::string> shown_parameters;     ///< parameters of the builders that are columns of the CSV
  std::vector<std::string> details;              ///< further columns
  int ratio_detail = -1;                         ///< which of them is the ratio to the series compared with
  std::string counted = "points";                ///< what n counts
  std::uint64_t usual_max_n_on_cpu = 1'000'000;  ///< larger sizes take minutes on a CPU
  int repeats = 0;                  ///< timed builds per row where the options leave them open; 0: automatic
  std::vector<ExperimentRow> rows;  ///< all rows of the source, not measured yet; smallest first in a series
};

/// Adds a row at x = n, with an empty place for each printed value and each detail.
ExperimentRow& add_row(ExperimentSpec& spec, std::string series, std::uint64_t n);

struct ExperimentOptions {
  std::uint64_t max_n = 0;  ///< leaves out rows with larger n; 0: no limit
  int repeat = 0;  ///< timed builds per row; 0: as the spec states, else 25, or down to 3 if they would take over 2 s
  Backend backend = Backend::automatic;
  Parameters parameters;
  std::optional<std::uint64_t> host_memory;  ///< limit in bytes; default: the available memory
};

struct Experiment {
  ExperimentSpec spec;
  /// Measures the rows of one run, or gives them a reason. Precondition: their parameters are completed. An error ends
  /// the experiment.
  Result<void> (*measure)(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control);
};

/// All experiments, in the order of their ids.
const std::vector<Experiment>& experiments();
const Experiment* find_experiment(std::string_view id);

/// Smallest and largest number of points among the rows.
std::pair<std::uint64_t, std::uint64_t> range_of_n(const ExperimentSpec& spec);

/// Called with each row as soon as it is measured, on the running thread; `index` is its place among the spec's rows.
using RowSink = std::function<void(std::size_t index, const ExperimentRow& row)>;

/// Which rows are measured, and where.
struct ExperimentShare {
  /// Each run is measured by the next one of these that is free; none: by the runners in use, or in this process. One
  /// that fails measures no more, and its run goes to another.
  std::vector<std::shared_ptr<variants::Runners>> devices = {};
  std::vector<Error> lost = {};  ///< set: why devices measured no more, although the others measured everything
  std::size_t part = 0, of = 1;  ///< every of-th run, from `part` on
};
/// The number of runs that can be measured apart from one another.
std::size_t count_runs(const Experiment& experiment, const ExperimentOptions& options);

/// Measures the rows, run by run, and passes them on in their order. A row that does not fit in memory gets the reason
/// oom. Errors: an unknown parameter, no such device, no row within max_n, cancelled, all devices failed; rows that
/// `sink` received before stay valid.
Result<void> run_experiment(const Experiment& experiment, const ExperimentOptions& options, const RowSink& sink,
                            const RunControl& control = {}, ExperimentShare* share = nullptr);

/// A control that maps its progress to [begin, end] of `control`, both 0 to 1. A nonempty `what` replaces the text.
RunControl share_of(const RunControl& control, double begin, double end, const std::string& what = {});

/// Writes CSV: the columns that distinguish rows, the measured numbers, the printed ones. A row that was not measured
/// has its reason in place of numbers.
void write_csv_header(std::ostream& out, const ExperimentSpec& spec);
void write_csv_row(std::ostream& out, const ExperimentSpec& spec, const ExperimentRow& row);

}  // namespace kdscope
