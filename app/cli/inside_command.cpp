// inside: what every lane of a step's kernels read and wrote, what is wrong there, and what it costs.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "algorithms/registry/built_trees.hpp"
#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/inside/history.hpp"
#include "algorithms/variants/inside/look_inside.hpp"
#include "algorithms/variants/measurement.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/find_step.hpp"
#include "app/cli/inside_tables.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/search_options.hpp"
#include "app/cli/variant_options.hpp"
#include "app/variant_trials/variant_trial.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

using variants::Purpose;

/// Returns the numbers of an option: "5", "0-63"; nullopt if it was not given.
Result<std::optional<access_log::Range>> range_from(const Arguments& arguments, const std::string& option) {
  if (!arguments.has(option)) return std::optional<access_log::Range>();
  const std::string text = arguments.text(option);
  const char *at = text.data(), *end = at + text.size();
  std::uint32_t first = 0;
  auto [rest, failed] = std::from_chars(at, end, first);
  std::uint32_t last = first;
  if (failed == std::errc() && rest != end && *rest == '-') {
    const auto second = std::from_chars(rest + 1, end, last);
    rest = second.ptr, failed = second.ec;
  }
  if (failed != std::errc() || rest != end || last < first || last == access_log::every_lane)
    return Error{ErrorKind::bad_usage,
                 option + " takes a number, or a first and a last one, not " + kdscope::quoted(text), "",
                 "for example " + option + " 5, or " + option + " 0-63"};
  return std::optional(access_log::Range{first, last + 1});
}

/// What the command line asks for.
struct InsideRequest {
  std::string file;        ///< a variant's; empty: the builder or search of `record`
  std::string search;      ///< id; empty: looks inside the builder
  bool is_search = false;  ///< the file is a search
  variants::ProcessRequest record;
  variants::ProgramLimits limits;
  access_log::Wanted wanted;
  std::uint32_t orders = 0;  ///< in which the run is repeated, if faults are wanted
  InsideView view;
};

/// Returns the algorithm of the option, or the first whose trees the search takes.
std::string algorithm_of(const Arguments& arguments) {
  const Search* search = find_search(arguments.text("--search"));
  if (search && !arguments.has("--algorithm"))
    for (const AlgorithmSpec& spec : algorithms())
      if (built_tree_kind(spec.id)->id() == search->spec.tree_kind) return spec.id;
  return arguments.text("--algorithm", usual_algorithm_id);
}

/// Sets the search that the command line asks for, if any: its id, its queries, the run's RunRequest::search.
Result<void> choose_search(const Arguments& arguments, const DataSet& data, InsideRequest& request) {
  const bool list = arguments.has("--queries");
  if (list && arguments.has("--query"))
    return Error{ErrorKind::bad_usage, "--query and --queries exclude each other", "", "give one of them"};
  RunRequest& run = request.record.run;
  if (!list) {
    run.search = value_of(recorded_search_from(arguments, data));
  } else {
    request.record.queries = arguments.text("--queries");
    const auto queries = value_of(open_queries(request.record.queries, data));
    SearchOfRun search = value_of(search_of_run_from(arguments));
    const PointSet& points = queries->points;
    if (points.size() == 0)
      return Error{ErrorKind::bad_input, "there is no query", request.record.queries, "give at least one"};
    for (std::uint32_t d = 0; d < points.dim; ++d) search.query.push_back(points.value(0, d));
    run.search = texts_of(search);
  }
  if (run.search.empty()) return {};
  const auto asked = value_of(search_in(run.search));
  ensure(check_before_build(asked, run.algorithm, data));
  auto chosen = value_of(request_of(asked, data.points));
  auto checked = value_of(checked_before_build(std::move(chosen), run.algorithm, data));
  request.search = checked.search;
  return {};
}

