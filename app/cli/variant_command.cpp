// The command `variant`: compiles builders with the user's stages, runs them in a separate process, and compares them
// with the originals.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/device_report.hpp"
#include "algorithms/variants/stage_source.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/different_arrays.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variant_measure.hpp"
#include "app/cli/variant_options.hpp"
#include "app/cli/variant_repeat.hpp"
#include "app/cli/variant_shrink.hpp"
#include "app/variant_trials/variant_launches.hpp"
#include "app/variant_trials/variant_trial.hpp"
#include "walkthroughs/reader/gallery.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

Error missing(const std::string& what, const std::string& example) {
  return {ErrorKind::bad_usage, what, "", "for example kdscope-cli variant " + example};
}

Result<ExitCode> list_stages(const Arguments& arguments, Console& console) {
  if (arguments.operand_count() != 2) return missing("stages takes the name of one algorithm", "stages wald");
  const std::string algorithm = arguments.operand(1);
  if (auto known = find_stage(algorithm, ""); !find_algorithm(algorithm)) return known.error();
  const auto print = [&](const Stage& stage, const std::string& more) {
    console.out << stage.name << std::string(stage.name.size() < 26 ? 26 - stage.name.size() : 1, ' ') << stage.functor
                << " in " << stage.header << more << "\n";
  };
  if (!arguments.has("--launches")) {
    for (const Stage& stage : stages_of(algorithm)) print(stage, "");
    for (const Stage& helper : helpers_of(algorithm)) print(helper, "; a helper of stages");
    return exit_ok;
  }
  CompilerErrors errors;
  const auto launches = stage_launches(algorithm, errors, control_for(console));
  finish_progress(console);
  print_errors(errors, "stages of " + algorithm, console);
  if (!launches) return launches.error();
  for (const StageLaunch& launch : *launches)
    print(launch.stage, !launch.launched        ? "; nothing that was tried launches it"
                        : launch.choice.empty() ? "; used with " + usual_trial_data(algorithm) + " as it is"
                                                : "; used with " + launch.choice);
  return exit_ok;
}

Result<ExitCode> write_new(const Arguments& arguments, Console& console) {
  const std::string example = "new wald update_tags --out my.cu", file = arguments.text("--out");
  const bool builder = arguments.has("--builder"), search = arguments.has("--search");
  if ((builder || search) && arguments.operand_count() != 2)
    return missing("new takes an algorithm alone with --builder or --search", "new wald --builder --out my.cu");
  if (builder && search) return missing("new copies a builder or a search, not both", "new wald --builder --out my.cu");
  if (!builder && !search && arguments.operand_count() < 3)
    return missing("new takes an algorithm and its stages to replace, --builder or --search", example);
  if (file.empty()) return missing("new takes the file to write in --out", example);
  std::string text;
  if (builder || search) {
    const auto kit = value_of(find_kit());
    const std::string& headers = kit.include_folders.front();
    text = value_of(builder ? new_builder(arguments.operand(1), headers, file)
                            : search_program(arguments.text("--search"), arguments.operand(1), headers, true));
  } else {
    std::vector<Stage> stages;
    const bool all = arguments.operand_count() == 3 && arguments.operand(2) == "all";
    if (all) stages = stages_of(arguments.operand(1));
    for (std::size_t i = all ? 3 : 2; i < arguments.operand_count(); ++i) {
      auto stage = value_of(find_stage(arguments.operand(1), arguments.operand(i)));
      for (const Stage& other : stages)
        if (other.name == stage.name)
          return Error{ErrorKind::bad_usage, "the stage '" + stage.name + "' is named twice", "", "name it once"};
      stages.push_back(std::move(stage));
    }
    text = new_variant(arguments.operand(1), stages, file);
  }
  if (std::ifstream(file))
    return Error{ErrorKind::bad_usage, "is there already", file, "choose another name, or remove it"};
  std::ofstream out(file);
  if (!(out << text) || !out.flush())
    return Error{ErrorKind::io_failure, "cannot be written", file, "choose another folder, or check the disk"};
  console.out << printable(file) << ": change it, then run"
              << (search ? " kdscope-cli inside " + printable(file) + " --data SPEC --query X,Y"
                         : command_text("build", file, "", {}))
              << "\n";
  return exit_ok;
}

