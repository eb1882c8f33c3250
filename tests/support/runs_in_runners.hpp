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
inline std::string runner_program() { return variants::Runners::find_program().value(); }

/// A run on the CPU, with its points.
inline RunRequest request_on(const std::string& data, const std::string& algorithm = "wald") {
  return {{}, algorithm, {}, Backend::cpu, false, open_data_set(data).value()};
}

inline std::shared_ptr<const Trace> without_times(const Trace& trace) {
  auto copy = std::make_shared<Trace>(trace);
  for (Step& step : copy->steps) step.elapsed_ms = 0;
  return copy;
}

/// A recording there is that of this process, bit for bit.
inline void check_equals_here(variants::Runners& there, const RunRequest& request) {
  const auto recording = there.record(request).value();
  const auto here = record(request).value();
  CHECK(recording.crash.empty());
  CHECK(equal(*without_times(*recording.trace), *without_times(*here)));
}

}  // namespace kdscope::test
