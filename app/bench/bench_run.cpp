#include "app/bench/bench_run.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/microbench/copy_bandwidth.hpp"
#include "algorithms/registry/built_trees.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/trace_estimate.hpp"
#include "algorithms/run/run_work.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/bench/peer_programs.hpp"
#include "app/experiments/experiment.hpp"
#include "app/measure/data_shape.hpp"
#include "app/measure/row_fields.hpp"
#include "app/measure/sampling.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

[[noreturn]] void refuse(ErrorKind kind, std::string what, std::string remedy, std::string where = {}) {
  throw ErrorException({kind, std::move(what), std::move(where), std::move(remedy)});
}

// -- the plan ---------------------------------------------------------------------------------------------------------

/// Data of one size.
struct SizedData {
  std::string distribution;  ///< as the plan writes it
  std::string specification;
  std::uint64_t points = 0, triangles = 0;
};

/// The plan's specification for a size. Throws ErrorException if it is wrong.
std::string with_size(const std::string& written, std::uint64_t n) {
  const std::string size = std::to_string(n);
  if (written.find("{n}") != std::string::npos) return replaced(written, "{n}", size);
  const std::size_t colon = written.find(':');
  const std::string parameters = colon == std::string::npos ? "" : written.substr(colon + 1);
  return written.substr(0, colon) + ":n=" + size + (parameters.empty() ? "" : ",") + parameters;
}

/// Whether the plan's sizes are for this specification.
bool takes_sizes(const std::string& written) {
  if (written.find("{n}") != std::string::npos) return true;
  const DataSource* source = data_source_of(written);
  if (!source || !source->generated) return false;
  const bool has_n = std::ranges::any_of(source->parameters, [](const auto& each) { return each.name == "n"; });
  return has_n && written.find(":n=") == std::string::npos && written.find(",n=") == std::string::npos;
}

/// Sets the numbers of points and triangles, from the parameters of a generator or from the opened data, whose warnings
/// it adds.
void set_sizes(SizedData& data, std::vector<std::string>& warnings) {
  const DataSource* source = data_source_of(data.specification);
  if (const auto shape = shape_from_parameters(data.specification); shape && shape->n > 0 && source->generated) {
    (source->has_triangles ? data.triangles : data.points) = shape->n;
    return;
  }
  const auto opened = value_of(open_data_set(data.specification));
  for (const std::string& warning : opened->warnings)
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  data.points = opened->points.size();
  data.triangles = opened->triangles.size() / 3;
}

std::vector<SizedData> sized_data(const BenchPlan& plan, std::vector<std::string>& warnings) {
  std::vector<SizedData> all;
  for (const std::string& written : plan.data) {
    if (takes_sizes(written))
      for (const std::uint64_t n : plan.sizes) all.push_back({written, with_size(written, n)});
    else
      all.push_back({written, written});
  }
  for (SizedData& data : all) {
    set_sizes(data, warnings);
    if (data.points == 0 && data.triangles == 0)
      refuse(ErrorKind::bad_input, "it has no points", "choose other data", data.specification);
  }
  return all;
}

bool answers_nearest(const Search& search) {
  return std::ranges::count(search.spec.questions, SearchQuestion::nearest) > 0;
}

/// The searches of the plan that fit the trees of a builder.
std::vector<BenchedProcedure> searches_for(const BenchPlan& plan, const std::string& builder) {
  std::vector<BenchedProcedure> fitting;
  const TreeKind* kind = built_tree_kind(builder);
  const AlgorithmSpec* spec = find_algorithm(builder);
  if (!kind || !spec || spec->takes_triangles) return fitting;
  for (const BenchedProcedure& search : plan.searches)
    if (const Search* found = find_search(search.id); found && found->spec.tree_kind == kind->id())
      fitting.push_back(search);
  return fitting;
}

void check_builders(const BenchPlan& plan) {
  for (const BenchedProcedure& builder : plan.builders) {
    if (const auto options = typed_options(builder.id, builder.given); !options) throw ErrorException(options.error());
  }
}

void check_searches(const BenchPlan& plan) {
  for (const BenchedProcedure& search : plan.searches) {
    const Search* found = search_named(search.id).value();
    if (!answers_nearest(*found))
      refuse(ErrorKind::bad_usage, search.id + " does not search for nearest points", "choose another search");
    if (const auto options = typed_search_options(search.id, search.given); !options)
      throw ErrorException(options.error());
    const auto fits = [&](const BenchedProcedure& builder) {
      const auto fitting = searches_for(plan, builder.id);
      return std::ranges::count(fitting, search.id, &BenchedProcedure::id) > 0;
    };
    if (std::ranges::none_of(plan.builders, fits))
      refuse(ErrorKind::bad_usage,
             search.id + " searches trees of kind " + found->spec.tree_kind + ", which none of these builders makes",
             "add a builder of such trees, or choose another search");
  }
}

