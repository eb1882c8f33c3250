#include "app/cli/variant_repeat.hpp"

#include <chrono>
#include <optional>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variant_options.hpp"
#include "app/cli/variation_report.hpp"
#include "app/variant_trials/variant_trial.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

/// The options of the action, and what they name.
struct RepeatRequest {
  VariantFile variant;
  ProcessRequest record;
  ProgramLimits limits;
  std::uint64_t times = 20, seed = default_order_seed;
};

Result<RepeatRequest> repeat_request(const Arguments& arguments, Console& console) {
  RepeatRequest request;
  request.times = value_of(arguments.integer("--times", request.times, 2, 1'000'000));
  request.seed = value_of(arguments.integer("--seed", default_order_seed, 0, largest_order_seed));
  const auto seconds = value_of(
      arguments.integer("--seconds", static_cast<std::uint64_t>(request.limits.time.count() / 1000), 1, 86'400));
  request.limits.time = std::chrono::seconds(seconds);
  auto opened = value_of(variant_of_action(arguments, "--times 100", usual_trial_data, console));
  request.variant = std::move(opened.file);
  request.record.data_name = opened.run.points->name;
  request.record.run = std::move(opened.run);
  request.record.run.replaced_sources = request.variant.stages;
  return request;
}

/// Returns the order of a run: the first one is in ascending order, and each other one in a shuffled order of its own.
LaneOrder order_of_run(const RepeatRequest& request, std::uint64_t run) {
  if (run == 0 || request.record.run.backend == Backend::cuda) return {};
  return {LaneOrder::Kind::shuffled, (request.seed + run - 1) % (largest_order_seed + 1)};
}

}  // namespace

Result<ExitCode> repeat_variant(const Arguments& arguments, Console& console) {
  auto request = value_of(repeat_request(arguments, console));
  const auto kit = value_of(find_kit());
  CompilerErrors errors;
  const auto compiled = compile(request.variant, kit, errors, console.stop, request.record.run.backend);
  print_errors(errors, request.variant.path, console);
  if (!compiled) return compiled.error();
  print_messages(compiled->warnings, request.variant.path, console);

  const RunControl control = control_for(console);
  std::optional<Variation> variation;
  for (std::uint64_t run = 0; run < request.times; ++run) {
    if (control.progress)
      control.progress(static_cast<double>(run) / static_cast<double>(request.times),
                       "run " + std::to_string(run + 1) + " of " + std::to_string(request.times));
    request.record.order = order_of_run(request, run);
    const auto done = run_variant(compiled->program, kit, request.record, request.limits, console.stop);
    if (!done)
      if (!done) return done.error();
    finish_progress(console);
    if (!done->crash.empty()) {
      finish_progress(console);
      console.out << "run " << run + 1
                  << (run == 0 || request.record.run.backend == Backend::cuda ? ""
                                                                              : ", " + clause_of(request.record.order))
                  << ", ends in " << printable(done->step) << ": " << printable(done->crash) << "\n";
      return exit_failed_check;
    }
    if (run == 0 && done->replaced.empty() && !request.variant.is_builder) {
      finish_progress(console);
      console.out << "the variant was not used: no launch takes its stage; kdscope-cli variant build finds one that "
                     "does\n";
      return exit_not_used;
    }
    if (variation)
      variation->add(done->trace, console.stop);
    else
      variation.emplace(done->trace);
  }
  finish_progress(console);
  const bool json = arguments.has("--json"), equal = variation->different_runs() == 0;
  (json ? write_variation : print_variation)(*variation, console.out);
  if (!json && request.record.run.backend == Backend::cpu)
    console.out << "lanes ran in ascending order in run 1, and in shuffled orders from seed " << request.seed
                << " on in the others\n";
  return equal ? exit_ok : exit_failed_check;
}

}  // namespace kdscope::cli
