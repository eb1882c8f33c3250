#include "app/cli/variant_measure.hpp"

#include <chrono>
#include <cstdio>
#include <string>

#include "algorithms/microbench/copy_bandwidth.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/variants/measurement.hpp"
#include "algorithms/variants/step_measurement.hpp"
#include "app/cli/step_tables.hpp"
#include "app/cli/variant_options.hpp"
#include "app/measure/sampling.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

constexpr int stepped_builds = 6;

/// The options of the action, and what they name.
struct MeasureRequest {
  VariantFile variant;
  Kit kit;
  RunRequest run;
  int repeat = 21;
  RowsBy by = RowsBy::phase;
  bool bytes = false, json = false;
};

/// What was measured.
struct MeasureResult {
  Measurement times;
  StepMeasurement steps;
  std::vector<StepRow> rows;
  double copy_gigabytes = 0;  ///< per second
};

/// The data of a measurement where none are named.
std::string large_data(const std::string& algorithm) {
  return find_algorithm(algorithm)->takes_triangles ? "toys" : "uniform:n=1000000,dim=3,seed=7";
}

Result<MeasureRequest> measure_request(const Arguments& arguments, Console& console) {
  MeasureRequest request;
  request.repeat = static_cast<int>(value_of(arguments.integer("--repeat", request.repeat, 3, 1000)));
  request.by = value_of(rows_wanted(arguments));
  request.bytes = arguments.has("--bytes");
  request.json = arguments.has("--json");
  auto opened = value_of(variant_of_action(arguments, "--data uniform:n=1000000,dim=3", large_data, console));
  request.variant = std::move(opened.file);
  request.run = std::move(opened.run);
  request.run.points = nullptr;  // the programs open them
  request.kit = value_of(find_kit());
  return request;
}

/// The programs of the original and of the variant, for one purpose.
struct Programs {
  std::filesystem::path original, variant;
};

Result<Programs> compile_both(const MeasureRequest& request, Backend backend, Purpose purpose, Console& console) {
  CompilerErrors errors;
  const auto compiled = compile(request.variant, request.kit, errors, console.stop, backend, purpose);
  print_errors(errors, request.variant.path, console);
  if (!compiled) return compiled.error();
  if (purpose == Purpose::measure) print_messages(compiled->warnings, request.variant.path, console);
  const auto original =
      value_of(compile_original(request.variant.algorithm, request.kit, backend, errors, console.stop, purpose));
  return Programs{original.program, compiled->program};
}

/// Adds the bytes to the rows, and measures the bandwidth beside which they are judged.
Result<void> add_bytes(const MeasureRequest& request, Console& console, MeasureResult& result) {
  const auto programs = value_of(compile_both(request, Backend::cpu, Purpose::count, console));
  ProgramLimits limits = build_limits();
  limits.time = std::chrono::minutes(30);
  RunRequest run = request.run;
  run.parameters = result.steps.original.parameters;  // "auto" may differ between back ends
  const auto original = value_of(count_bytes(programs.original, {run}, limits, console.stop));
  run.parameters = result.steps.variant.parameters;
  const auto variant = value_of(count_bytes(programs.variant, {run}, limits, console.stop));
  const auto copies = copy_bandwidth(*device_on(request.run.backend), console.stop);  // on which it built
  if (!copies) return copies.error();
  result.copy_gigabytes = copies->gigabytes_per_second;
  result.rows = rows_by(request.by, result.steps, original, variant);
  return {};
}

Result<MeasureResult> run_measurement(const MeasureRequest& request, Console& console) {
  const auto programs = value_of(compile_both(request, request.run.backend, Purpose::measure, console));
  const ProgramLimits limits = build_limits();
  auto times =
      value_of(measure(programs.original, programs.variant, {request.run}, request.repeat, limits, console.stop));
  auto steps =
      value_of(measure_steps(programs.original, programs.variant, {request.run}, stepped_builds, limits, console.stop));
  MeasureResult result{std::move(times), std::move(steps), {}};
  result.rows = rows_by(request.by, result.steps);
  if (!request.bytes) return result;
  ensure(add_bytes(request, console, result));
  return result;
}

/// Returns "2.598 ms (2.583 to 2.610)": the median and the quartiles.
std::string quartiles_text(const Samples& samples) {
  char text[96];
  std::snprintf(text, sizeof text, "%.4g ms (quartiles %.4g to %.4g)", samples.median(), samples.quantile(0.25),
                samples.quantile(0.75));
  return text;
}

void print_measurement(const MeasureRequest& request, const MeasureResult& result, std::ostream& out) {
  const Measurement& times = result.times;
  const auto builds = static_cast<std::uint64_t>(request.repeat);
  out << request.run.data << " on " << kdscope::name_of(request.run.backend) << ", "
      << count_text(builds, "build", "builds") << " of each in turn\noriginal  " << quartiles_text(times.original)
      << ", " << count_text(times.original_launches, "launch", "launches") << "\nvariant   "
      << quartiles_text(times.variant) << ", " << count_text(times.variant_launches, "launch", "launches") << "\n"
      << verdict_text(times) << "\n\nmedians of " << stepped_builds << " builds with every step timed\n"
      << times_table(result.rows, result.steps.original.between_ms, result.steps.variant.between_ms);
  if (request.bytes) {
    char copy[32];
    std::snprintf(copy, sizeof copy, "%.4g GB/s", result.copy_gigabytes);
    out << "\nbytes that the code reads and writes in arrays; the device copies " << copy << ", read and written\n"
        << bytes_table(result.rows, result.copy_gigabytes);
  }
  if (!times.same_tree)
    out << "the trees differ, so the times are not those of the same work: kdscope-cli variant build finds where\n";
}

void write_measurement(const MeasureRequest& request, const MeasureResult& result, std::ostream& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("data", request.run.data);
  json.member("backend", kdscope::name_of(request.run.backend));
  json.member("original_ms", result.times.original.values);
  json.member("variant_ms", result.times.variant.values);
  json.member("ratio", ratio_of(result.times));
  json.member("verdict", name_of(verdict_of(result.times)));
  json.member("same_tree", result.times.same_tree);
  json.member("original_launches", result.times.original_launches);
  json.member("variant_launches", result.times.variant_launches);
  write_steps(result.rows, request.bytes, json);
  json.member("original_between_ms", result.steps.original.between_ms);
  json.member("variant_between_ms", result.steps.variant.between_ms);
  if (request.bytes) json.member("copy_gb_per_s", result.copy_gigabytes);
  json.end_object();
  out << "\n";
}

}  // namespace

Result<ExitCode> measure_variant(const Arguments& arguments, Console& console) {
  const auto request = value_of(measure_request(arguments, console));
  const auto result = value_of(run_measurement(request, console));
  (request.json ? write_measurement : print_measurement)(request, result, console.out);
  return result.times.same_tree ? exit_ok : exit_failed_check;
}

}  // namespace kdscope::cli
