// Tests runs over one pair of streams: kdscope-runner --near starts kdscope-runner --far, here through pipes.
#include "algorithms/variants/runners.hpp"

#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

/// Runners that reach this build's runner by these words of a shell, in which $RUNNER is its path.
struct Elsewhere {
  explicit Elsewhere(const std::string& words, int wait_s = 60)
      : runners(remote::near_command(runner(), {{"sh", "-c", "RUNNER=" + runner() + "; " + words},
                                                std::chrono::seconds(wait_s)}),
                RunnersAre::elsewhere) {}
  static std::string runner() {
    const auto program = Runners::find_program();
    REQUIRE(program);
    return *program;
  }
  Runners runners;
};
constexpr const char* loopback = "exec $RUNNER --far";

RunRequest run_on(const std::string& data, const std::string& algorithm) {
  const auto opened = open_data_set(data);
  REQUIRE(opened);
  RunRequest request;
  request.points = *opened;
  request.algorithm = algorithm;
  request.backend = Backend::cpu;
  return request;
}

std::shared_ptr<const Trace> timeless(const Trace& trace) {
  auto copy = std::make_shared<Trace>(trace);
  for (Step& step : copy->steps) step.elapsed_ms = 0;
  return copy;
}

}  // namespace

TEST_CASE("remote: recordings of all algorithms are those of this process, bit for bit") {
  Elsewhere there(loopback);
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const RunRequest request = run_on(algorithm.takes_triangles ? "zhou-8" : "wald-10", algorithm.id);
    for (int turn = 0; turn < 2; ++turn) {  // the second one finds the points there
      const auto recording = there.runners.record(request);
      REQUIRE(recording);
      const auto here = record(request);
      REQUIRE(here);
      CHECK(recording->crash.empty());
      CHECK(equal(*timeless(*recording->trace), *timeless(**here)));
    }
  }
}

TEST_CASE("remote: builds at full speed report what they do in this process") {
  Elsewhere there(loopback);
  RunRequest request = run_on("uniform:n=1000,dim=2,seed=3", "hu");
  request.repeat = 3;
  const auto built = there.runners.build(request);
  REQUIRE(built);
  const auto here = build(request);
  REQUIRE(here);
  CHECK(built->build_hashes == here->build_hashes);
  CHECK(built->build_ms.size() == 3);
  CHECK(built->parameters == here->parameters);
  CHECK(built->device.name == here->device.name);
  CHECK(built->peak_bytes == here->peak_bytes);
}
