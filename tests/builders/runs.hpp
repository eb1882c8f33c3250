#pragma once
// Runs of the wald builder on a data set, and the back ends of this machine. The builder tests share this header.

#include <memory>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::test {

inline bool has_cuda() { return find_devices().cuda_status.empty(); }

inline std::shared_ptr<const DataSet> data(const std::string& specification) {
  return open_data_set(specification).value();
}

inline RunRequest wald_request(std::shared_ptr<const DataSet> data, const std::string& split, const std::string& sort,
                               Backend backend) {
  RunRequest request;
  request.algorithm = "wald";
  request.points = std::move(data);
  request.parameters = {{"split", split}, {"sort", sort}};
  request.backend = backend;
  return request;
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
