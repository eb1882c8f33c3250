// variant: builders with stages of the user's own, compiled, run in a process of their own and compared.

#include <chrono>
#include <cstdio>
#include <fstream>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/stage_source.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/different_arrays.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variant_shrink.hpp"
#include "datasets/datasets.hpp"

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
  for (const Stage& stage : stages_of(algorithm))
    console.out << stage.name << std::string(stage.name.size() < 26 ? 26 - stage.name.size() : 1, ' ') << stage.functor
                << " in " << stage.header << "\n";
  return exit_ok;
}

Result<ExitCode> write_new(const Arguments& arguments, Console& console) {
  const std::string example = "new wald update_tags --out my.cu", file = arguments.text("--out");
  if (arguments.operand_count() < 3) return missing("new takes an algorithm and its stages to replace", example);
  if (file.empty()) return missing("new takes the file to write in --out", example);
  std::vector<Stage> stages;
  for (std::size_t i = 2; i < arguments.operand_count(); ++i) {
    auto stage = find_stage(arguments.operand(1), arguments.operand(i));
    if (!stage) return stage.error();
    for (const Stage& other : stages)
      if (other.name == stage->name)
        return Error{ErrorKind::bad_usage, "the stage '" + stage->name + "' is named twice", "", "name it once"};
    stages.push_back(std::move(*stage));
  }
  if (std::ifstream(file))
    return Error{ErrorKind::bad_usage, "is there already", file, "choose another name, or remove it"};
  std::ofstream out(file);
  if (!(out << new_variant(arguments.operand(1), stages, file)) || !out.flush())
    return Error{ErrorKind::io_failure, "cannot be written", file, "choose another folder, or check the disk"};
  console.out << file << ": change it, then run kdscope-cli variant build " << file << "\n";
  return exit_ok;
}

/// The data that a variant runs on unless --data names others.
std::string usual_data(const std::string& algorithm) {
  return find_algorithm(algorithm)->takes_triangles ? "zhou-8" : "wald-10";
}

void print_messages(const std::vector<CompilerMessage>& messages, const std::string& path, Console& console) {
  for (const CompilerMessage& message : messages)
    console.err << path << ":" << message.line << ":" << message.column << ": " << message.kind << ": "
                << printable(message.text) << "\n";
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

Result<ExitCode> build_variant(const Arguments& arguments, Console& console) {
  if (arguments.operand_count() != 2) return missing("build takes one file", "build my.cu --data wald-10");
  const auto variant = read_variant(arguments.operand(1));
  if (!variant) return variant.error();
  BuildRequest request;
  request.algorithm = variant->algorithm;
  request.backend = Backend::cpu;
  const auto parameters = parameters_from(arguments);
  if (!parameters) return parameters.error();
  request.parameters = *parameters;
  const std::string data = arguments.text("--data", usual_data(variant->algorithm));
  const auto opened = open_data_set(data);
  if (!opened) return opened.error();
  request.data = *opened;
  const auto original = record(request, {console.stop, {}});
  if (!original) return original.error();

  const auto kit = find_kit();
  if (!kit) return kit.error();
  CompilerErrors errors;
  const auto compiled = compile(*variant, *kit, errors, console.stop);
  if (!compiled) {
    if (errors.messages.empty())
      console.err << errors.output;
    else
      print_messages(errors.messages, variant->path, console);
    return compiled.error();
  }
  print_messages(compiled->warnings, variant->path, console);
  if (compiled->seconds > 0)
    console.out << "compiled in " << seconds_text(compiled->seconds)
                << (compiled->prepared ? ", with the headers of kdscope (once)\n" : "\n");

  const auto run = run_variant(compiled->program, *kit,
                               {data, (*opened)->name, request.parameters, {}, 0, variant->stages}, {}, console.stop);
  if (!run) return run.error();
  if (!run->crash.empty()) console.out << "crashed in " << run->step << ": " << printable(run->crash) << "\n";
  if (!run->output.empty()) console.out << "the variant printed:\n" << printable_lines(run->output) << "\n";
  if (run->crash.empty() && run->replaced.empty())
    console.out << "no stage of the variant was launched: with these parameters the builder uses other stages\n";
  if (!run->trace) return exit_failed_check;
  const std::string file = arguments.text("--trace");
  if (!file.empty())
    if (const auto saved = save_trace(*run->trace, file); !saved) return saved.error();

  const Divergence found = find_divergence(*original, run->trace, {}, console.stop);
  const TraceNames names{"the original", "the variant"};
  Cursor at(*original);
  if (found.steps) at.seek(found.steps->first);
  print_different_arrays(found, at, names, console.out);
  if (found.equal())
    console.out << "equal to the original: " << found.compared_steps << " steps, tree hash "
                << hash_text(run->trace->header.tree_hash) << "\n";
  else if (!found.steps)
    console.out << "equal to the original up to step " << run->trace->steps.size() - 1 << "\n";
  for (std::size_t step = 0; step < run->trace->steps.size(); ++step) {
    std::vector<CheckResult> failed;
    for (const CheckResult& check : run->trace->steps[step].checks)
      if (!check.passed) failed.push_back(check);
    if (failed.empty()) continue;
    console.out << "first failed checks, at step " << step << " (" << path_text(run->trace->steps[step]) << "):\n";
    print_findings(failed, console.out);
    break;
  }
  if (!file.empty())
    console.out << "to see it: kdscope " << printable(file) << " --step "
                << (found.steps ? found.steps->second : run->trace->steps.size() - 1) << "\n";
  return found.equal() ? exit_ok : exit_failed_check;
}

Result<ExitCode> run_variant_command(const Arguments& arguments, Console& console) {
  const std::string action = arguments.operand(0);
  if (action == "stages") return list_stages(arguments, console);
  if (action == "new") return write_new(arguments, console);
  if (action == "build") return build_variant(arguments, console);
  if (action == "shrink") return shrink_variant(arguments, console);
  return missing("variant cannot '" + action + "'; it takes stages, new, build or shrink", "stages wald");
}

}  // namespace

Command variant_command() {
  std::vector<Option> options{
      {"--out", "FILE",
       "new: the file to write; one that is there is kept. shrink: the file for the points (.csv, .npy) "
       "or triangles (.ply)."},
      data_option(false),
      parameter_option(),
      {"--trace", "FILE", "build: keep the variant's recording in this trace file."},
      {"--seconds", "N", "shrink: the longest search; 60 if it is left out."}};
  options[1].help = "build, shrink: the points or triangles; for build wald-10 or zhou-8 if it is left out.";
  return {{"variant",
           "replace stages of a builder by your own, and compare",
           "A variant is one C++ file that replaces stages of a builder. `stages` lists what can be replaced, `new` "
           "writes a file with the stages as they are, and `build` compiles it, records it in a process of its own "
           "with AddressSanitizer, and compares it with the original: the first step, array and element that differ, "
           "the checks that fail, or the access out of bounds that ended it. Exit code 4 if anything differs. "
           "`shrink` finds the fewest points or triangles on which the variant fails, with simple coordinates.",
           {{"ACTION", "stages, new, build or shrink."},
            {"WORD", "stages: the algorithm. new: the algorithm and the stages. build, shrink: the file.", false},
            {"STAGE", "A stage to replace.", false},
            {"STAGE", "Another one.", false}},
           options,
           {"variant stages wald", "variant new wald update_tags --out my.cu", "variant build my.cu --data wald-10",
            "variant shrink my.cu --data uniform:n=100000,dim=2 --out points.csv"}},
          run_variant_command};
}

}  // namespace kdscope::cli
