#include "app/experiments/measured_build.hpp"

#include <algorithm>
#include <chrono>

#include "algorithms/core/available_memory.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {

Result<std::vector<BuildReport>> build_row(ExperimentRow& row, const Parameters& more, bool time_steps,
                                           const ExperimentOptions& options, const RunControl& control) {
  const std::vector<BuildReport> none;
  const AlgorithmSpec* algorithm = find_algorithm(row.what.subject);
  RunRequest request;
  request.algorithm = row.what.subject;
  request.backend = row.backend == Backend::automatic ? options.backend : row.backend;
  row.device.backend = request.backend == Backend::automatic ? device_on(request.backend)->backend : request.backend;
  if (!algorithm) {
    row.reason = "no builder " + row.what.subject;
    row.facts.parameters.clear();
    return none;
  }
  if (row.backend == Backend::cuda && !device_on(Backend::cuda)) {
    row.reason = "no CUDA device";
    return none;
  }
  // Another algorithm in the same table may lack some of the experiment's parameters.
  for (const ParameterSpec& parameter : algorithm->parameters)
    for (const Parameters* given : {&more, &std::as_const(row.what.given), &std::as_const(row.facts.parameters)})
      if (const auto value = given->find(parameter.name); value != given->end()) request.parameters.insert(*value);
  const std::uint64_t memory = options.host_memory ? *options.host_memory : available_memory();
  row.reason = "oom";
  if (estimated_host_bytes(row.n, row.facts.dim, row.device.backend == Backend::cpu) > memory) return none;
  const auto data = open_data_set(row.specification());
  if (!data && data.error().kind == ErrorKind::out_of_memory) return none;
  if (!data) return data.error();
  request.points = *data;
  request.processors = row.what.processors;
  request.time_steps = time_steps;
  MeasuredRow sampled;  // the reports have all that a row of the table may want
  auto reports = sample_builds(sampled, request, {options.repeat, warm_ups_of(row.n)}, control);
  if (reports) {
    row.reason.clear();
    return reports;
  }
  const Error& error = reports.error();
  const bool processors = row.what.processors > 0 && error.kind == ErrorKind::no_device;
  if (!processors && error.kind != ErrorKind::out_of_memory) return error;
  row.reason = processors ? error.what : "oom";
  return none;
}

Result<void> measure_by_steps(std::span<ExperimentRow> rows,
                              const std::function<double(ExperimentRow& row, const BuildReport& report)>& value_of,
                              const ExperimentOptions& options, const RunControl& control) {
  const auto reports = build_row(rows.front(), {}, true, options, control);
  if (!reports) return reports.error();
  for (ExperimentRow& row : rows) {
    row.reason = rows.front().reason;
    row.device = rows.front().device;
    std::vector<double> values;
    for (const BuildReport& report : *reports) values.push_back(value_of(row, report));
    if (!values.empty()) fill_row(row, values, reports->front());
  }
  return {};
}

Result<std::vector<double>> time_on_cpu(ExperimentRow& row, const std::function<void()>& work,
                                        const ExperimentOptions& options, const RunControl& control) {
  bool warm = false;
  const auto repeated = [&](int wanted) -> Result<std::vector<double>> {
    std::vector<double> times;
    for (int i = 0; i < wanted; ++i) {
      if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the experiment was cancelled", "", ""};
      if (warm && control.progress) control.progress(double(i) / wanted, row.series);
      const auto from = std::chrono::steady_clock::now();
      work();
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count());
    }
    warm = true;
    return times;
  };
  try {
    return take_samples({options.repeat}, repeated);
  } catch (const ErrorException& e) {
    if (e.error().kind != ErrorKind::out_of_memory) return e.error();
    row.reason = "oom";
    return std::vector<double>();
  }
}

void fill_row(ExperimentRow& row, const std::vector<double>& values, const BuildReport& report) {
  row.reason.clear();
  row.samples = {values};
  row.device = report.device;
  set_facts(row.facts, report);
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
