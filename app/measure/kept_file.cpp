#include "app/measure/kept_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/json_fields.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/measure/kept_table.hpp"

namespace kdscope {
namespace {

constexpr std::string_view format = "kdscope-bench";
constexpr int format_version = 2;
constexpr int one_run_version = 1;  // a file was one run
constexpr std::uint64_t most_bytes = 64 << 20;
constexpr std::size_t most_tables = 1000;

void require(bool holds, const char* otherwise) {
  if (!holds) throw JsonError(otherwise);
}

/// Throws for a time or rate that is none.
void check_measure(double number) {
  require(std::isfinite(number) && number >= 0, "a time or rate that is negative or infinite");
}

void check_samples(const Samples& samples) {
  std::ranges::for_each(samples.values, check_measure);
  if (!samples.summary) return;
  const Samples::Summary& known = *samples.summary;
  require(samples.values.empty() && known.count > 0, "a summary of no times or beside them");
  for (const double number : {known.median, known.least, known.most, known.mean, known.deviation})
    check_measure(number);
}

Error too_large(const std::string& path) {
  return {ErrorKind::bad_input, "kept results have at most " + bytes_text(most_bytes), path,
          "move the file away to begin another"};
}

}  // namespace

template <class Io>
void fields(Io& io, MeasuredRow& row) {
  MeasuredWork& what = row.what;
  MeasuredFacts& facts = row.facts;
  std::string work = name_of(what.kind);
  std::optional<int> restricted;  // earlier versions lack it
  if (what.processors > 0) restricted = what.processors;
  io(Field{"work", work}, Field{"subject", what.subject}, Field{"library", what.library}, Field{"given", what.given},
     Field{"search", what.search}, Field{"search_given", what.search_given}, Field{"k", what.k},
     Field{"order", what.order}, Field{"restricted_to", restricted}, Field{"distribution", row.distribution},
     Field{"data", what.data}, Field{"n", row.n}, Field{"left_out", row.reason}, Field{"over_time", row.over_time},
     Field{"times_ms", row.samples.values}, Field{"summary", row.samples.summary});
  if constexpr (!Io::writes) {
    what.kind = work == name_of(WorkKind::search) ? WorkKind::search : WorkKind::build;
    require(work == name_of(what.kind), "work that is neither build nor search");
    what.processors = restricted.value_or(0);
    require(what.processors >= 0, "a negative number of processors");
    check_samples(row.samples);
    require(row.measured() == row.reason.empty(), "a row with neither times nor the reason why it has none");
  }
  if (!row.measured()) return;
  io(Field{"dim", facts.dim}, Field{"type", facts.type}, Field{"version", facts.version},
     Field{"processors", facts.processors}, Field{"compulsory_bytes", facts.compulsory_bytes},
     Field{"peak_bytes", facts.peak_bytes}, Field{"launches", facts.launches}, Field{"parameters", facts.parameters},
     Field{"hash", facts.hash});
  if constexpr (!Io::writes) {
    require(facts.processors >= 0, "a negative number of processors");
  } else {
    double median = row.samples.median(), least = row.samples.least(), most = row.samples.most(),
           each = row.ns_per_point(), rate = row.gigabytes_per_second();
    io(Field{"median_ms", median}, Field{"min_ms", least}, Field{"max_ms", most}, Field{"ns_per_point", each},
       Field{"gb_per_s", rate});
  }
}

template <class Io>
void fields(Io& io, MeasuredTable& table) {
  std::string backend = name_of(table.backend);
  io(Field{"backend", backend}, Field{"device", table.device}, Field{"detail", table.detail},
     Field{"processors", table.processors}, Field{"copy_gb_per_s", table.copy_gigabytes}, Field{"rows", table.rows});
  if constexpr (!Io::writes) {
    const auto named = backend_named(backend);
    require(named && *named != Backend::automatic, "a back end that is neither cpu nor cuda");
    table.backend = *named;
    require(table.processors >= 0, "a negative number of processors");
    check_measure(table.copy_gigabytes);
  }
}

template <class Io>
void fields(Io& io, MeasuredRun& run) {
  io(Field{"kdscope", run.version}, Field{"commit", run.commit}, Field{"date", run.date}, Field{"options", run.options},
     Field{"time_limit_s", run.time_limit_s}, Field{"tables", run.tables});
  if constexpr (!Io::writes) {
    check_measure(run.time_limit_s);
    require(!run.tables.empty() && run.tables.size() <= most_tables, "a run without the table of a device");
  }
}

namespace {

/// All members of the file.
struct KeptFile {
  std::vector<MeasuredRun> runs;
};

template <class Io>
void fields(Io& io, KeptFile& kept) {
  if constexpr (Io::writes) {
    std::string method =
        "Times of single builds and searches with the data on the device, without transfers, after one or two "
        "that do not count. gb_per_s are compulsory bytes per second: a build reads its input and writes the "
        "tree; a search reads tree and queries and writes index and distance of each point found. copy_gb_per_s "
        "are bytes read and written by a copy on the same device in the same run. peak_bytes include the input. "
        "0 is unknown.";
    io(Field{"method", method});
  }
  io(Field{"runs", kept.runs});
  if constexpr (!Io::writes) require(!kept.runs.empty(), "no run");
}

/// Earlier files give the processors of all rows among the options.
void set_processors(MeasuredRun& run) {
  const auto given = std::ranges::find(run.options, "--processors");
  if (given == run.options.end() || given + 1 == run.options.end()) return;
  const std::string& text = *(given + 1);
  int processors = 0;
  std::from_chars(text.data(), text.data() + text.size(), processors);
  for (MeasuredTable& table : run.tables)
    for (MeasuredRow& row : table.rows) row.what.processors = processors;
}

Result<std::string> text_of(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > most_bytes) return too_large(path);
  return file->read();
}

std::vector<MeasuredRun> runs_in(const JsonValue& value) {
  JsonFieldReader members(value, true);
  if (value.at("format_version").number() == one_run_version) {
    MeasuredRun run;
    fields(members, run);
    set_processors(run);
    return {run};
  }
  KeptFile kept;
  fields(members, kept);
  return std::move(kept.runs);
}

}  // namespace