void check_libraries(const BenchPlan& plan) {
  for (const std::string& library : plan.libraries) {
    const auto known = std::ranges::find(peer_libraries(), library, &PeerLibrary::id);
    if (known == peer_libraries().end()) {
      std::vector<std::string> ids;
      for (const PeerLibrary& each : peer_libraries()) ids.push_back(each.id);
      refuse(ErrorKind::bad_usage, "there is no library " + kdscope::quoted(library) + " to measure beside kdscope",
             "choose " + alternatives(ids));
    }
    if (!has_peer(library))
      refuse(ErrorKind::bad_usage, "this build of kdscope has no program for " + library,
             "install " + known->package + ", configure and build kdscope again, or leave it out with --beside");
  }
}

/// The rows of one builder on one data set.
void add_rows(const BenchPlan& plan, const BenchedProcedure& builder, const SizedData& data,
              std::vector<MeasuredRow>& rows) {
  const bool triangles = find_algorithm(builder.id)->takes_triangles;
  MeasuredRow row;
  row.what.subject = builder.id;
  row.what.given = builder.given;
  row.what.processors = plan.processors;
  row.distribution = data.distribution;
  row.what.data = data.specification;
  row.n = triangles || data.points == 0 ? data.triangles : data.points;
  rows.push_back(row);
  row.what.kind = WorkKind::search;
  row.what.order = name_of(plan.order);
  for (const BenchedProcedure& search : searches_for(plan, builder.id))
    for (const std::uint32_t k : plan.ks) {
      row.what.search = search.id;
      row.what.search_given = search.given;
      row.what.k = k;
      rows.push_back(row);
    }
}

void add_rows(const BenchPlan& plan, const std::string& library, const SizedData& data,
              std::vector<MeasuredRow>& rows) {
  MeasuredRow row;
  row.what.subject = library;
  row.what.library = true;
  row.what.processors = plan.processors;
  row.distribution = data.distribution;
  row.what.data = data.specification;
  row.n = data.points == 0 ? data.triangles : data.points;
  rows.push_back(row);
  if (plan.searches.empty()) return;
  row.what.kind = WorkKind::search;
  row.what.order = name_of(QueryOrder::given);
  for (const std::uint32_t k : plan.ks) {
    row.what.k = k;
    rows.push_back(row);
  }
}

std::vector<MeasuredRow> rows_of(const BenchPlan& plan, const std::vector<SizedData>& all, Backend backend) {
  std::vector<MeasuredRow> rows;
  for (const SizedData& data : all) {
    for (const BenchedProcedure& builder : plan.builders) add_rows(plan, builder, data, rows);
    if (backend == Backend::cpu)
      for (const std::string& library : plan.libraries) add_rows(plan, library, data, rows);
    if (rows.size() > most_bench_rows)
      refuse(ErrorKind::bad_usage, "the bench has more than " + std::to_string(most_bench_rows) + " rows",
             "measure it in parts");
  }
  return rows;
}

MeasuredTable table_of(Backend backend, int processors) {
  const auto device = device_on(backend);
  if (!device)
    refuse(ErrorKind::no_device, "no CUDA device can be used: " + find_devices().cuda_status, "choose --backend cpu");
  const auto share = value_of(limited(*device, processors));
  return {share.backend, kept_device(share), share.detail, share.processors};
}

/// Thrown for a row that takes too long. What a row does in one launch cannot be stopped.
struct OverTime {
  std::string reason;
};

// -- measuring --------------------------------------------------------------------------------------------------------

/// Measures the rows of one table. Keeps the data and the tree that consecutive rows share.
class TableRun {
 public:
  TableRun(const BenchPlan& plan, const MeasuredTable& table, const RunControl& control)
      : plan_(plan), table_(table), control_(control) {}

