// repeat: records one run again and again, and prints what varies.

#include <optional>

#include "algorithms/run/run.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variation_report.hpp"

namespace kdscope::cli {
namespace {

Result<ExitCode> run_repeat(const Arguments& arguments, Console& console) {
  const auto times = value_of(arguments.integer("--times", 20, 2, 1'000'000));
  const auto wanted = value_of(run_from(arguments));
  print_warnings(*wanted.request.points, console);
  RunControl control = control_for(console);
  const auto show_progress = control.progress;
  std::optional<Variation> variation;
  for (std::uint64_t run = 0; run < times; ++run) {
    if (show_progress)
      control.progress = [&, run](double share, std::string_view) {
        show_progress((static_cast<double>(run) + share) / static_cast<double>(times),
                      "run " + std::to_string(run + 1) + " of " + std::to_string(times));
      };
    const auto trace = value_of(whole_trace(kdscope::run_record(wanted, control)));
    if (variation)
      variation->add(trace, console.stop);
    else
      variation.emplace(trace);
  }
  finish_progress(console);
  (arguments.has("--json") ? write_variation : print_variation)(*variation, console.out);
  return variation->different_runs() == 0 ? exit_ok : exit_failed_check;
}

}  // namespace

Command repeat_command() {
  CommandSpec spec{
      "repeat",
      "record the same run again and again, and name what varies",
      "Records one run many times and compares each with the first. Every builder here is deterministic, so a step or "
      "an array varies only through a race between threads or memory that is read before it is written. Prints the "
      "first step and the arrays where runs diverge from the first one. Exit code 4 if any run differs.",
      {},
      run_options(),
      {"repeat --times 200 --data uniform:n=10000,dim=3 --algorithm brown --backend cuda"}};
  spec.options.push_back(device_option());
  spec.options.push_back({"--times", "N", "Number of runs, 2 to 1000000. Default: 20."});
  spec.options.push_back(json_option());
  return {spec, run_repeat};
}

}  // namespace kdscope::cli
