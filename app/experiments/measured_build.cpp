#include "app/experiments/measured_build.hpp"

#include <algorithm>
#include <chrono>

#include "algorithms/core/available_memory.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

/// Builds and returns one report. If memory is too small, or that number of processors is not available, sets the row's
/// reason and returns no report.
Result<std::vector<BuildReport>> fitting(ExperimentRow& row, const RunRequest& request, const RunControl& control) {
  auto report = build(request, control);
  if (report) return std::vector{std::move(*report)};
  const Error& error = report.error();
  const bool processors = row.build.processors > 0 && error.kind == ErrorKind::no_device;
  if (!processors && error.kind != ErrorKind::out_of_memory) return error;
  row.reason = processors ? error.what : "oom";
  return std::vector<BuildReport>();
}

}  // namespace

Result<std::vector<BuildReport>> build_row(ExperimentRow& row, const Parameters& more, bool time_steps,
                                           const ExperimentOptions& options, const RunControl& control) {
  const std::vector<BuildReport> none;
  const AlgorithmSpec* algorithm = find_algorithm(row.build.algorithm);
  RunRequest request;
  request.algorithm = row.build.algorithm;
  request.backend = row.build.backend == Backend::automatic ? options.backend : row.build.backend;
  row.device.backend = request.backend == Backend::automatic ? device_on(request.backend)->backend : request.backend;
  if (!algorithm) {
    row.reason = "no builder " + row.build.algorithm;
    row.parameters.clear();
    return none;
  }
  if (row.build.backend == Backend::cuda && !device_on(Backend::cuda)) {
    row.reason = "no CUDA device";
    return none;
  }
  // Another algorithm in the same table may lack some of the experiment's parameters.
  for (const ParameterSpec& parameter : algorithm->parameters)
    for (const Parameters* given : {&more, &std::as_const(row.build.fixed), &std::as_const(row.parameters)})
      if (const auto value = given->find(parameter.name); value != given->end()) request.parameters.insert(*value);
  const std::uint64_t memory = options.host_memory ? *options.host_memory : available_memory();
  row.reason = "oom";
  if (estimated_host_bytes(row.n, row.build.dim, row.device.backend == Backend::cpu) > memory) return none;
  const auto data = open_data_set(row.build.data);
  if (!data && data.error().kind == ErrorKind::out_of_memory) return none;
  if (!data) return data.error();
  request.points = *data;
  request.processors = row.build.processors;

  // Warm up: the first builds load code and allocate memory that later ones reuse.
  RunControl quiet;
  quiet.stop = control.stop;
  request.repeat = row.n <= 1'000'000 ? 2 : 1;
  const auto first = fitting(row, request, quiet);
  if (!first || first->empty()) return first;
  const auto& times = first->front().build_ms;
  const int repeats =
      options.repeat > 0 ? options.repeat : usual_repeats(*std::min_element(times.begin(), times.end()));
  request.repeat = time_steps ? 1 : repeats;
  request.time_steps = time_steps;
  std::vector<BuildReport> reports;
  for (int i = 0; i < (time_steps ? repeats : 1); ++i) {
    auto report =
        fitting(row, request, time_steps ? share_of(control, double(i) / repeats, double(i + 1) / repeats) : control);
    if (!report || report->empty()) return report;
    reports.push_back(std::move(report->front()));
  }
  row.reason.clear();
  return reports;
}

Result<std::vector<double>> time_on_cpu(ExperimentRow& row, const std::function<void()>& work,
                                        const ExperimentOptions& options, const RunControl& control) {
  std::vector<double> times;
  const auto timed = [&] {
    if (control.stop.stop_requested())
      throw ErrorException({ErrorKind::cancelled, "the experiment was cancelled", "", ""});
    const auto from = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  };
  try {
    const double first = timed();
    const int repeats = options.repeat > 0 ? options.repeat : usual_repeats(first);
    while (static_cast<int>(times.size()) < repeats) {
      if (control.progress) control.progress((1.0 + static_cast<double>(times.size())) / (1 + repeats), row.series);
      times.push_back(timed());
    }
  } catch (const ErrorException& e) {
    if (e.error().kind != ErrorKind::out_of_memory) return e.error();
    row.reason = "oom";
    times.clear();
  }
  return times;
}

std::uint64_t estimated_host_bytes(std::uint64_t n, std::uint32_t dim, bool on_cpu) {
  return n * (on_cpu ? 16 * dim + 64 : 8 * dim + 32);
}

int usual_repeats(double ms) { return static_cast<int>(std::clamp(2000 / std::max(ms, 1e-3), 3.0, 25.0)); }

std::optional<Device> device_on(Backend backend) {
  for (Device& device : find_devices().devices)
    if (backend == Backend::automatic || backend == device.backend) return std::move(device);
  return std::nullopt;
}

void fill_row(ExperimentRow& row, const std::vector<double>& values, const BuildReport& report) {
  row.reason.clear();
  row.samples = {values};
  row.tree_hash = report.tree_hash;
  row.device = report.device;
  row.parameters = report.parameters;
}

Result<void> measure_build(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  for (ExperimentRow& row : rows) {
    const auto reports = build_row(row, {}, false, options, control);
    if (!reports) return reports.error();
    if (!reports->empty()) fill_row(row, reports->front().build_ms, reports->front());
  }
  return {};
}

std::vector<ParameterSpec> parameters_of(std::string_view algorithm, const std::vector<std::string>& names) {
  std::vector<ParameterSpec> found;
  if (const AlgorithmSpec* spec = find_algorithm(algorithm))
    for (const ParameterSpec& parameter : spec->parameters)
      if (std::find(names.begin(), names.end(), parameter.name) != names.end()) found.push_back(parameter);
  return found;
}

}  // namespace kdscope
