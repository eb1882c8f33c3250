#include "app/experiments/experiment.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
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

namespace {

/// Consecutive rows of the spec that are measured together.
struct RowsOfRun {
  std::size_t first, end;
};

std::vector<RowsOfRun> runs_of(const ExperimentSpec& spec, const ExperimentOptions& options) {
  std::vector<RowsOfRun> runs;
  for (std::size_t first = 0, next; first < spec.rows.size(); first = next) {
    const ExperimentRow& head = spec.rows[first];
    next = first + 1;
    while (next < spec.rows.size() && head.run >= 0 && spec.rows[next].run == head.run) ++next;
    if (options.max_n == 0 || head.n <= options.max_n) runs.push_back({first, next});
  }
  return runs;
}

/// Measures runs on several devices, each on the next one that is free.
class Spread {
 public:
  Spread(const Experiment& experiment, const ExperimentOptions& options, const Parameters& parameters,
         std::vector<RowsOfRun> runs, ExperimentShare& share, const RunControl& control)
      : experiment_(experiment),
        options_(options),
        parameters_(parameters),
        runs_(std::move(runs)),
        share_(share),
        control_(control),
        measured_(runs_.size()) {
    for (std::size_t run = runs_.size(); run-- > 0;) waiting_.push_back(run);
  }

  /// deliver: called on this thread with the rows of each run, in their order.
  Result<void> measure(const std::function<void(const RowsOfRun&, std::vector<ExperimentRow>)>& deliver) {
    std::vector<std::jthread> threads;
    working_ = share_.devices.size();
    for (const auto& device : share_.devices) threads.emplace_back([this, device] { work_on(device); });
    std::unique_lock lock(mutex_);
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      if (control_.progress)
        control_.progress(double(run) / double(runs_.size()), experiment_.spec.rows[runs_[run].first].series);
      changed_.wait(lock, [&] { return !measured_[run].empty() || failed_ || working_ == 0; });
      if (measured_[run].empty()) break;
      std::vector<ExperimentRow> rows = std::move(measured_[run]);
      lock.unlock();
      deliver(runs_[run], std::move(rows));
      lock.lock();
    }
    const bool whole = done_ == runs_.size();
    stop_.request_stop();
    lock.unlock();
    threads.clear();
    if (failed_) return *failed_;
    if (whole) return {};
    if (share_.lost.empty() || control_.stop.stop_requested())
      return Error{ErrorKind::cancelled, "the experiment was cancelled", "", ""};
    return share_.lost.back();
  }

 private:
  void work_on(const std::shared_ptr<variants::Runners>& device) {
    const std::stop_callback on_cancel(control_.stop, [this] {
      stop_.request_stop();
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !waiting_.empty() || busy_ == 0 || failed_ || stop_.stop_requested(); });
      if (waiting_.empty() || failed_ || stop_.stop_requested()) break;
      const std::size_t run = waiting_.back();
      waiting_.pop_back();
      ++busy_;
      lock.unlock();
      std::vector<ExperimentRow> rows(experiment_.spec.rows.begin() + static_cast<std::ptrdiff_t>(runs_[run].first),
                                      experiment_.spec.rows.begin() + static_cast<std::ptrdiff_t>(runs_[run].end));
      for (ExperimentRow& row : rows) row.facts.parameters = parameters_;
      const auto done = measure_rows(experiment_, rows, options_, {stop_.get_token(), {}}, device);
      lock.lock();
      --busy_;
      const bool lost =
          !done && (done.error().kind == ErrorKind::device_failure || done.error().kind == ErrorKind::no_device);
      if (done) {
        measured_[run] = std::move(rows);
        ++done_;
      } else if (lost && !stop_.stop_requested()) {
        waiting_.push_back(run);
        Error error = done.error();
        error.what = "the device " + device->device() + " measures no more: " + error.what;
        share_.lost.push_back(std::move(error));
      } else if (!failed_ && !stop_.stop_requested()) {
        failed_ = done.error();
      }
      changed_.notify_all();
      if (lost) break;
    }
    --working_;
    changed_.notify_all();
  }

  const Experiment& experiment_;
  const ExperimentOptions& options_;
  const Parameters& parameters_;
  const std::vector<RowsOfRun> runs_;
  ExperimentShare& share_;
  const RunControl& control_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> waiting_;  ///< runs; the next one last
  std::vector<std::vector<ExperimentRow>> measured_;
  std::size_t busy_ = 0, done_ = 0, working_ = 0;
  std::optional<Error> failed_;
};

}  // namespace

std::size_t count_runs(const Experiment& experiment, const ExperimentOptions& options) {
  return runs_of(experiment.spec, options).size();
}

Result<void> run_experiment(const Experiment& experiment, const ExperimentOptions& options, const RowSink& sink,
                            const RunControl& control, ExperimentShare* share) {
  const ExperimentSpec& spec = experiment.spec;
  auto parameters = complete_parameters(spec.id, spec.parameters, options.parameters);
  if (!parameters) return parameters.error();

  ExperimentOptions chosen = options;
  if (chosen.repeat == 0) chosen.repeat = spec.repeats;
  std::vector<RowsOfRun> runs = runs_of(spec, options);
  if (runs.empty())
    return Error{ErrorKind::bad_usage,
                 spec.id + " has no row of " + std::to_string(options.max_n) + " " + spec.counted + " or fewer", "",
                 "ask for " + size_text(range_of_n(spec).first) + " or more"};
  if (share && share->of > 1) {
    std::vector<RowsOfRun> some;
    for (std::size_t run = share->part; run < runs.size(); run += share->of) some.push_back(runs[run]);
    runs = std::move(some);
  }
  Ratios ratios(spec);
  const auto deliver = [&](const RowsOfRun& run, std::vector<ExperimentRow> rows) {
    ratios.add(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) sink(run.first + i, rows[i]);
  };
  if (share && !share->devices.empty())
    return Spread(experiment, chosen, *parameters, std::move(runs), *share, control).measure(deliver);
  double all = 0, done = 0;
  const auto weight = [&](const RowsOfRun& run) {
    return static_cast<double>(spec.rows[run.first].n) * static_cast<double>(run.end - run.first);
  };
  for (const RowsOfRun& run : runs) all += weight(run);
  for (const RowsOfRun& run : runs) {
    if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the experiment was cancelled", "", ""};
    const ExperimentRow& head = spec.rows[run.first];
    std::vector<ExperimentRow> rows(spec.rows.begin() + static_cast<std::ptrdiff_t>(run.first),
                                    spec.rows.begin() + static_cast<std::ptrdiff_t>(run.end));
    for (ExperimentRow& row : rows) row.facts.parameters = *parameters;
    const double end = done + weight(run);
    std::string what =
        (head.facet.empty() ? "" : head.facet + ", ") + head.series + ", " + size_text(head.n) + " " + spec.counted;
    const auto measured = measure_rows(experiment, rows, chosen, share_of(control, done / all, end / all, what));
    if (!measured) return measured.error();
    deliver(run, std::move(rows));
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
