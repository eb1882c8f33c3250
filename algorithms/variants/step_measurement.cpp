#include "algorithms/variants/step_measurement.hpp"

#include <algorithm>

#include "algorithms/core/caught.hpp"
#include "algorithms/variants/measurement.hpp"

namespace kdscope::variants {
namespace {

constexpr const char* separator = " / ";  // of path_text()

std::string last_of_path(const std::string& path) {
  const std::size_t at = path.rfind(separator);
  return at == std::string::npos ? path : path.substr(at + std::string_view(separator).size());
}

double sum_ms(const std::vector<StepTime>& steps) {
  double sum = 0;
  for (const StepTime& step : steps) sum += step.ms;
  return sum;
}

/// Returns the row of a name, and adds it if there is none.
StepRow& row_named(std::vector<StepRow>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &StepRow::name);
  return found == rows.end() ? rows.emplace_back(StepRow{name, {}, {}}) : *found;
}

using Side = std::optional<StepSum> StepRow::*;

void add_times(std::vector<StepRow>& rows, RowsBy by, const std::vector<StepTime>& steps, Side side) {
  for (const StepTime& step : steps) {
    std::optional<StepSum>& sum = row_named(rows, row_of(step, by)).*side;
    if (!sum) sum.emplace();
    sum->ms += step.ms;
    sum->launches += step.launches;
  }
}

/// Adds the bytes to rows that have times. The CPU may take steps that the measured back end does not.
void add_bytes(std::vector<StepRow>& rows, RowsBy by, const std::vector<StepTime>& counted, Side side) {
  for (const StepTime& step : counted) {
    const auto row = std::ranges::find(rows, row_of(step, by), &StepRow::name);
    if (row == rows.end() || !((*row).*side)) continue;
    ((*row).*side)->bytes_read += step.bytes_read;
    ((*row).*side)->bytes_written += step.bytes_written;
    ((*row).*side)->uncounted += step.uncounted;
  }
}

}  // namespace

ProgramSteps median_steps(const std::vector<BuildReport>& builds) {
  ProgramSteps result{builds.front().step_times, 0, builds.front().parameters};
  std::vector<const BuildReport*> alike;
  for (const BuildReport& build : builds)
    if (build.step_times.size() == result.steps.size()) alike.push_back(&build);
  std::vector<double> times(alike.size());
  for (std::size_t step = 0; step < result.steps.size(); ++step) {
    std::ranges::transform(alike, times.begin(), [&](const BuildReport* build) { return build->step_times[step].ms; });
    result.steps[step].ms = quantile(times, 0.5);
  }
  std::ranges::transform(alike, times.begin(), [](const BuildReport* build) {
    return std::max(0.0, build->stepped_ms - sum_ms(build->step_times));
  });
  result.between_ms = quantile(times, 0.5);
  return result;
}

Result<StepMeasurement> measure_steps(const std::filesystem::path& original, const std::filesystem::path& variant,
                                      ProcessRequest request, int builds, const ProgramLimits& limits,
                                      std::stop_token stop) try {
  request.timed = request.stays = request.run.time_steps = true;
  request.run.repeat = 0;
  const std::string line = line_of(request);
  const char* const names[] = {"original", "variant"};
  std::vector<BuildReport> reports[2];
  for (const int share : {builds / 2, builds - builds / 2}) {
    RunningProgram programs[] = {RunningProgram({original.string()}), RunningProgram({variant.string()})};
    const auto once = [&](std::size_t which, bool counts) -> Result<double> {
      auto report = value_of(build_once(programs[which], names[which], line, limits, stop));
      const double ms = report.stepped_ms;
      if (counts) reports[which].push_back(std::move(report));
      return ms;
    };
    if (const auto taken = samples_in_turn(2, share, once); !taken) return taken.error();
  }
  return StepMeasurement{median_steps(reports[0]), median_steps(reports[1])};
} catch (const ErrorException& e) {
  return e.error();
}

Result<std::vector<StepTime>> count_bytes(const std::filesystem::path& program, ProcessRequest request,
                                          const ProgramLimits& limits, std::stop_token stop) try {
  request.timed = request.run.time_steps = true;
  request.stays = false;
  request.run.repeat = 0;
  request.run.backend = Backend::cpu;
  RunningProgram running({program.string()});
  auto report = value_of(build_once(running, "program that counts bytes", line_of(request), limits, stop));
  return std::move(report.step_times);
} catch (const ErrorException& e) {
  return e.error();
}

std::string row_of(const StepTime& step, RowsBy by) {
  if (by == RowsBy::level) return step.level < 0 ? "no level" : "level " + std::to_string(step.level);
  return by == RowsBy::phase && !step.phase.empty() ? step.phase : last_of_path(step.name);
}

std::vector<StepRow> rows_by(RowsBy by, const StepMeasurement& timed, const std::vector<StepTime>& original_counted,
                             const std::vector<StepTime>& variant_counted) {
  std::vector<StepRow> rows;
  add_times(rows, by, timed.original.steps, &StepRow::original);
  add_times(rows, by, timed.variant.steps, &StepRow::variant);
  add_bytes(rows, by, original_counted, &StepRow::original);
  add_bytes(rows, by, variant_counted, &StepRow::variant);
  return rows;
}

StepSum& StepSum::operator+=(const StepSum& other) {
  ms += other.ms;
  launches += other.launches;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  uncounted += other.uncounted;
  return *this;
}

StepRow sum_of(const std::vector<StepRow>& rows) {
  StepRow sum{"sum of the steps", StepSum{}, StepSum{}};
  for (const StepRow& row : rows)
    for (const Side side : {&StepRow::original, &StepRow::variant})
      if (row.*side) *(sum.*side) += *(row.*side);
  return sum;
}

double StepSum::gigabytes_per_second() const {
  constexpr double bytes_per_ms = 1e6;  // in one GB/s
  return ms > 0 && counted() ? static_cast<double>(bytes()) / bytes_per_ms / ms : 0;
}

}  // namespace kdscope::variants
