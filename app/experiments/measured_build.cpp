#include "app/experiments/measured_build.hpp"

#include <algorithm>

#include "algorithms/core/available_memory.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

/// Host memory for points, tree and transfers, and on the CPU back end for the build itself; from above.
std::uint64_t host_bytes(std::uint64_t n, std::uint32_t dim, bool on_cpu) {
  return n * (on_cpu ? 16 * dim + 64 : 8 * dim + 32);
}

}  // namespace

int usual_repeats(std::uint64_t n) { return n <= 1'000'000 ? 21 : n <= 10'000'000 ? 11 : n <= 100'000'000 ? 5 : 3; }

Result<void> measure_build(ExperimentRow& row, BuildRequest request, const std::string& data, std::uint32_t dim,
                           const ExperimentOptions& options, const RunControl& control) {
  request.backend = options.backend;
  request.repeat = options.repeat > 0 ? options.repeat : usual_repeats(row.n);
  row.device.backend = options.backend;
  if (options.backend == Backend::automatic) row.device.backend = find_devices().devices.front().backend;
  const std::uint64_t memory = options.host_memory ? *options.host_memory : available_memory();
  if (host_bytes(row.n, dim, row.device.backend == Backend::cpu) > memory) {
    row.reason = "oom";
    return {};
  }
  const auto opened = open_data_set(data);
  if (opened) request.data = *opened;
  const auto report = opened ? build(request, control) : Result<BuildReport>(opened.error());
  if (!report) {
    if (report.error().kind != ErrorKind::out_of_memory) return report.error();
    row.reason = "oom";
    return {};
  }
  const auto [least, most] = std::minmax_element(report->build_ms.begin(), report->build_ms.end());
  row.measured = true;
  row.median = median_ms(report->build_ms);
  row.least = *least;
  row.most = *most;
  row.repeats = report->build_ms.size();
  row.tree_hash = report->tree_hash;
  row.device = report->device;
  return {};
}

}  // namespace kdscope
