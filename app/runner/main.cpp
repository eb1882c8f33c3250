// kdscope-runner: builds, records and works for the window in a process of its own. With --far and --near, it carries
// this to another machine (algorithms/variants/remote).

#include <cstdio>
#include <string_view>
#include <utility>

#include "algorithms/run/applications.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/remote/far_end.hpp"
#include "algorithms/variants/remote/near_end.hpp"
#include "algorithms/variants/remote/turns.hpp"
#include "algorithms/variants/variant_program.hpp"
#include "app/bench/bench_run.hpp"
#include "app/experiments/measured_rows.hpp"
#include "app/variant_trials/trials_elsewhere.hpp"

int main(int argc, char** argv) {
  using namespace kdscope::variants::remote;
  const std::string_view word = argc > 1 ? argv[1] : "";
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