/// Sets the run that is recorded: data, algorithm, parameters, search.
Result<void> choose_run(const Arguments& arguments, InsideRequest& request, Console& console) {
  const auto parameters = value_of(parameters_from(arguments));
  RunRequest& run = request.record.run;
  run.parameters = parameters;
  run.data = arguments.text("--data");
  if (!request.file.empty()) {
    const auto variant = value_of(variants::read_variant(request.file));
    if (run.data.empty()) run.data = usual_trial_data(variant.algorithm);
    run.algorithm = variant.algorithm, request.is_search = variant.is_search;
  } else {
    run.algorithm = algorithm_of(arguments);
  }
  auto opened_run = value_of(opened(run));
  run = std::move(opened_run.request);
  const std::shared_ptr<const DataSet> data = std::exchange(run.points, nullptr);
  request.record.data_name = data->name;
  print_warnings(*data, console);
  ensure(choose_search(arguments, *data, request));
  if (request.is_search && request.search.empty())
    return Error{ErrorKind::bad_usage, "the file is a search, which needs a query", request.file,
                 "give --query X,Y, --query all or --queries SPEC"};
  if (!request.file.empty() && !request.is_search && !request.search.empty())
    return Error{ErrorKind::bad_usage, "the file is a variant of a builder, which takes no query", request.file,
                 "leave out the file to look inside a search"};
  return {};
}

