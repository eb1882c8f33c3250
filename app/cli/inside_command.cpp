// inside: what every lane of a step's kernels read and wrote, what is wrong there, and what it costs.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/inside/look_inside.hpp"
#include "algorithms/variants/measurement.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/find_step.hpp"
#include "app/cli/inside_tables.hpp"
#include "app/cli/run_options.hpp"
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
  std::string file;  ///< a variant's; empty: the builder of `record`
  variants::ProcessRequest record;
  variants::ProgramLimits limits;
  access_log::Wanted wanted;
  InsideView view;
};

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
    const auto range = range_from(arguments, option);
    if (!range) return range.error();
    // A sheet shows one warp of one block; checks and costs need all of them
    const bool sheet = !request.view.check && !request.view.cost && !arguments.has("--json");
    if (*range)
      *to = **range;
    else if (sheet)
      *to = to == &request.wanted.groups ? access_log::Range{0, 1} : access_log::Range{0, 32};
  }
  const auto budget = arguments.integer("--budget", access_log::default_budget, 1, 20'000'000);
  if (!budget) return budget.error();
  request.wanted.most_accesses = *budget;
  const auto launch = arguments.integer("--launch", 0, 0, 1'000'000);
  if (!launch) return launch.error();
  if (arguments.has("--launch")) request.view.launch = static_cast<std::uint32_t>(*launch);
  const auto seconds = arguments.integer("--seconds", 60, 1, 86'400);
  if (!seconds) return seconds.error();
  request.limits.time = std::chrono::seconds(*seconds);

  RunRequest& run = request.record.run;
  if (request.file.empty()) {
    const auto opened = run_from(arguments);
    if (!opened) return opened.error();
    run = opened->request;
    request.record.data_name = run.points->name;
    print_warnings(*run.points, console);
    run.points = nullptr;
  } else {
    const auto parameters = parameters_from(arguments);
    if (!parameters) return parameters.error();
    run.parameters = *parameters;
    run.data = arguments.text("--data");
  }
  run.backend = Backend::cpu;
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
        variants::compile_original(run.algorithm, kit, Backend::cpu, errors, console.stop, Purpose::inside);
    print_errors(errors, "the builder", console);
    if (!program) return program.error();
    return InsideProgram{program->program, ""};
  }
  const auto variant = variants::read_variant(request.file);
  if (!variant) return variant.error();
  if (run.data.empty()) run.data = usual_trial_data(variant->algorithm);
  run.replaced_sources = variant->stages;
  const auto program = variants::compile(*variant, kit, errors, console.stop, Backend::cpu, Purpose::inside);
  print_errors(errors, variant->path, console);
  if (!program) return program.error();
  return InsideProgram{program->program, variant->path};
}

/// Returns the step that the command line names: its number in a recording of the same program.
Result<access_log::Range> chosen_steps(const InsideRequest& request, const std::string& step,
                                       const std::filesystem::path& program, const variants::Kit& kit,
                                       Console& console) {
  if (step.empty() && request.view.check) return access_log::Range();
  const auto run = variants::run_variant(program, kit, request.record, request.limits, console.stop);
  if (!run) return run.error();
  if (!run->trace)
    return Error{ErrorKind::device_failure, run->crash + " in " + run->step, "",
                 "kdscope-cli variant build finds out "
                 "why"};
  std::uint32_t number = 0;
  if (step.empty()) {
    // The first step that launches a kernel at a level
    const auto& steps = run->trace->steps;
    const auto found =
        std::ranges::find_if(steps, [](const Step& each) { return each.kind == StepKind::launch && each.level >= 0; });
    number = found == steps.end() ? 0 : found->ordinal;
  } else {
    const auto found = find_step(*run->trace, step);
    if (!found) return found.error();
    number = *found;
  }
  return access_log::Range{number, number + 1};
}

Result<ExitCode> run_inside(const Arguments& arguments, Console& console) {
  auto request = inside_request(arguments, console);
  if (!request) return request.error();
  const auto kit = variants::find_kit();
  if (!kit) return kit.error();
  const RunControl control = control_for(console);
  const auto report = [&](double fraction, const char* what) {
    if (control.progress) control.progress(fraction, what);
  };
  report(0.0, "Compiling the builder to record accesses");
  const auto program = compiled(*request, *kit, console);
  if (!program) return program.error();
  report(0.7, "Finding the step");
  const auto steps = chosen_steps(*request, arguments.text("--step"), program->program, *kit, console);
  if (!steps) return steps.error();
  request->wanted.steps = *steps;
  report(0.8, "Recording the accesses");
  const auto look = access_log::look_inside(program->program, program->source, *kit, request->record, request->wanted,
                                            request->limits, console.stop);
  finish_progress(console);
  if (!look) return look.error();
  if (arguments.has("--json"))
    write_look(*look, console.out);
  else
    print_look(*look, request->view, console.out);
  return look->faults.empty() && look->crash.empty() ? exit_ok : exit_failed_check;
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
      "in any order. --cost prints how often each line runs, with how many lanes, and which memory it moves. Kernels "
      "stay as they are; sorts and scans of a library are not looked into. Exit code 4 if a fault is found.",
      {{"FILE", "A variant; without one, the builder of --algorithm.", false}},
      run_options(),
      {"inside --data wald-10 --algorithm wald --step \"level 1 / update tags\"",
       "inside --data uniform:n=5000,dim=3 --algorithm rank --step \"level 0 / partition\" --block 3 --lane 5",
       "inside my.cu --data uniform:n=1000,dim=2 --check", "inside --data bunny --algorithm wehr --step 4 --cost"}};
  // The data may be the variant's usual ones, and the back end is always the CPU
  for (Option& option : spec.options) option.required = false;
  std::erase_if(spec.options, [](const Option& option) { return option.name == "--backend"; });
  const std::vector<Option> own{
      {"--step", "N",
       "The step: its number, from 0, or phases that match no other step, such as \"level 1 / sort\". Default: the "
       "first kernel of a level; with --check, all steps."},
      {"--launch", "N", "Of a step with several launches, the one to print. Default: the first with accesses."},
      {"--block", "A[-B]", "Record only this block or warp, or these. Default: 0; with --check, --cost, --json: all."},
      {"--lane", "A[-B]",
       "Record only this lane of each block, or this index of a launch without blocks, or these. Default: 0-31; with "
       "--check, --cost, --json: all."},
      {"--check", "", "Print the faults instead of the sheet."},
      {"--cost", "", "Print the costs of the lines instead of the sheet."},
      {"--budget", "N", "The most accesses to record, 1 to 20M; the rest is counted alone. Default: 1M."},
      {"--seconds", "N", "Limit of time of a run. Default: 60."},
      json_option()};
  spec.options.insert(spec.options.end(), own.begin(), own.end());
  return {spec, run_inside};
}

}  // namespace kdscope::cli