std::string json_of(const std::vector<MeasuredRun>& runs) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  json.member("format", format);
  json.member("format_version", format_version);
  JsonFieldWriter members(json);
  KeptFile kept{runs};
  fields(members, kept);
  json.end_object();
  out << "\n";
  return std::move(out).str();
}

Result<std::vector<MeasuredRun>> runs_from(std::string_view text, const std::string& path) {
  if (is_kept_table(text)) return runs_in_table(text, path);
  const Error other{ErrorKind::bad_input, "this is no file of kept results", path,
                    "give a file that kdscope-cli bench or experiment wrote with --keep"};
  try {
    const JsonValue value = JsonValue::parse(text);
    const JsonValue* name = value.find("format");
    if (!name || name->text() != format) return other;
    const double version = value.at("format_version").number();
    if (version != format_version && version != one_run_version)
      return Error{ErrorKind::bad_input, "the results are of another version of the format", path,
                   "measure again with this program"};
    return runs_in(value);
  } catch (const JsonError& e) {
    if (text.find(format) == std::string_view::npos) return other;
    return Error{ErrorKind::bad_input, std::string("the results are damaged: ") + e.what(), path, "measure again"};
  }
}

Result<std::vector<MeasuredRun>> read_runs(const std::string& path) {
  const auto text = text_of(path);
  return text ? runs_from(*text, path) : Result<std::vector<MeasuredRun>>(text.error());
}

Result<std::vector<MeasuredRun>> runs_to_add_to(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && !ignored) return std::vector<MeasuredRun>();
  const auto text = text_of(path);
  if (!text) return text.error();
  if (is_kept_table(*text))
    return Error{ErrorKind::bad_input, "this table of an earlier version takes no more results", path,
                 "kdscope-cli bench " + path + " --keep NEW.json copies what it has"};
  return runs_from(*text, path);
}

Result<void> add_runs(const std::string& path, const std::vector<MeasuredRun>& added) {
  auto runs = runs_to_add_to(path);
  if (!runs) return runs.error();
  runs->insert(runs->end(), added.begin(), added.end());
  const std::string text = json_of(*runs);
  if (text.size() > most_bytes) return too_large(path);
  return replace_file(path, text);
}

const MeasuredRun& newest(const std::vector<MeasuredRun>& runs) {
  // In reverse: of equal dates, the last one was added later.
  return *std::max_element(runs.rbegin(), runs.rend(), [](const auto& a, const auto& b) { return a.date < b.date; });
}

}  // namespace kdscope