Result<InsideRequest> inside_request(const Arguments& arguments, Console& console) {
  InsideRequest request;
  request.file = arguments.operand(0);
  request.view.check = arguments.has("--check"), request.view.cost = arguments.has("--cost");
  if (!request.file.empty() && arguments.has("--algorithm"))
    return Error{ErrorKind::bad_usage, "a variant's file and --algorithm exclude each other", "",
                 "the file names its algorithm"};
  if (request.file.empty() && !arguments.has("--data"))
    return Error{ErrorKind::bad_usage, "inside needs --data, or a variant's file", "",
                 "for example kdscope-cli inside --data wald-10 --algorithm wald --step \"level 1 / update tags\""};
  for (const auto& [option, to] : {std::pair{"--block", &request.wanted.groups}, {"--lane", &request.wanted.lanes}}) {
    const auto range = value_of(range_from(arguments, option));
    // A sheet shows one warp of one block; checks and costs need all of them
    const bool sheet = !request.view.check && !request.view.cost && !arguments.has("--json") && !arguments.has("--who");
    if (range)
      *to = *range;
    else if (sheet)
      *to = to == &request.wanted.groups ? access_log::Range{0, 1} : access_log::Range{0, 32};
  }
  request.wanted.most_accesses = value_of(arguments.integer("--budget", access_log::default_budget, 1, 20'000'000));
  request.orders = static_cast<std::uint32_t>(value_of(arguments.integer("--orders", 2, 0, 1000)));
  if (arguments.has("--who")) {
    request.view.who = access_log::element_named(arguments.text("--who"));
    if (!request.view.who)
      return Error{ErrorKind::bad_usage, "--who takes an element, not " + kdscope::quoted(arguments.text("--who")), "",
                   "for example --who tags[12]"};
  }
  const auto launch = value_of(arguments.integer("--launch", 0, 0, 1'000'000));
  if (arguments.has("--launch")) request.view.launch = static_cast<std::uint32_t>(launch);
  const auto seconds = value_of(arguments.integer("--seconds", 60, 1, 86'400));
  request.limits.time = std::chrono::seconds(seconds);

  ensure(choose_run(arguments, request, console));
  request.record.run.backend = Backend::cpu;
  return request;
}

/// The compiled program, and the file in which its lines count as the kernel's.
struct InsideProgram {
  std::filesystem::path program;
  std::string source;
};

Result<InsideProgram> compiled(InsideRequest& request, const variants::Kit& kit, Console& console) {
  variants::CompilerErrors errors;
  RunRequest& run = request.record.run;
  if (request.file.empty()) {
    const auto program =
        request.search.empty()
            ? variants::compile_original(run.algorithm, kit, Backend::cpu, errors, console.stop, Purpose::inside)
            : variants::compile_search(request.search, run.algorithm, kit, errors, console.stop);
    print_errors(errors, request.search.empty() ? "the builder" : "the search", console);
    if (!program) return program.error();
    return InsideProgram{program->program, ""};
  }
  const auto variant = value_of(variants::read_variant(request.file));
  if (!variant.is_search) run.replaced_sources = variant.stages;
  const auto program = variants::compile(variant, kit, errors, console.stop, Backend::cpu, Purpose::inside);
  print_errors(errors, variant.path, console);
  if (!program) return program.error();
  return InsideProgram{program->program, variant.path};
}

/// Returns the step that the command line names: its number in a recording of the same program.
Result<access_log::Range> chosen_steps(const InsideRequest& request, const std::string& step,
                                       const std::filesystem::path& program, const variants::Kit& kit,
                                       Console& console) {
  if (!request.search.empty() && !step.empty())
    return Error{ErrorKind::bad_usage, "a search has no steps", "", "leave out --step; --launch chooses a launch"};
  const bool all_steps = request.view.check || request.view.who;
  if (!request.search.empty() || (step.empty() && all_steps)) return access_log::Range();
  const auto run = value_of(variants::run_variant(program, kit, request.record, request.limits, console.stop));
  if (!run.trace)
    return Error{ErrorKind::device_failure, run.crash + " in " + run.step, "",
                 "kdscope-cli variant build finds out "
                 "why"};
  std::uint32_t number = 0;
  if (step.empty()) {
    // The first step that launches a kernel at a level
    const auto& steps = run.trace->steps;
    const auto found =
        std::ranges::find_if(steps, [](const Step& each) { return each.kind == StepKind::launch && each.level >= 0; });
    number = found == steps.end() ? 0 : found->ordinal;
  } else {
    number = value_of(find_step(*run.trace, step));
  }
  return access_log::Range{number, number + 1};
}

/// Returns the orders beside the ascending one: descending, then shuffled ones.
std::vector<LaneOrder> orders_of(std::uint32_t count) {
  std::vector<LaneOrder> orders;
  for (std::uint32_t i = 0; i < count; ++i)
    orders.push_back(i == 0 ? LaneOrder{LaneOrder::Kind::descending, 0}
                            : LaneOrder{LaneOrder::Kind::shuffled, default_order_seed + i - 1});
  return orders;
}

/// Looks inside the builder that a variant replaces stages of.
Result<access_log::Look> original_look(const InsideRequest& variant, const variants::Kit& kit, Console& console) {
  InsideRequest request = variant;
  request.file.clear();
  request.record.run.replaced_sources.clear();
  const auto program = value_of(compiled(request, kit, console));
  return access_log::look_inside(program.program, program.source, kit, request.record, request.wanted, request.limits,
                                 console.stop);
}

Result<ExitCode> run_inside(const Arguments& arguments, Console& console) {
  auto request = value_of(inside_request(arguments, console));
  const auto kit = value_of(variants::find_kit());
  const RunControl control = control_for(console);
  const auto report = [&](double fraction, const char* what) {
    if (control.progress) control.progress(fraction, what);
  };
  report(0.0, "Compiling the builder to record accesses");
  const auto program = value_of(compiled(request, kit, console));
  report(0.7, "Finding the step");
  request.wanted.steps = value_of(chosen_steps(request, arguments.text("--step"), program.program, kit, console));
  report(0.8, "Recording the accesses");
  auto look = value_of(access_log::look_inside(program.program, program.source, kit, request.record, request.wanted,
                                               request.limits, console.stop));
  // A part of the lanes does not show what a launch leaves
  const bool whole = !arguments.has("--block") && !arguments.has("--lane");
  if (request.view.check && whole) {
    report(0.9, "Repeating the run in other orders of lanes");
    ensure(access_log::compare_orders(look, orders_of(request.orders), program.program, program.source, kit,
                                      request.record, request.wanted, request.limits, console.stop));
  }
  std::optional<access_log::Look> original;
  if (request.view.who && !request.file.empty() && !request.is_search && !arguments.has("--json")) {
    report(0.9, "Recording the accesses of the original");
    original = value_of(original_look(request, kit, console));
  }
  finish_progress(console);
  if (arguments.has("--json"))
    write_look(look, request.view, console.out);
  else if (original)
    print_beside(*original, look, request.view, console.out);
  else
    print_look(look, request.view, console.out);
  return look.faults.empty() && look.crash.empty() ? exit_ok : exit_failed_check;
}

}  // namespace

Command inside_command() {
  CommandSpec spec{
      "inside",
      "show what every lane of a step's kernels did",
      "Compiles a builder or a variant so that each access to memory is reported, runs it on the CPU up to a step, and "
      "prints a sheet of the step's accesses: one row per lane, one column per access, with element and value; what a "
      "lane did not do is empty. Votes, shuffles and scans stand between the intervals. --check finds accesses out of "
      "bounds, reads of elements that nobody wrote, and accesses of two lanes, blocks or indices that a device may do "
      "in any order, and results that depend on that order. --cost prints how often each line runs, with how many "
      "lanes, and which memory it moves. Kernels "
      "stay as they are; sorts and scans of a library are not looked into. Exit code 4 if a fault is found.",
      {{"FILE", "A variant; without one, the builder of --algorithm.", false}},
      run_options(),
      {"inside --data wald-10 --algorithm wald --step \"level 1 / update tags\"",
       "inside --data uniform:n=5000,dim=3 --algorithm rank --step \"level 0 / partition\" --block 3 --lane 5",
       "inside my.cu --data uniform:n=1000,dim=2 --check",
       "inside --data uniform:n=300,dim=2 --search stack-free --query all --k 4 --check",
       "inside --data bunny --algorithm wehr --step 4 --cost"}};
  // The data may be the variant's usual ones, and the back end is always the CPU
  for (Option& option : spec.options) option.required = false;
  std::erase_if(spec.options, [](const Option& option) { return option.name == "--backend"; });
  const std::vector<Option> own{
      {"--step", "N",
       "The step: its number, from 0, or phases that match no other step, such as \"level 1 / sort\". Default: the "
       "first kernel of a level; with --check and --who, all steps."},
      {"--launch", "N", "Of a step with several launches, the one to print. Default: the first with accesses."},
      {"--block", "A[-B]",
       "Record only this block or warp, or these. Default: 0; with --check, --cost, --who, --json: all."},
      {"--lane", "A[-B]",
       "Record only this lane of each block, or this index of a launch without blocks, or these. Default: 0-31; with "
       "--check, --cost, --who, --json: all."},
      {"--query", "X,Y",
       "Look inside a search with this query, or with every point (all), over the trees of the algorithm."},
      {"--queries", "SPEC", "The same with the queries of a data set or file, or rays, as for query."},
      {"--check", "", "Print the faults instead of the sheet."},
      {"--orders", "N",
       "With --check, in how many other orders of lanes, warps and blocks the run is repeated, 0 to 1000: the first "
       "one "
       "is descending, the others are shuffled. Default: 2."},
      {"--who", "ARRAY[I]",
       "Print who wrote an element and who read it, in the step or in all steps, and who reads it next; of a "
       "variant, its accesses beside the original's, and the first that differs."},
      {"--cost", "", "Print the costs of the lines instead of the sheet."},
      {"--budget", "N", "The most accesses to record, 1 to 20M; the rest is counted alone. Default: 1M."},
      {"--seconds", "N", "Limit of time of a run. Default: 60."},
      json_option()};
  spec.options.insert(spec.options.end(), own.begin(), own.end());
  const std::vector<Option> of_search = search_options();
  spec.options.insert(spec.options.end(), of_search.begin(), of_search.end());
  return {spec, run_inside};
}

}  // namespace kdscope::cli
