#pragma once
// Runs in processes of their own, and the same runs in this process.

#include <memory>
#include <string>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/runners.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// The path of this build's kdscope-runner.
inline std::string runner_program() {
  const auto program = variants::Runners::find_program();
  REQUIRE(program);
  return *program;
}

/// A run on the CPU, with its points.
inline RunRequest request_on(const std::string& data, const std::string& algorithm = "wald") {
  const auto opened = open_data_set(data);
  REQUIRE(opened);
  RunRequest request;
  request.points = *opened;
  request.algorithm = algorithm;
  request.backend = Backend::cpu;
  return request;
}

inline std::shared_ptr<const Trace> without_times(const Trace& trace) {
  auto copy = std::make_shared<Trace>(trace);
  for (Step& step : copy->steps) step.elapsed_ms = 0;
  return copy;
}

/// A recording there is that of this process, bit for bit.
inline void check_equals_here(variants::Runners& there, const RunRequest& request) {
  const auto recording = there.record(request);
  INFO((recording ? "" : recording.error().message()));
  REQUIRE(recording);
  const auto here = record(request);
  REQUIRE(here);
  CHECK(recording->crash.empty());
  CHECK(equal(*without_times(*recording->trace), *without_times(**here)));
}

}  // namespace kdscope::test
