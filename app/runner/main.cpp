// kdscope-runner: builds, records and works for the window in a process of its own. With --far and --near, it carries
// this to another machine (algorithms/variants/remote).

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/registry/registry.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/remote/far_end.hpp"
#include "algorithms/variants/remote/near_end.hpp"
#include "algorithms/variants/remote/turns.hpp"
#include "algorithms/variants/variant_program.hpp"
#include "app/arguments/arguments.hpp"
#include "app/bench/bench_run.hpp"
#include "app/experiments/measured_rows.hpp"
#include "app/variant_trials/trials_elsewhere.hpp"

namespace {

/// What --help and the man page print.
std::string runner_help() {
  kdscope::CommandSpec command{
      "kdscope-runner",
      "builds and records for the window and for other machines",
      "The window and kdscope-cli start it, to build, record and measure in a process of its own: if that fails, they "
      "go on. On a machine with a GPU that others use, it is what the command of a device starts; `kdscope-cli device "
      "--help` explains devices.",
      {},
      {{"--far", "", "Serve one kdscope of another machine, over standard input and output."},
       {"--memory", "SIZE", "After --far: the most memory that it and its runs may each allocate, such as 8G or 500M."},
       {"--near", "COMMAND...", "Pass everything on to the kdscope-runner --far that this command starts."},
       {"--version", "", "Print the version."}},
      {}};
  command.notes = "Started by hand without --far, it exits with code 2.";
  return kdscope::help_text(command);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace kdscope::variants::remote;
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "--help") return std::fputs(runner_help().c_str(), stdout), 0;
  if (word == "--version") return std::printf("kdscope %s\n", kdscope::version()), 0;
  if (word == "--far") {
    const auto limited = limit_memory({argv + 2, argv + argc});
    if (limited) return run_far_end();
    std::fprintf(stderr, "kdscope-runner: %s\n", limited.error().message().c_str());
    return 2;
  }
  if (word == "--near") {
    const auto way = way_from({argv + 2, argv + argc});
    if (way) return run_near_end(*way);
    std::fprintf(stderr, "kdscope-runner: %s\n", way.error().message().c_str());
    return 2;
  }
  std::vector<kdscope::variants::ServedWork> works = kdscope::application_works();
  works.push_back(kdscope::row_work());
  for (kdscope::variants::ServedWork& work : kdscope::bench_works()) works.push_back(std::move(work));
  for (kdscope::variants::ServedWork& work : kdscope::variant_works()) works.push_back(std::move(work));
  return kdscope::run_as_runner(works, take_turn);
}