  /// Measures a row, or sets its reason. Throws ErrorException if the bench has to end.
  void measure(MeasuredRow& row) {
    try {
      const auto data = data_for(row);
      RowClock clock(control_.stop, plan_.time_limit_s);  // making the points takes none of the row's time
      row.facts.dim = data->points.dim;
      row.facts.type = name_of(data->points.type);
      const bool triangles = !row.what.library && find_algorithm(row.what.subject)->takes_triangles;
      row.n = triangles ? data->triangles.size() / 3 : data->points.size();
      row.what.library ? measure_library(row, *data, clock) : measure_own(row, data, clock);
    } catch (const OverTime& e) {
      row.samples = {};
      row.over_time = true;
      row.reason = e.reason;
    } catch (const ErrorException& e) {
      row.samples = {};
      if (control_.stop.stop_requested()) refuse(ErrorKind::cancelled, "the bench was stopped", "");
      if (e.error().kind == ErrorKind::device_failure && !row.what.library) throw;
      row.over_time = e.error().kind == ErrorKind::cancelled;
      const bool refused = e.error().kind == ErrorKind::bad_usage || e.error().kind == ErrorKind::bad_input;
      row.reason = row.over_time ? "it takes more than " + time_limit() : e.error().what;
      if (refused && !e.error().remedy.empty()) row.reason += "; " + e.error().remedy;
    }
  }

 private:
  std::shared_ptr<const DataSet> data_for(const MeasuredRow& row) {
    if (data_ && row.what.data == data_name_) return data_;
    data_.reset(), tree_.reset(), peer_.reset();
    if (const auto shape = shape_from_parameters(row.what.data))
      if (const std::uint64_t bytes = estimated_host_bytes(shape->n, shape->dim, table_.backend == Backend::cpu);
          bytes > available_memory())
        refuse(ErrorKind::out_of_memory,
               "it needs about " + memory_text(bytes) + " of host memory, and " + memory_text(available_memory()) +
                   " are available",
               "");
    const auto opened = value_of(open_data_set(row.what.data));
    data_name_ = row.what.data;
    return data_ = opened;
  }

  std::string time_limit() const { return "the time limit of " + shortest(plan_.time_limit_s) + " s"; }

  /// Does work on growing samples of the points, and throws OverTime if all points would take too long by the last one.
  /// A search is one launch and some builds have long ones, which cannot be stopped. time_of(sample): in ms.
  template <class Work>
  void try_samples(const DataSet& data, const RowClock& clock, Work time_of) {
    constexpr int halvings = 4;  // from one sample to the next
    constexpr std::size_t fewest = 256;
    int smallest = 0;
    while (data.points.size() >> (smallest + halvings) >= fewest) smallest += halvings;
    for (int of = smallest; of > 0; of -= halvings) {
      const double next_ms = (1 << halvings) * time_of(std::make_shared<const DataSet>(sample_of(data, of)));
      if (next_ms > static_cast<double>(clock.left().count()))
        throw OverTime{"by a sample of " + grouped(data.points.size() >> of) + " points, it takes more than " +
                       time_limit()};
    }
  }

  /// The time of a sample that is refused: what is refused may depend on the number of points. Throws if it was
  /// stopped.
  static double unknown_ms(const Error& error) {
    if (error.kind == ErrorKind::cancelled) throw ErrorException(error);
    return 0;
  }

  Sampling sampling(const RowClock& clock, int warm_ups) const { return {plan_.repeats, warm_ups, &clock}; }

  RunControl quiet(const RowClock& clock) const {
    RunControl control;
    control.stop = clock.stop();
    return control;
  }

  void measure_own(MeasuredRow& row, const std::shared_ptr<const DataSet>& data, const RowClock& clock) {
    if (row.what.kind == WorkKind::build)
      measure_build(row, data, clock);
    else if (tree_)
      measure_search(row, data, clock);
    else
      refuse(ErrorKind::bad_input, "its tree was not built", "");
  }

  void measure_build(MeasuredRow& row, const std::shared_ptr<const DataSet>& data, const RowClock& clock) {
    tree_.reset();
    RunRequest request{{}, row.what.subject, row.what.given, table_.backend};
    request.processors = plan_.processors;
    const auto once = [&](const std::shared_ptr<const DataSet>& sample) {
      request.points = sample;
      const auto report = build(request, quiet(clock));
      return report ? report->build_ms.front() : unknown_ms(report.error());
    };
    if (data->triangles.empty()) try_samples(*data, clock, once);
    request.points = data;
    auto reports = value_of(sample_builds(row, request, sampling(clock, warm_ups_of(row.n)), quiet(clock)));
    tree_ = std::make_shared<const Tree>(std::move(reports.back().tree));
    row.facts.compulsory_bytes = compulsory_bytes_of_build(*data, find_algorithm(row.what.subject)->takes_triangles);
  }

