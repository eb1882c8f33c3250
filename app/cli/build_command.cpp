// build and record: run an algorithm at full speed, or once with its state recorded.

#include <algorithm>
#include <cstdio>

#include "algorithms/registry/recorded_until.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/report.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/search_options.hpp"
#include "app/cli/searched_tree.hpp"
#include "app/cli/slab_commands.hpp"

namespace kdscope::cli {
namespace {

void report_build(const TypedRun& run, const BuildReport& built, const std::vector<CheckResult>& findings,
                  Report&& report) {
  const RunRequest& request = run.request;
  const auto loss = key_loss(run);
  const PointSet& points = request.points->points;
  const auto [least, most] = std::ranges::minmax(built.build_ms);
  const TreeFacts facts = built.tree.empty() ? TreeFacts() : built.tree.kind().facts(built.tree);
  std::optional<std::size_t> triangles;
  if (run.builder->spec.takes_triangles) triangles = request.points->triangles.size() / 3;

  report.line("algorithm", request.algorithm, "  ", parameters_text(built.parameters))
      .member("algorithm", request.algorithm)
      .member("parameters", built.parameters);
  report.line("data", request.points->name)
      .member("data", request.points->name)
      .member("warnings", request.points->warnings);
  report.line("points", points.size(), " of ", points.dim, " dimensions, ", name_of(points.type))
      .member("n", points.size())
      .member("dim", points.dim)
      .member("type", name_of(points.type));
  if (triangles) report.line("triangles", *triangles);
  report.line("back end", name_of(built.device.backend), ", ", built.device.name, " (", built.device.detail, ")")
      .member("backend", name_of(built.device.backend))
      .member("device", built.device.name)
      .member("processors", built.device.processors);
  report
      .line("build", duration_text(median_ms(built.build_ms)), "  median of ", built.build_ms.size(), ", ",
            duration_text(least), " to ", duration_text(most), ", data resident on the device")
      .member("build_ms", built.build_ms)
      .member("median_ms", median_ms(built.build_ms))
      .member("min_ms", least)
      .member("max_ms", most);
  report.line("transfers", duration_text(built.upload_ms), " there, ", duration_text(built.download_ms), " back")
      .member("upload_ms", built.upload_ms)
      .member("download_ms", built.download_ms);
  report.line("peak memory", bytes_text(built.peak_bytes), " on the device, input included")
      .member("peak_bytes", built.peak_bytes);
  report.line("sort's temporary", bytes_text(built.sort_temporary_bytes))
      .member("sort_temporary_bytes", built.sort_temporary_bytes);
  for (const auto& [title, text] : facts.lines) report.line(title, text);
  if (loss)
    report.line("keys", text_of(*loss), loss->sharing > 0 ? ", so points may lie on a wrong side of a plane" : "");
  report.line("tree hash", hash_text(built.tree_hash)).member("tree_hash", hash_text(built.tree_hash));
  if (loss) report.member("coordinates_sharing_a_key", loss->sharing);
  if (loss && loss->distinct > 0) report.member("distinct_coordinates", loss->distinct);
  if (triangles) report.member("triangles", *triangles);
  for (const auto& [name, number] : facts.numbers)
    std::visit([&, &name = name](auto value) { report.member(name, value); }, number);
  report.steps(built.step_times).checks(findings);
}

/// Checks that all builds of one run gave the same tree. A race may not show in every build.
CheckResult equal_builds(const std::vector<std::uint64_t>& hashes) {
  CheckResult check;
  check.name = "equal builds";
  check.statement = "All builds of the same data give the same tree.";
  for (std::size_t i = 1; i < hashes.size(); ++i)
    if (hashes[i] != hashes[0])
      check.fail("build " + std::to_string(i + 1) + " has tree hash " + hash_text(hashes[i]) + ", build 1 has " +
                 hash_text(hashes[0]));
  if (!check.passed) {
    const auto others = std::count_if(hashes.begin(), hashes.end(), [&](auto hash) { return hash != hashes[0]; });
    check.detail += "; " + std::to_string(others) + " of " + std::to_string(hashes.size()) +
                    " builds differ from the first. Look for a race or unwritten memory with kdscope-cli repeat";
  }
  return check;
}

Result<ExitCode> run_build(const Arguments& arguments, Console& console) {
  if (arguments.has("--memory")) return run_slab_build(arguments, console);
  for (const Option& option : slab_options())
    if (arguments.has(option.name))
      return Error{ErrorKind::bad_usage, option.name + " is for a build in slabs", "", "give --memory BYTES, too"};
  const auto repeat = value_of(arguments.integer("--repeat", 1, 1, 1'000'000));
  const auto rays = value_of(arguments.integer("--rays", 0, 1, 1'000'000'000));
  const auto processors = value_of(arguments.integer("--processors", 0, 1, 1'000'000));
  const std::string tree_out = arguments.text("--tree-out");
  for (const char* of_tree : {"--verify", "--rays", "--tree-out"})
    if (arguments.has("--device") && arguments.has(of_tree))
      return Error{ErrorKind::bad_usage, std::string(of_tree) + " needs the tree, which stays on the device", "",
                   "leave it out and compare the tree's hash, or record the run, which checks it"};
  if (arguments.has("--tree-out")) {
    ensure(tree_format_of(tree_out));
    ensure(check_folder_of(tree_out));
    ensure(check_output_is_not_input("--tree-out", tree_out, arguments.text("--data")));
  }
  auto run = run_from(arguments);
  if (!run) return with_slabs_as_remedy(run.error(), arguments);
  RunRequest& request = run->request;
  print_warnings(*request.points, console);
  request.repeat = static_cast<int>(repeat);
  request.processors = static_cast<int>(processors);
  request.time_steps = arguments.has("--time-steps");
  if (rays > 0 && !run->builder->spec.takes_triangles)
    return Error{ErrorKind::bad_usage, "--rays is for trees over triangles, and " + request.algorithm + " builds none",
                 "", "leave --rays out, or choose an algorithm that takes triangles (see kdscope-cli list algorithms)"};
  const auto report = kdscope::run_build(*run, control_for(console));
  finish_progress(console);
  if (!report) return with_slabs_as_remedy(report.error(), arguments);

  std::vector<CheckResult> findings;
  if (repeat > 1) findings.push_back(equal_builds(report->build_hashes));
  if (arguments.has("--verify"))
    for (CheckResult& f : verify_tree(report->tree, request.points->points)) findings.push_back(std::move(f));
  if (rays > 0) {
    const RunControl control = control_for(console);
    const auto progress = [&](double share) {
      if (control.progress) control.progress(share, "ray casts");
    };
    if (auto same =
            report->tree.kind().check_rays(report->tree, static_cast<std::uint32_t>(rays), control.stop, progress))
      findings.push_back(std::move(*same));
    finish_progress(console);
  }
  report_build(*run, *report, findings, Report(console.out, arguments.has("--json")));
  if (arguments.has("--tree-out")) {
    ensure(write_tree(report->tree, tree_out));
  }
  const bool all = std::all_of(findings.begin(), findings.end(), [](const CheckResult& f) { return f.passed; });
  return all ? exit_ok : exit_failed_check;
}

/// Returns where a recording with --until ended, in one sentence.
std::string until_text(const std::string& condition, const RecordedUntil& recorded) {
  if (!recorded.met) {
    const std::string text = "no step meets " + condition + ", so the whole run is recorded";
    if (recorded.trace->steps.empty()) return text;
    // A path in at() is known to be wrong only at the end
    const auto expression = Expression::parse(condition, *recorded.trace);
    if (!expression) return text + ": " + expression.error().message();
    ExpressionWalk end(*expression, recorded.trace);
    end.seek(static_cast<std::uint32_t>(recorded.trace->steps.size() - 1));
    const std::string reading = end.reading();
    return text + (reading.empty() ? "" : "; at its end " + reading);
  }
  const Step& step = recorded.trace->steps[recorded.met->step];
  const std::string& reading = recorded.met->reading;
  return "stopped at step " + std::to_string(step.ordinal) + " (" + path_text(step) + "), the first that meets " +
         condition + (reading.empty() ? "" : ": " + reading);
}

/// Member "until" of an open JSON object.
void write_until(const std::string& condition, const std::optional<MetStep>& met, JsonWriter& json) {
  json.object("until", [&] {
    json.member("condition", condition);
    json.member("met", met.has_value());
    if (met) {
      json.member("step", met->step);
      json.member("reading", met->reading);
    }
  });
}

/// A recording that is to be kept.
struct Recorded {
  std::shared_ptr<const DataSet> data;
  RecordedUntil run;
};

/// Records the run that the options describe, or the search on its tree.
Result<Recorded> record_run(const Arguments& arguments, Console& console) {
  constexpr std::uint64_t most = 1ull << 50;
  const auto budget = value_of(arguments.integer("--budget", 0, 1, most, true));
  if (arguments.has("--device") && arguments.has("--until"))
    return Error{ErrorKind::bad_usage, "--until looks at the steps of a run here, and --device makes it elsewhere", "",
                 "record the whole run; kdscope-cli show --where finds the step"};
  if (!arguments.has("--data"))
    return Error{ErrorKind::bad_usage, "record needs --data SPEC or --tree FILE", "", "for example --data wald-10"};
  ensure(check_output_is_not_input("-o", arguments.text("-o"), arguments.text("--data")));
  auto run = value_of(run_from(arguments));
  RunRequest& request = run.request;
  print_warnings(*request.points, console);
  request.trace_budget_bytes = budget;
  request.thin = arguments.has("--thin");
  request.search = value_of(recorded_search_from(arguments, *request.points));
  Recorded recorded{request.points, {}};
  if (arguments.has("--until")) {
    recorded.run = value_of(record_until(run, arguments.text("--until"), control_for(console)));
    finish_progress(console);
  } else {
    auto whole = kdscope::run_record(run, control_for(console));
    finish_progress(console);
    const auto trace = whole_trace(whole);
    if (whole && !trace) {  // keep what there is
      Error error = trace.error();
      const std::string unfinished = unfinished_file_of(arguments.text("-o"));
      if (save_trace(*whole->trace, unfinished)) error.remedy += "; the steps so far are in " + unfinished;
      return error;
    }
    if (!trace) return trace.error();
    recorded.run.trace = *trace;
  }
  return recorded;
}

/// Records a search on the tree at the end of a trace.
Result<Recorded> record_on_tree(const Arguments& arguments, Console& console) {
  const std::string file = arguments.text("--tree");
  ensure(check_tree_alone(arguments));
  for (const char* of_build : {"--budget", "--thin", "--until", "--device"})
    if (arguments.has(of_build))
      return Error{ErrorKind::bad_usage, std::string(of_build) + " is for a run, and --tree has none", "",
                   "leave it out, or give --data in place of --tree"};
  if (!arguments.has("--query"))
    return Error{ErrorKind::bad_usage, "record --tree records a search, and there is no query", "",
                 "give one with --query X,Y, or --query all"};
  ensure(check_output_is_not_input("-o", arguments.text("-o"), file));
  const auto tree = value_of(read_searched_tree(file));
  if (!tree.trace)
    return Error{ErrorKind::bad_usage, "this is the table of a tree, without the arrays that a recording shows", file,
                 "give the trace of its build, or search it with kdscope-cli query --tree"};
  if (!tree.trace->header.search.empty())
    return Error{ErrorKind::bad_usage, "this is the recording of a search", file, "give the trace of the build"};
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  const auto texts = value_of(recorded_search_from(arguments, *tree.data));
  const auto search = value_of(search_in(texts));
  const auto trace = value_of(record_search(tree.trace, search, backend, control_for(console)));
  finish_progress(console);
  return Recorded{tree.data, {trace, {}}};
}

Result<ExitCode> run_record(const Arguments& arguments, Console& console) {
  if (!trace_files_available()) return save_trace(Trace(), arguments.text("-o")).error();
  ensure(check_folder_of(arguments.text("-o")));
  const auto done = value_of((arguments.has("--tree") ? record_on_tree : record_run)(arguments, console));
  const std::string condition = arguments.text("--until");
  const bool until = arguments.has("--until");
  const RecordedUntil& recorded = done.run;
  const std::shared_ptr<const Trace>& trace = recorded.trace;
  const std::string path = arguments.text("-o");
  ensure(save_trace(*trace, path));

  const std::size_t checks = check_count(*trace);
  const std::vector<FailedCheck> failed = failed_checks(*trace);
  const TraceHeader& header = trace->header;
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    json.begin_object();
    json.member("file", path);
    json.member("warnings", header.data_warnings);
    json.member("n", header.n);
    json.member("steps", trace->steps.size());
    json.member("stored_bytes", trace->stored_bytes());
    json.member("backend", header.backend);
    json.member("device", header.device);
    json.member("tree_hash", hash_text(header.tree_hash));
    json.member("checks", checks);
    json.member("failed_checks", failed.size());
    write_failed_checks("failures", failed, json);
    if (until) write_until(condition, recorded.met, json);
    json.end_object();
    console.out << "\n";
  } else {
    console.out << printable(path) << ": " << count_text(trace->steps.size(), "step", "steps") << " of "
                << header.algorithm << " on "
                << (sorts_triangles(*trace) ? count_text(done.data->triangles.size() / 3, "triangle", "triangles")
                                            : count_text(header.n, "point", "points"))
                << ", " << bytes_text(trace->stored_bytes()) << " recorded on " << header.backend << " ("
                << header.device << ")\n";
    if (until) console.out << printable(until_text(condition, recorded)) << "\n";
    console.out << (header.tree_hash == 0 ? "no finished tree" : "tree hash " + hash_text(header.tree_hash)) << ", "
                << checks - failed.size() << " of " << checks << " checks hold\n";
    for (const FailedCheck& f : failed) console.out << "FAILED " << printable(failed_check_text(f)) << "\n";
  }
  if (!failed.empty()) return exit_failed_check;
  return until && !recorded.met ? exit_not_met : exit_ok;
}

}  // namespace

Command build_command() {
  CommandSpec spec{
      "build",
      "run an algorithm at full speed, timed",
      "Builds a tree at full speed and prints the number of points, the back end and device, the median and spread "
      "of the build times (data resident on the device, without transfers), memory, and a 64-bit hash of the tree, "
      "which is the same for the same input on every machine.",
      {},
      run_options(),
      {"build --data wald-10 --verify", "build --data uniform:n=1000000,dim=3 --repeat 20 --json",
       "build --data bunny --param split=widest --tree-out bunny.npy",
       "build --algorithm rank --data big.npy --memory 2G --tree-out tree.npy"}};
  spec.options.push_back(device_option());
  spec.options.push_back({"--repeat", "R", "Timed builds, 1 to 1000000; their trees are compared. Default: 1."});
  spec.options.push_back(
      {"--processors", "N",
       "Use only N multiprocessors of the GPU, or N threads of the CPU; the tree is the same. Default: all."});
  spec.options.push_back(
      {"--verify", "", "Check the tree against everything that it must satisfy; exit code 4 if a check fails."});
  spec.options.push_back({"--rays", "N",
                          "Cast N random rays through a tree over triangles, and test each ray against all triangles: "
                          "both must give the same hit. The time grows with rays times triangles."});
  spec.options.push_back(
      {"--tree-out", "F",
       "Write the tree to a file ending in .csv or .npy, one row per node in tree order: original index, split "
       "dimension, coordinates. Trees with empty slots have the node as first column. Trees of median stores have "
       "references instead of a split dimension, and rows without a node for duplicates that were left out. Trees "
       "with leaf buckets have two tables: nodes, and points by position. Trees of split planes have three: nodes, "
       "the triangles or points at each position, and points; over triangles, a fourth holds their corners."});
  spec.options.push_back({"--time-steps", "", "Also time each step once, in a separate build."});
  for (Option& option : slab_options()) spec.options.push_back(std::move(option));
  spec.options.push_back(json_option());
  return {std::move(spec), run_build};
}

Command record_command() {
  CommandSpec spec{
      "record",
      "run an algorithm once and record every step",
      "Runs the same code as `build` once, keeps the state after every step with its checks, and writes a trace "
      "file (HDF5; numpy and h5py read it). Exit code 4 if a check fails: each failed check is printed with its step "
      "and place, and the trace is still written. With --until, the recording ends at the first step that meets a "
      "condition; exit code 9 if none does.",
      {},
      {algorithm_option(usual_algorithm_id), data_option(false), backend_option(), parameter_option(), device_option()},
      {"record --data wald-10 -o ten.kdtrace", "record --data wald-10 --query 50,40 --k 2 -o search.kdtrace",
       "record --data bunny --param sort=bitonic -o bunny.kdtrace",
       "record --data wald-10 --until \"tags[6] == 2\" -o begin.kdtrace",
       "record --tree ten.kdtrace --query 50,40 -o search.kdtrace"}};
  spec.options.push_back(
      {"-o", "F.kdtrace", "The trace file; an older one is replaced once the new one is complete.", true});
  spec.options.push_back({"--budget", "BYTES",
                          "Memory that the recording may keep; K, M or G multiply by 1024, 1024^2 or 1024^3. Default: "
                          "half of the machine's free memory."});
  spec.options.push_back({"--thin", "", "Keep only the last step of each level."});
  spec.options.push_back(
      {"--until", "CONDITION",
       "Stop after the first step at which a condition over the arrays holds, such as "
       "\"tags[17] == 4\", \"any(tags == 4)\" or \"changed(tags[index == p7])\": the language of "
       "the window's watches, explained in app/README.md. With --thin, at the steps that are kept."});
  spec.options.push_back(
      {"--query", "X,Y",
       "Record the search of this query on the finished tree instead of the build; for a ray, its "
       "origin and direction. The coordinates are those of the file: its shift and scale are "
       "applied to them, but not to a radius. all: record a batch in which every point is a query."});
  spec.options.push_back(
      {"--tree", "F.kdtrace",
       "Record the search on the tree at the end of this trace, in place of one that is built. It is "
       "checked first."});
  for (Option& option : search_options()) spec.options.push_back(std::move(option));
  spec.options.push_back(json_option());
  return {std::move(spec), run_record};
}

}  // namespace kdscope::cli
