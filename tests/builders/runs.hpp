#pragma once
// Runs of a builder on a data set, and the back ends of this machine. The builder tests share this header.

#include <algorithm>
#include <memory>
#include <string>

#include "algorithms/builders/builders.hpp"
#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

inline bool has_cuda() { return find_devices().cuda_status.empty(); }

inline std::shared_ptr<const DataSet> data(const std::string& specification) {
  return open_data_set(specification).value();
}

/// Runs of one builder.
struct RunsOf {
  std::string algorithm;

  RunRequest request(const std::string& specification, const Parameters& parameters = {},
                     Backend backend = Backend::cpu) const {
    return {{}, algorithm, parameters, backend, false, data(specification)};
  }
  std::shared_ptr<const Trace> recorded(const std::string& specification, const Parameters& parameters = {},
                                        Backend backend = Backend::cpu) const {
    auto trace = record(request(specification, parameters, backend));
    if (!trace) FAIL(specification << ": " << trace.error().message());
    return *trace;
  }
};

inline RunRequest wald_request(std::shared_ptr<const DataSet> data, const std::string& split, const std::string& sort,
                               Backend backend) {
  return {{}, "wald", {{"split", split}, {"sort", sort}}, backend, false, std::move(data)};
}

/// Checks that the memory asked for covers what a build takes, and is less than `times` as much.
inline void check_memory(const RunRequest& request, std::uint64_t times) {
  const auto named = [&](const Builder* b) { return b->spec.id == request.algorithm; };
  const Builder& builder = **std::find_if(builders().begin(), builders().end(), named);
  const auto report = build(request).value();
  const TypedOptions options = builder.parse(report.parameters).value();
  const std::uint64_t asked = request.backend == Backend::cpu ? builder.host_bytes(*request.points, options, true)
                                                              : builder.device_bytes(*request.points, options);
  CHECK(report.peak_bytes <= asked);
  CHECK(asked < times * report.peak_bytes);
}

inline std::string first_failure(const std::vector<CheckResult>& findings) {
  for (const CheckResult& f : findings)
    if (!f.passed) return f.name + ": " + f.detail;
  return "";
}

/// Returns the first failed check of a trace with its step, or "".
inline std::string first_failure(const Trace& trace) {
  for (const Step& step : trace.steps)
    for (const CheckResult& c : step.checks)
      if (!c.passed) return path_text(step) + ": " + c.name + ": " + c.detail;
  return "";
}

}  // namespace kdscope::test