  void measure_search(MeasuredRow& row, const std::shared_ptr<const DataSet>& data, const RowClock& clock) {
    SearchRequest request{row.what.search, tree_, data};
    request.k = row.what.k;
    request.parameters = row.what.search_given;
    request.order = plan_.order;
    request.backend = table_.backend;
    request.processors = plan_.processors;
    auto checked = value_of(checked_request(std::move(request)));
    SearchRequest some = checked;
    if (some.order == QueryOrder::tree) some.order = QueryOrder::morton;  // a sample has no order of the tree
    try_samples(*data, clock, [&](const std::shared_ptr<const DataSet>& sample) {
      some.queries = sample;
      const auto report = search(some, quiet(clock));
      return report ? report->search_ms.front() : unknown_ms(report.error());
    });
    const auto found = value_of(sample_searches(row, checked, sampling(clock, 1), quiet(clock)));
    row.facts.hash = hash_of_distances(found, row.what.k);
    row.facts.compulsory_bytes = compulsory_bytes_of_searches(*data, row.what.k);
  }

  void measure_library(MeasuredRow& row, const DataSet& data, const RowClock& clock) {
    tree_.reset();
    if (row.what.kind == WorkKind::build) {
      peer_.reset();
      peer_ = std::make_unique<PeerProcess>(row.what.subject, data.points, clock);
    }
    if (!peer_) refuse(ErrorKind::bad_input, "its tree was not built, or was lost with an earlier search", "");
    if (row.what.k > data.points.size()) refuse(ErrorKind::bad_usage, "k is larger than the number of points", "");
    const bool builds = row.what.kind == WorkKind::build;
    const int threads = table_.processors;
    try {
      auto times = take_samples(sampling(clock, 1), [&](int times) -> Result<std::vector<double>> {
        auto answer = builds ? peer_->build(times, threads, clock) : peer_->search(row.what.k, times, threads, clock);
        if (!answer) return answer.error();
        row.facts.processors = answer->threads;
        (builds ? row.facts.peak_bytes : row.facts.hash) = answer->result;
        return std::move(answer->ms);
      });
      if (!times) throw ErrorException(times.error());
      row.samples = {std::move(*times)};
    } catch (const ErrorException&) {
      peer_.reset();  // its process may still work on the row
      throw;
    }
    row.facts.version = peer_->version();
    row.facts.compulsory_bytes =
        builds ? compulsory_bytes_of_build(data, false) : compulsory_bytes_of_searches(data, row.what.k);
  }

  const BenchPlan& plan_;
  const MeasuredTable& table_;
  const RunControl& control_;
  std::string data_name_;
  std::shared_ptr<const DataSet> data_;
  std::shared_ptr<const Tree> tree_;  ///< of the last build of kdscope on data_
  std::unique_ptr<PeerProcess> peer_;
};

double copy_speed(const MeasuredTable& table, const RunControl& control) {
  const auto device = device_on(table.backend);
  const auto share = value_of(limited(*device, table.backend == Backend::cpu ? table.processors : 0));
  const auto copied = guarded(share, [&] { return copy_bandwidth(share, control.stop).value(); });
  if (!copied) throw ErrorException(copied.error());
  return copied->gigabytes_per_second;
}

Result<std::vector<MeasuredTable>> plan_here(const BenchPlan& plan, std::vector<std::string>& warnings) try {
  check_builders(plan);
  check_searches(plan);
  check_libraries(plan);
  std::vector<MeasuredTable> tables;
  for (const Backend backend : plan.backends) tables.push_back(table_of(backend, plan.processors));
  const auto data = sized_data(plan, warnings);
  for (MeasuredTable& table : tables) table.rows = rows_of(plan, data, table.backend);
  return tables;
} catch (const ErrorException& e) {
  return e.error();
}

Result<void> measure_here(const BenchPlan& plan, std::vector<MeasuredTable>& tables, const RunControl& control) try {
  std::size_t all = 0, done = 0;
  for (const MeasuredTable& table : tables) all += table.rows.size();
  for (MeasuredTable& table : tables) {
    if (control.progress) control.progress(double(done) / double(all), "copy bandwidth");
    if (table.copy_gigabytes == 0) table.copy_gigabytes = copy_speed(table, control);
    TableRun run(plan, table, control);
    for (MeasuredRow& row : table.rows) {
      if (control.progress) control.progress(double(done++) / double(all), row.what.title());
      run.measure(row);
    }
  }
  return {};
} catch (const ErrorException& e) {
  return e.error();
}

// -- through the one door ---------------------------------------------------------------------------------------------

}  // namespace

