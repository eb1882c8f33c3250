#include "app/bench/roofline.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "algorithms/core/caught.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/measurement.hpp"
#include "algorithms/variants/points_file.hpp"

namespace kdscope {
namespace {

using namespace variants;

constexpr int timed_builds = 5;

/// Passes on the progress of one part of the work.
struct Progress {
  const RunControl& control;
  void operator()(double fraction, const std::string& what) const {
    if (control.progress) control.progress(fraction, what);
  }
};

/// Returns the step times of the builds. The first build does not count, because it prepares memory and code.
Result<std::vector<BuildReport>> time_builds(TypedRun run, const RunControl& control) {
  run.request.repeat = 0;
  run.request.time_steps = true;
  std::vector<BuildReport> reports;
  for (int build = 0; build <= timed_builds; ++build) {
    Progress{control}(0.5 + 0.2 * build / (timed_builds + 1), "Timing the steps of " + run.request.algorithm);
    auto report = run_build(run, {control.stop, {}});
    if (!report) return report.error();
    if (build > 0) reports.push_back(std::move(*report));
  }
  return reports;
}

/// Counts the bytes of one build of the same points with the same parameters.
Result<std::vector<StepTime>> count(const std::filesystem::path& program, const RunRequest& run,
                                    const Parameters& parameters, std::stop_token stop) {
  const SharedPoints points(*run.points);
  ProcessRequest request{{run.data, {}, parameters}, run.points->name, points.path()};
  ProgramLimits limits = build_limits();
  limits.time = std::chrono::minutes(30);  // each access is a call
  return count_bytes(program, std::move(request), limits, std::move(stop));
}

}  // namespace

double Roofline::build_ms() const {
  double sum = timed.between_ms;
  for (const StepTime& step : timed.steps) sum += step.ms;
  return sum;
}

std::optional<double> Roofline::shortest_launch_ms() const {
  std::optional<double> shortest;
  for (const StepTime& step : timed.steps) {
    if (step.launches == 0 || step.ms <= 0) continue;
    const double each = step.ms / static_cast<double>(step.launches);
    shortest = std::min(each, shortest.value_or(each));
  }
  return shortest;
}

double Roofline::copy_ms(std::uint64_t bytes) const {
  constexpr double bytes_per_ms = 1e6;  // in one GB/s
  return copy_gigabytes > 0 ? static_cast<double>(bytes) / bytes_per_ms / copy_gigabytes : 0;
}

Result<Roofline> measure_roofline(const RunRequest& request, const RunControl& control) {
  const auto run = opened(request, control);
  return run ? measure_roofline(*run, control) : run.error();
}

Result<Roofline> measure_roofline(const TypedRun& run, const RunControl& control) try {
  const Progress progress{control};
  const RunRequest& request = run.request;
  if (!request.search.empty())
    return Error{ErrorKind::bad_usage, "the steps of a search are not timed", "", "open a build of the algorithm"};
  const auto kit = value_of(find_kit());
  progress(0.05, "Compiling " + request.algorithm + " with counted accesses");
  CompilerErrors errors;
  const auto compiled =
      value_of(compile_original(request.algorithm, kit, Backend::cpu, errors, control.stop, Purpose::count));

  const auto reports = value_of(time_builds(run, control));
  Roofline result;
  result.algorithm = request.algorithm;
  result.data = request.points->name;
  result.device = reports.front().device;
  result.builds = timed_builds;
  result.timed = median_steps(reports);
  result.tree_hash = reports.back().tree_hash;

  // "auto" may differ between back ends
  progress(0.7, "Counting bytes on the CPU");
  result.counted = value_of(count(compiled.program, request, result.timed.parameters, control.stop));

  progress(0.9, "Copying memory");
  const auto copied = value_of(kdscope::run(CopyRequest{result.device}, {control.stop, {}}));
  result.copy_gigabytes = copied.gigabytes_per_second;
  return result;
} catch (const ErrorException& e) {
  return e.error();
}

std::vector<StepRow> rows_of(const Roofline& measured, RowsBy by) {
  return rows_by(by, {measured.timed, {}}, measured.counted);
}

double share_of_copy(const StepRow& row, const Roofline& measured) {
  return measured.copy_gigabytes > 0 ? row.original->gigabytes_per_second() / measured.copy_gigabytes : 0;
}

std::string row_of(const Step& step, RowsBy by) {
  return variants::row_of(StepTime{path_text(step), step.level, step.phase}, by);
}

std::optional<std::uint32_t> first_step_of(const std::string& row, RowsBy by, const Trace& trace) {
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step)
    if (row_of(trace.steps[step], by) == row) return step;
  return std::nullopt;
}

}  // namespace kdscope
