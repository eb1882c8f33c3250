#include "app/experiments/measured_rows.hpp"

#include <filesystem>
#include <system_error>

#include "algorithms/run/run_work.hpp"
#include "app/experiments/sweep.hpp"
#include "app/measure/row_fields.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {

/// Rows of one experiment.
struct RowsRequest {
  std::string experiment;  ///< its id; empty: a sweep
  ExperimentOptions options;
  std::vector<ExperimentRow> rows;
  bool elsewhere = false;  ///< another machine asks, which does not know the processor's name
};
struct MeasuredRows {
  std::vector<ExperimentRow> rows;
};

// All members in the order of their declaration. A new member does not compile until it is counted here.
// clang-format off
template <class Io> void fields(Io& io, PrintedValue& value) { auto& [a, b, c] = value; io(a, b, c); }
// C++ counts no members of a row beside those of its base
template <class Io> void fields(Io& io, ExperimentRow& row) {
  row_fields(io, row);
  io(row.facet, row.series, row.x, row.printed, row.opened, row.backend, row.queries, row.compared_with,
     row.compared_facet, row.run, row.device, row.details);
}
template <class Io> void fields(Io& io, ExperimentOptions& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
template <class Io> void fields(Io& io, RowsRequest& value) { auto& [a, b, c, d] = value; io(a, b, c, d); }
template <class Io> void fields(Io& io, MeasuredRows& value) { auto& [a] = value; io(a); }
// clang-format on

namespace {

using Measure = decltype(Experiment::measure);

Measure measure_of(const std::string& experiment) {
  if (experiment.empty()) return measure_sweep;
  const Experiment* known = find_experiment(experiment);
  return known ? known->measure : nullptr;
}

Result<MeasuredRows> measured_here(const RowsRequest& request, const RunControl& control) {
  const Measure measure = measure_of(request.experiment);
  if (!measure) return Error{ErrorKind::bad_usage, "a runner does not know " + request.experiment, "", ""};
  MeasuredRows measured{request.rows};
  if (const auto done = measure(measured.rows, request.options, control); !done) return done.error();
  for (ExperimentRow& row : measured.rows)
    if (request.elsewhere && row.measured()) row.device.name = kept_device(row.device);
  return measured;
}

const variants::Work<RowsRequest, MeasuredRows> rows_work{"a row of an experiment", measured_here};

}  // namespace

Result<void> measure_rows(const Experiment& experiment, std::span<ExperimentRow> rows, const ExperimentOptions& options,
                          const RunControl& control, const std::shared_ptr<variants::Runners>& runners) {
  const std::string id = experiment.measure == measure_sweep ? "" : experiment.spec.id;
  if (!runners || measure_of(id) != experiment.measure) return experiment.measure(rows, options, control);
  const bool elsewhere = !runners->device().empty();
  if (elsewhere)
    for (const ExperimentRow& row : rows)
      for (const std::string& data : {row.specification(), row.queries})
        if (std::error_code ignored; std::filesystem::is_regular_file(data_file_of(data), ignored))
          return Error{ErrorKind::bad_usage, "a file does not travel to the device " + runners->device(), data,
                       "take a generator or a shipped set, or measure here"};
  auto measured =
      run_work(rows_work, RowsRequest{id, options, {rows.begin(), rows.end()}, elsewhere}, control, runners);
  if (!measured) return measured.error();
  std::ranges::move(measured->rows, rows.begin());
  return {};
}

variants::ServedWork row_work() { return served(rows_work); }

}  // namespace kdscope