/// A row on its way.
struct BenchedRow : MeasuredRow {};

/// A plan, and tables of it: those to measure, or none, to be planned.
struct BenchRequest {
  BenchPlan plan;
  std::vector<MeasuredTable> tables;
};
struct BenchedTables {
  std::vector<MeasuredTable> tables;
  std::vector<std::string> warnings;
};

// All members in the order of their declaration. A new member does not compile until it is counted here.
// clang-format off
constexpr QueryOrder last_of(QueryOrder) { return QueryOrder::tree; }
template <class Io> void fields(Io& io, BenchedRow& row) { row_fields(io, row); }
template <class Io> void fields(Io& io, BenchedProcedure& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, BenchPlan& value) {
  auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
  io(a, b, c, d, e, f, g, h, i, j, k);
}
template <class Io> void fields(Io& io, MeasuredTable& value) {
  auto& [a, b, c, d, e, all] = value;
  std::vector<BenchedRow> rows;
  for (MeasuredRow& row : all) rows.push_back({row});
  io(a, b, c, d, e, rows);
  all.assign(rows.begin(), rows.end());
}
template <class Io> void fields(Io& io, BenchRequest& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, BenchedTables& value) { auto& [a, b] = value; io(a, b); }
// clang-format on

namespace {

Result<BenchedTables> plan_there(const BenchRequest& request, const RunControl&) {
  BenchedTables planned;
  auto tables = plan_here(request.plan, planned.warnings);
  if (!tables) return tables.error();
  planned.tables = std::move(*tables);
  return planned;
}

Result<BenchedTables> measure_there(const BenchRequest& request, const RunControl& control) {
  BenchedTables measured{request.tables, {}};
  if (const auto done = measure_here(request.plan, measured.tables, control); !done) return done.error();
  return measured;
}

const variants::Work<BenchRequest, BenchedTables> plan_work{"the plan of a bench", plan_there};
const variants::Work<BenchRequest, BenchedTables> bench_work{"a bench", measure_there};

/// Where the next build begins, behind row `first`: searches need the tree of the build before them.
std::size_t next_build(const std::vector<MeasuredRow>& rows, std::size_t first) {
  std::size_t next = first + 1;
  while (next < rows.size() && rows[next].what.kind != WorkKind::build) ++next;
  return next;
}

}  // namespace

std::vector<variants::ServedWork> bench_works() { return {served(plan_work), served(bench_work)}; }

Result<std::vector<MeasuredTable>> planned_tables(const BenchPlan& plan, std::vector<std::string>& warnings) {
  const auto runners = variants::runners_in_use();
  if (!runners) return plan_here(plan, warnings);
  for (const std::string& data : plan.data)
    if (std::error_code ignored; std::filesystem::is_regular_file(data_file_of(data), ignored))
      return Error{ErrorKind::bad_usage, "a file does not travel to the device " + runners->device(), data,
                   "take a generator or a shipped set, or measure here"};
  auto planned = run_work(plan_work, {plan, {}}, {}, runners);
  if (!planned) return planned.error();
  warnings.insert(warnings.end(), planned->warnings.begin(), planned->warnings.end());
  return std::move(planned->tables);
}

Result<void> measure_bench(const BenchPlan& plan, std::vector<MeasuredTable>& tables, const RunControl& control) {
  const auto runners = variants::runners_in_use();
  if (!runners) return measure_here(plan, tables, control);
  double all = 0, done = 0;
  for (const MeasuredTable& table : tables) all += static_cast<double>(table.rows.size());
  for (MeasuredTable& table : tables)
    for (std::size_t first = 0, next; first < table.rows.size(); first = next) {
      next = next_build(table.rows, first);
      const auto begin = table.rows.begin() + static_cast<std::ptrdiff_t>(first),
                 end = table.rows.begin() + static_cast<std::ptrdiff_t>(next);
      MeasuredTable some = table;
      some.rows.assign(begin, end);
      const double behind = done + static_cast<double>(next - first);
      auto measured = run_work(bench_work, {plan, {some}}, share_of(control, done / all, behind / all), runners);
      if (!measured) return measured.error();
      if (measured->tables.size() != 1 || measured->tables.front().rows.size() != some.rows.size())
        return Error{ErrorKind::bad_input, "the runner sent other rows than were asked for", "", "run again"};
      table.copy_gigabytes = measured->tables.front().copy_gigabytes;
      std::ranges::move(measured->tables.front().rows, begin);
      done = behind;
    }
  return {};
}

}  // namespace kdscope
