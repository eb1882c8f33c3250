// Stops runs of every algorithm through the registry while they work: from the progress callback and from another
// thread.

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::interrupted_runs_test {

namespace {

RunRequest request_of(const AlgorithmSpec& spec, std::uint32_t n) {
  return {{},
          spec.id,
          {},
          Backend::cpu,
          false,
          spec.takes_triangles ? test::triangle_soup(test::Soup::spread, n)
                               : test::data("uniform:n=" + std::to_string(n) + ",dim=3,seed=1")};
}

}  // namespace

TEST_CASE("a recording that is stopped at any of its steps ends soon, and the next one is whole") {
  for (const AlgorithmSpec& spec : algorithms()) {
    const RunRequest request = request_of(spec, 300);
    const auto whole = record(request).value();
    const std::size_t steps = whole->steps.size();
    for (std::size_t part = 0; part < 12; ++part) {
      // The last steps may have no later launch that would notice the stop.
      const std::size_t at = 1 + part * (steps - 4) / 12;
      std::stop_source stop;
      std::size_t seen = 0;
      const auto stopped = record(request, {stop.get_token(), [&](double, std::string_view) {
                                              if (++seen == at) stop.request_stop();
                                            }});
      INFO(spec.id << ", step " << at << " of " << steps << ": " << path_text(whole->steps[at - 1]));
      REQUIRE(!stopped);
      CHECK(stopped.error().kind == ErrorKind::cancelled);
      CHECK(stopped.error().message() == "stopped on request.");
      CHECK(seen <= at + 1);
    }
    CHECK(record(request).value()->header.tree_hash == whole->header.tree_hash);
  }
}

TEST_CASE("a timed build is stopped from another thread, and the next one gives the same tree") {
  for (const AlgorithmSpec& spec : algorithms()) {
    INFO(spec.id);
    RunRequest request = request_of(spec, 3000);
    const std::uint64_t tree = build(request).value().tree_hash;
    request.repeat = 1'000'000'000;  // practically endless
    std::stop_source stop;
    std::atomic<int> builds = 0;
    const std::jthread other([&] {
      builds.wait(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      stop.request_stop();
    });
    const auto stopped = build(request, {stop.get_token(), [&](double, std::string_view) {
                                           ++builds;
                                           builds.notify_one();
                                         }});
    REQUIRE(!stopped);
    CHECK(stopped.error().kind == ErrorKind::cancelled);
    request.repeat = 1;
    CHECK(build(request).value().tree_hash == tree);
  }
}

}  // namespace kdscope::interrupted_runs_test
