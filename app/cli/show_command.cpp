// show: prints the contents of a trace in the layout of the paper's walkthrough.

#include <algorithm>
#include <stop_token>

#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/expression.hpp"
#include "algorithms/trace/printed_text.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/find_step.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/trace_table.hpp"

namespace kdscope::cli {
namespace {

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

void print_header(const TraceHeader& h, std::ostream& out) {
  out << printable(h.title) << " (" << printable(h.citation) << "), " << printable(h.algorithm) << " "
      << printable(parameters_text(h.parameters)) << "\n"
      << printable(h.data_set) << ": " << h.n << " points of " << h.dim << " dimensions, " << name_of(h.scalar) << "\n"
      << "recorded on " << printable(h.backend) << " (" << printable(h.device) << ") by kdscope "
      << printable(h.version) << ", tree hash " << hash_text(h.tree_hash) << "\n";
  if (const std::string build = text_of(h.build); !build.empty()) out << "built from " << printable(build) << "\n";
  for (const std::string& warning : h.data_warnings) out << "warning: " << printable(warning) << "\n";
}

/// Prints the source of a step as the trace recorded it, which may differ from the source of this build.
void print_source(const Trace& trace, const Step& step, std::ostream& out) {
  const auto& sources = trace.header.sources;
  const auto source = std::find_if(sources.begin(), sources.end(),
                                   [&](const RecordedSource& s) { return s.region == step.code_anchor; });
  if (step.code_anchor.empty())
    out << "(this step names no source)\n";
  else if (source == sources.end())
    out << "(the trace does not hold the source " << printable(step.code_anchor) << ")\n";
  else {
    out << printable(source->file) << ", from line " << source->first_line << ":\n" << source->text;
    if (!source->text.ends_with('\n')) out << "\n";
  }
}

/// "  [2 checks failed]" to follow a step's name, or an empty text.
std::string failed_mark(const Step& step) {
  const auto failed =
      std::count_if(step.checks.begin(), step.checks.end(), [](const CheckResult& c) { return !c.passed; });
  return failed == 0 ? "" : "  [" + count_text(static_cast<std::uint64_t>(failed), "check", "checks") + " failed]";
}

/// "  [printed]" to follow the name of a step at which a variant printed something, or an empty text.
std::string printed_mark(const Trace& trace, const Step& step) {
  return printed_text(trace, step.ordinal).empty() ? "" : "  [printed]";
}

std::string step_heading(const Step& step) {
  return "step " + std::to_string(step.ordinal) + ": " + printable(path_text(step)) +
         (step.title.empty() ? "" : "\n" + printable(step.title));
}

void print_step(const Cursor& cursor, const std::vector<TableRow>& rows, const ColumnChoice& columns,
                std::ostream& out) {
  const Step& step = cursor.current();
  const std::string tables = tables_text(cursor, rows, columns);
  out << step_heading(step) << "\n" << tables;
  if (tables.empty() && columns.is_window())
    out << "(no array has columns " << columns.begin << " to " << columns.end - 1 << " at this step)\n";
  for (const CheckResult& check : step.checks)
    if (!check.passed)
      out << "check failed: " << printable(check.name) << " (" << printable(check.statement)
          << "): " << printable_lines(check.detail) << "\n";
  if (const std::string text = printed_text(cursor.trace(), step.ordinal); !text.empty())
    out << "printed:\n" << printable_lines(text) << (text.ends_with('\n') ? "" : "\n");
}

void write_header(const TraceHeader& h, JsonWriter& json) {
  json.member("algorithm", h.algorithm);
  json.member("title", h.title);
  json.member("citation", h.citation);
  json.member("parameters", h.parameters);
  json.member("data_set", h.data_set);
  json.member("n", h.n);
  json.member("dim", h.dim);
  json.member("type", name_of(h.scalar));
  json.member("backend", h.backend);
  json.member("device", h.device);
  json.member("version", h.version);
  json.object("build", [&] {
    json.member("commit", h.build.commit);
    json.member("local_changes", h.build.local_changes);
    json.member("compiler", h.build.compiler);
    json.member("flags", h.build.flags);
    json.member("build_type", h.build.build_type);
  });
  json.member("warnings", h.data_warnings);
  json.member("tree_hash", hash_text(h.tree_hash));
}

/// Member "sources" of an open JSON object.
void write_sources(const TraceHeader& h, JsonWriter& json) {
  json.objects("sources", h.sources, [&](const RecordedSource& source) {
    json.member("region", source.region);
    json.member("file", source.file);
    json.member("first_line", source.first_line);
    json.member("text", source.text);
  });
}

void write_step(const Step& step, JsonWriter& json) {
  json.member("step", step.ordinal);
  json.member("path", step.path);
  json.member("level", step.level);
  json.member("kind", name_of(step.kind));
  json.member("title", step.title);
  json.member("source", step.code_anchor);
  json.member("elapsed_ms", step.elapsed_ms);
  json.member("wrote", step.wrote);
  write_findings(step.checks, json);
}

void write_trace_rows(const Cursor& cursor, const std::vector<TableRow>& rows, const ColumnChoice& columns,
                      JsonWriter& json) {
  if (columns.is_window()) json.member("columns", std::vector<std::uint64_t>{columns.begin, columns.end - 1});
  json.object("rows", [&] {
    for (const TableRow& row : rows) {
      json.key(row.label);
      json.begin_array();
      const RowReader reader(cursor, row.array, row.component);
      const std::uint64_t end = std::min(columns.end, reader.size());
      for (std::uint64_t i = columns.begin; i < end; ++i) {
        if (reader.is_missing(i))
          json.value(nullptr);
        else
          json.number_text(reader.text(i));
      }
      json.end_array();
    }
  });
}

/// Records the run that the options describe. On a device, values of a large run stay there until they are printed, and
/// if --step is a number, the run ends once that step has come.
Result<std::shared_ptr<const Trace>> recorded_trace(const Arguments& arguments, Console& console) {
  const auto run = value_of(run_from(arguments));
  print_warnings(run.request.points->warnings, console);
  const std::string wanted = arguments.text("--step");
  const bool by_number = !wanted.empty() && wanted.find_first_not_of("0123456789") == std::string::npos;
  std::shared_ptr<const Trace> enough;
  std::stop_source stop;
  const std::stop_callback stopped(console.stop, [&stop] { stop.request_stop(); });
  RunControl control = control_for(console);
  control.stop = stop.get_token();
  const auto arrived = [&](const variants::Recording& so_far) {
    if (enough || !by_number || !find_step(*so_far.trace, wanted)) return;
    enough = so_far.trace;
    stop.request_stop();
  };
  const auto recording = run_record(run, control, arrived);
  finish_progress(console);
  if (enough && !console.stop.stop_requested()) return enough;
  return whole_trace(recording);
}

/// Returns the trace of the file, or of the run that --data asks for.
Result<std::shared_ptr<const Trace>> shown_trace(const Arguments& arguments, Console& console) {
  const bool has_file = arguments.operand_count() > 0;
  if (has_file == arguments.has("--data"))
    return Error{ErrorKind::bad_usage, "show needs either a trace file or --data", "",
                 "for example ten.kdtrace, or --device lab --data wald-10"};
  if (!has_file) return recorded_trace(arguments, console);
  for (const char* of_run : {"--algorithm", "--backend", "--param", "--device"})
    if (arguments.has(of_run))
      return Error{ErrorKind::bad_usage, std::string(of_run) + " is for a run, and a trace file is shown", "",
                   "leave it out, or give --data in place of the file"};
  return load_trace(arguments.operand(0));
}

Result<ExitCode> run_show(const Arguments& arguments, Console& console) {
  auto columns = column_window(arguments.text("--columns"));
  if (!columns) {
    const auto most = arguments.integer("--columns", ColumnChoice().most, 2, 1'000'000'000);
    if (!most)
      return Error{most.error().kind, most.error().what, "",
                   most.error().remedy + ", or a first and a last column such as 980-990"};
    columns = ColumnChoice{*most};
  } else if (arguments.has("--full"))
    return Error{ErrorKind::bad_usage, "--full and a window of columns exclude each other", "", "give one of them"};
  for (const char* other : {"--all", "--where"})
    if (arguments.has("--step") && arguments.has(other))
      return Error{ErrorKind::bad_usage, std::string("--step and ") + other + " exclude each other", "",
                   "give one of them"};
  const auto trace = value_of(shown_trace(arguments, console));
  auto rows = value_of(table_rows(*trace, split_at_commas(arguments.text("--arrays"))));
  const bool everything = arguments.has("--arrays") || arguments.has("--full") || arguments.has("--json");
  const std::uint32_t left_out = everything ? 0 : leave_out_dimensions(*trace, rows);
  if (arguments.has("--full")) columns->most = 0;
  const std::vector<Step>& steps = trace->steps;

  // Choose the steps that are listed, and those whose tables are printed: one, all, or the last one below the list.
  std::vector<MetStep> listed;
  const std::string where = arguments.text("--where");
  if (arguments.has("--where")) {
    const auto condition = value_of(Expression::parse(where, *trace));
    listed = steps_where(condition, trace, console.stop);
  } else {
    for (const Step& step : steps) listed.push_back({step.ordinal, ""});
  }
  std::vector<std::uint32_t> tables;
  if (arguments.has("--all"))
    for (const MetStep& step : listed) tables.push_back(step.step);
  else if (!arguments.has("--where") && !steps.empty())
    tables.push_back(static_cast<std::uint32_t>(steps.size() - 1));
  if (arguments.has("--step")) {
    const auto step = value_of(find_step(*trace, arguments.text("--step")));
    tables = {step};
    listed = {{step, ""}};
  }
  const bool chosen = arguments.has("--step") || arguments.has("--all");
  const ExitCode code = arguments.has("--where") && listed.empty() ? exit_not_met : exit_ok;
  Cursor cursor(trace);
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    json.begin_object();
    write_header(trace->header, json);
    if (arguments.has("--source")) write_sources(trace->header, json);
    if (arguments.has("--where")) json.member("where", where);
    json.key("steps");
    json.begin_array();
    for (const MetStep& each : listed) {
      const Step& step = steps[each.step];
      if (console.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
      json.begin_object();
      write_step(step, json);
      if (const std::string text = printed_text(*trace, step.ordinal); !text.empty()) json.member("printed", text);
      if (arguments.has("--where")) json.member("reading", each.reading);
      if (std::ranges::find(tables, step.ordinal) != tables.end()) {
        cursor.seek(step.ordinal);
        write_trace_rows(cursor, rows, *columns, json);
      }
      json.end_object();
    }
    json.end_array();
    json.end_object();
    console.out << "\n";
    return code;
  }
  if (!chosen && !arguments.has("--where")) print_header(trace->header, console.out);
  if (arguments.has("--where"))
    console.out << (listed.empty()
                        ? "no step meets "
                        : std::to_string(listed.size()) + " of " + count_text(steps.size(), "step", "steps") +
                              (listed.size() == 1 ? " meets " : " meet "))
                << printable(where) << "\n";
  if (!chosen || arguments.has("--where")) {
    for (const MetStep& each : listed) {
      const Step& step = steps[each.step];
      console.out << "  " << step.ordinal << "  " << printable(path_text(step)) << failed_mark(step)
                  << printed_mark(*trace, step) << (each.reading.empty() ? "" : "  " + printable(each.reading)) << "\n";
    }
    if (!listed.empty() && !tables.empty()) console.out << "\n";
  }
  for (const std::uint32_t s : tables) {
    if (console.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
    cursor.seek(s);
    if (s != tables.front()) console.out << "\n";
    print_step(cursor, rows, *columns, console.out);
    if (arguments.has("--source")) print_source(*trace, steps[s], console.out);
    if (left_out > 0)
      console.out << "(" << left_out << " of " << trace->header.dim << " dimensions left out; --full shows all)\n";
  }
  return code;
}

}  // namespace

Command show_command() {
  return {{"show",
           "print the tables of a trace",
           "Prints the state of a recorded run as tables in the paper's own layout: one row per array, one column per "
           "index. Without --step or --all: what was run, the list of steps, and the last state. A dash (JSON: null) "
           "stands for an element that is missing or not a number, inf and -inf (JSON: these texts) for infinities. "
           "With --data in place of a file, the run is made first. On a device, its steps are printed while later ones "
           "travel, and only arrays that are printed are fetched from a large run.",
           {{"F.kdtrace", "The trace.", false}},
           {algorithm_option(usual_algorithm_id),
            data_option(false),
            backend_option(),
            parameter_option(),
            device_option(),
            {"--step", "N",
             "Only the state after this step: its number, from 0, or phases that match no other step, such as "
             "\"level 1 / sort\"."},
            {"--all", "", "The state after every step; with --where, after those steps."},
            {"--where", "CONDITION",
             "List only the steps at which a condition over the arrays holds, with its values: "
             "\"tags[17] == 4\", \"any(tags == 4)\", \"changed(tags[index == p7])\". The language is that of the "
             "window's watches, explained in app/README.md. Exit code 9 if no step meets it."},
            {"--arrays", "A,B", "Only these arrays, with all components; also arrays that are usually not shown."},
            {"--columns", "N",
             "Leave out the middle of longer rows, 24 columns by default. As FIRST-LAST, such as 980-990: only these "
             "columns."},
            {"--source", "", "Also the source of the step, as the trace recorded it."},
            {"--full", "", "Leave nothing out. JSON leaves out only columns outside FIRST-LAST."},
            json_option()},
           {"show ten.kdtrace --all", "show ten.kdtrace --step \"level 1 / sort\" --arrays tags,data[i].x",
            "show ten.kdtrace --where \"changed(tags[index == p7])\"",
            "show --device lab --data uniform:n=10000000,dim=3 --step 3 --arrays tags"}},
          run_show};
}

}  // namespace kdscope::cli