/// Lists the gallery of broken variants, or copies one.
Result<ExitCode> show_gallery(const Arguments& arguments, Console& console) {
  const Gallery gallery = read_gallery(gallery_folder());
  for (const Error& problem : gallery.problems) console.err << "kdscope-cli: " << printable(problem.message()) << "\n";
  if (arguments.operand_count() == 1) {
    for (const GalleryEntry& entry : gallery.entries)
      console.out << entry.id << std::string(entry.id.size() < 26 ? 26 - entry.id.size() : 1, ' ') << entry.title
                  << " (" << entry.source << ")\n";
    return gallery.problems.empty() ? exit_ok : exit_bad_input;
  }
  const std::string id = arguments.operand(1), file = arguments.text("--out");
  std::vector<std::string> known;
  for (const GalleryEntry& entry : gallery.entries) known.push_back(entry.id);
  const auto entry = std::ranges::find(gallery.entries, id, &GalleryEntry::id);
  if (entry == gallery.entries.end())
    return Error{ErrorKind::bad_usage, "the gallery holds no '" + id + "'", "", did_you_mean(id, known)};
  if (file.empty()) return missing("gallery takes the file to write in --out", "gallery " + id + " --out my.cu");
  std::error_code failed;
  if (!std::filesystem::copy_file(entry->variant, file, failed) || failed)
    return Error{ErrorKind::io_failure, "cannot be written: " + failed.message(), file, "choose another name"};
  console.out << entry->exercise
              << "\n\nTo see what it does:" << command_text("build", file, entry->data, entry->parameters) << "\n";
  return exit_ok;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

Result<TrialRequest> trial_from(const Arguments& arguments) {
  TrialRequest request;
  request.file = arguments.operand(1);
  request.data = arguments.text("--data");
  request.parameters = value_of(parameters_from(arguments));
  const auto seconds = value_of(arguments.integer("--seconds", request.limits.time.count() / 1000, 1, 86'400));
  request.limits.time = std::chrono::seconds(seconds);
  request.seed =
      static_cast<std::uint64_t>(value_of(arguments.integer("--seed", default_order_seed, 0, largest_order_seed)));
  request.backend = value_of(variant_backend(arguments));
  if (!arguments.has("--sanitize")) return request;
  const std::string list = arguments.text("--sanitize");
  const auto tools = value_of(device_tools_in(list.empty() ? "memcheck" : list));
  if (request.backend != Backend::cuda)
    return Error{ErrorKind::bad_usage, "--sanitize is for --backend cuda", "",
                 "leave it out: on the CPU, a variant always runs with AddressSanitizer"};
  request.tools = tools;
  return request;
}

void print_failed_checks(const Trace& trace, Console& console) {
  for (std::size_t step = 0; step < trace.steps.size(); ++step) {
    std::vector<CheckResult> failed;
    for (const CheckResult& check : trace.steps[step].checks)
      if (!check.passed) failed.push_back(check);
    if (failed.empty()) continue;
    console.out << "first failed checks, at step " << step << " (" << path_text(trace.steps[step]) << "):\n";
    print_findings(failed, console.out);
    return;
  }
}

/// Prints what the variant printed, below the name of each step.
void print_prints(const VariantRun& run, Console& console) {
  if (run.prints.left_out > 0)
    console.out << "(the first " << run.prints.left_out << " bytes that the variant printed are left out)\n";
  for (const PrintedStep& print : run.prints.steps) {
    const bool recorded = run.trace && print.step < run.trace->steps.size();
    console.out << "printed at step " << print.step << " ("
                << printable(recorded ? path_text(run.trace->steps[print.step]) : run.step) << "):\n"
                << printable_lines(print.text) << (print.text.ends_with('\n') ? "" : "\n");
  }
}

/// Tries the variant once and prints what came of it.
Result<VariantTrial> try_and_print(const TrialRequest& request, const std::string& trace_file, Console& console) {
  CompilerErrors errors;
  auto trial = try_variant(request, errors, {console.stop, {}});
  if (!trial) {
    print_errors(errors, request.file, console);
    return trial;
  }
  print_messages(trial->warnings, trial->file.path, console);
  if (trial->compile_seconds > 0)
    console.out << "compiled in " << seconds_text(trial->compile_seconds)
                << (trial->headers_prepared ? ", with the headers of kdscope (once)\n" : "\n");
  const VariantRun& run = trial->run;
  print_prints(run, console);
  console.out << "the variant " << printable(outcome_text(*trial)) << "\n";
  if (!trial->used_with.empty())
    console.out << "with the parameters and data asked for, the builder launches other stages; the same again:"
                << command_text("build", request.file, trial->data, trial->parameters) << "\n";
  if (!run.trace) return trial;
  if (!trace_file.empty()) ensure(save_trace(*trace_of(*trial), trace_file));

  const Divergence& found = trial->divergence;
  Cursor at(trial->original);
  if (found.steps) at.seek(found.steps->first);
  print_different_arrays(found, at, {"the original", "the variant"}, console.out);
  print_failed_checks(*run.trace, console);
  if (!trace_file.empty())
    console.out << "to see it: kdscope " << printable(trace_file) << " --step "
                << (found.steps ? found.steps->second : run.trace->steps.size() - 1) << "\n";
  return trial;
}

Result<ExitCode> build_variant(const Arguments& arguments, Console& console) {
  if (arguments.operand_count() != 2) return missing("build takes one file", "build my.cu --data wald-10");
  const auto request = value_of(trial_from(arguments));
  const auto trial = value_of(try_and_print(request, arguments.text("--trace"), console));
  if (trial.not_used()) return exit_not_used;
  if (trial.order == LaneOrder() && trial.other_steps()) return exit_other_steps;
  if (!trial.equal()) return exit_failed_check;
  return trial.unused.empty() ? exit_ok : exit_not_used;
}

/// Tries the variant now and after each time that its file was saved, until the program is stopped.
Result<ExitCode> watch_variant(const Arguments& arguments, Console& console) {
  constexpr auto pause = std::chrono::milliseconds(100);
  if (arguments.operand_count() != 2) return missing("watch takes one file", "watch my.cu --data wald-10");
  auto request = value_of(trial_from(arguments));
  namespace fs = std::filesystem;
  std::optional<fs::file_time_type> tried;
  std::string original_of;  // the algorithm whose recording is in the request
  while (!console.stop.stop_requested()) {
    std::error_code failed;
    const auto saved = fs::last_write_time(request.file, failed);
    // An editor may replace the file, so that it is missing for a moment.
    if (tried && (failed || saved == *tried)) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    tried = saved;
    const auto file = read_variant(request.file);
    if (file && file->algorithm != original_of) request.original = nullptr;
    const auto trial = try_and_print(request, arguments.text("--trace"), console);
    if (trial) {
      // A launch on other data, or an original in another order, is not what the next trial compares with
      request.original = trial->used_with.empty() && !trial->original_depends ? trial->original : nullptr;
      original_of = trial->file.algorithm;
    } else if (trial.error().kind != ErrorKind::bad_input) {
      return trial.error();
    } else {
      console.err << "kdscope-cli: " << printable(trial.error().message()) << "\n";
    }
    console.out << "waiting until " << request.file << " is saved; Ctrl+C ends\n" << std::flush;
  }
  return exit_ok;
}

Result<ExitCode> run_variant_command(const Arguments& arguments, Console& console) {
  const std::string action = arguments.operand(0);
  if (arguments.has("--device") && action != "build" && action != "watch")
    return Error{ErrorKind::bad_usage, "variant " + action + " does not take --device", "",
                 "build or watch the variant there, or run this command on that machine"};
  if (action == "stages") return list_stages(arguments, console);
  if (action == "new") return write_new(arguments, console);
  if (action == "build") return build_variant(arguments, console);
  if (action == "watch") return watch_variant(arguments, console);
  if (action == "repeat") return repeat_variant(arguments, console);
  if (action == "shrink") return shrink_variant(arguments, console);
  if (action == "measure") return measure_variant(arguments, console);
  if (action == "gallery") return show_gallery(arguments, console);
  return missing(
      "variant cannot '" + action + "'; it takes stages, new, build, watch, repeat, shrink, measure or gallery",
      "stages wald");
}

}  // namespace

Command variant_command() {
  std::vector<Option> options{
      {"--out", "FILE",
       "new, gallery: the file to write; one that is there is kept. shrink: the file for the points (.csv, .npy) or "
       "triangles (.ply)."},
      data_option(false),
      parameter_option(),
      {"--builder", "", "new: copy the whole builder, not a stage."},
      {"--search", "ID", "new: copy a search over the trees of the algorithm, to look inside it."},
      {"--backend", "NAME", "build, watch, repeat, measure: cpu, which is usual, or cuda, where nvcc and a GPU are."},
      {"--sanitize", "[=TOOLS]",
       "build, watch, on CUDA: run under these tools of compute-sanitizer, one after another, until one finds a fault: "
       "memcheck, racecheck, initcheck, synccheck. Without a list, memcheck. Slow."},
      {"--trace", "FILE", "build, watch: keep the variant's recording in this trace file."},
      {"--repeat", "N", "measure: the builds of each, 21 if it is left out."},
      {"--times", "N", "repeat: the number of runs, 2 to 1000000; 20 if it is left out."},
      {"--launches", "", "stages: also compile all of them, and say with which parameters and data each is launched."},
      {"--by", "ROWS", "measure: one row per phase, which is usual, per level, or per step."},
      {"--bytes", "",
       "measure: also count the bytes that each step reads and writes in arrays, on the CPU and once per program. "
       "Slow. These are the bytes that the code asks for, at each access and on one thread; caches and shared memory "
       "make the device's memory move fewer, and accesses that are not contiguous more. A sort or a prefix sum in "
       "place counts as one read and one write of its arrays; the bytes of a sort by comparison are not counted."},
      {"--json", "", "measure, repeat: print one JSON value for programs instead of text for people."},
      device_option(),
      {"--exercise", "FILE.md",
       "shrink: also write the failure as an exercise, with a copy of the variant beside it. The pane Variants opens "
       "it at the first element that differs."},
      {"--seconds", "N",
       "build, watch, repeat: the longest that one recording of the variant may take. shrink: the longest search. 60 "
       "if it is "
       "left out."},
      {"--seed", "N",
       "build, watch, repeat, shrink: the seed of the shuffled order of lanes; 17 if it is left out. repeat: the "
       "seed of the second run, whose followers count up."}};
  options[1].help =
      "build, watch, repeat, shrink, measure: the points or triangles. If it is left out, build, watch and repeat take "
      "wald-10 or "
      "zhou-8, and measure a million points or the toys.";
  return {
      {"variant",
       "replace stages of a builder by your own, and compare",
       "A variant is one C++ file that replaces stages of a builder. `stages` lists what can be replaced, `new` "
       "writes a file with the stages as they are, and `build` compiles it, records it in a process of its own with "
       "AddressSanitizer, and compares it with the original: the first step, array and element that differ, the "
       "checks that fail, or the fault that ended it, and what each step printed. One that is equal runs again with "
       "its lanes, warps, blocks and threads in descending and in shuffled order, and with all lanes of an interval "
       "at once, as a GPU may run them; the outcome names what was tried. One whose stage is not launched runs with "
       "other parameters and data until it is. A variant runs as you, with your rights: it may read and delete your "
       "files, so read one of somebody else before you build it. `watch` does the same each time that the file is "
       "saved. `repeat` records it many times, on the CPU each time with its lanes in another order, and names the "
       "step and the array that vary. `shrink` finds the fewest points or triangles on which the variant fails, with "
       "simple coordinates. `measure` times it beside the original, as a whole and by phase, level or step, and "
       "counts launches and bytes. `gallery` lists broken variants to practise on, and copies one. Exit code 4 if "
       "anything differs, 7 if no launch used the stage, or one of several, 8 if a builder has other steps but the "
       "same tree.",
       {{"ACTION", "stages, new, build, watch, repeat, shrink, measure or gallery."},
        {"WORD",
         "stages: the algorithm. new: the algorithm and the stages. build, watch, repeat, shrink, measure: the file. "
         "gallery: the variant to copy; all are listed if it is left out.",
         false},
        {"STAGE", "A stage to replace, or all.", false},
        {"STAGE", "Another one.", false}},
       options,
       {"variant stages wald", "variant new wald update_tags --out my.cu", "variant build my.cu --data wald-10",
        "variant shrink my.cu --data uniform:n=100000,dim=2 --out points.csv"}},
      run_variant_command};
}

}  // namespace kdscope::cli
