#include "app/session/variant_trial.hpp"

#include <optional>

#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/points_file.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

std::string difference_text(const VariantTrial& trial) {
  const Divergence& found = trial.divergence;
  const auto step_text = [&](std::uint32_t step) {
    return "step " + std::to_string(step) + " (" + path_text(trial.run.trace->steps[step]) + ")";
  };
  if (!found.steps) {
    if (!found.only_in_a.empty()) return "does not write the array " + found.only_in_a.front();
    if (!found.only_in_b.empty()) return "writes another array, " + found.only_in_b.front();
    if (!found.step_counts && trial.run.crash.empty())
      return found.hashes ? "records the same arrays as the original, but another tree"
                          : "records the same arrays as the original, but other checks fail";
    return "is equal to the original up to " +
           step_text(static_cast<std::uint32_t>(trial.run.trace->steps.size() - 1)) + ", its last step";
  }
  std::string text = "differs from the original first at " + step_text(found.steps->second);
  if (found.step_names)
    return text + "; there the original runs " + path_text(trial.original->steps[found.steps->first]);
  const DifferentArray& array = found.arrays.front();
  if (array.first.empty()) return text + ": " + array.array + " has " + array.b + " instead of " + array.a;
  const DifferentElement& element = array.first.front();
  return text + ": " + array.array + "[" + std::to_string(element.index) + "] is " + element.b + " instead of " +
         element.a;
}

}  // namespace

std::string usual_trial_data(const std::string& algorithm) {
  const AlgorithmSpec* spec = find_algorithm(algorithm);
  return spec && spec->takes_triangles ? "zhou-8" : "wald-10";
}

Result<VariantTrial> try_variant(const TrialRequest& request, variants::CompilerErrors& errors,
                                 const RunControl& control) {
  const auto report = [&](double fraction, const std::string& what) {
    if (control.progress) control.progress(fraction, what);
  };
  auto file = variants::read_variant(request.file);
  if (!file) return file.error();
  VariantTrial trial;
  trial.file = std::move(*file);
  trial.backend = request.backend;
  trial.data = request.data.empty() ? usual_trial_data(trial.file.algorithm) : request.data;
  trial.own_points = request.own_points;
  const auto data =
      request.own_points ? Result<std::shared_ptr<const DataSet>>(request.own_points) : open_data_set(trial.data);
  if (!data) return data.error();

  // Record the original
  trial.original = request.original;
  if (!trial.original) {
    report(0.0, "Recording the original");
    BuildRequest build;
    build.algorithm = trial.file.algorithm;
    build.backend = request.backend;
    build.data = *data;
    build.parameters = request.parameters;
    const auto recorded = record(build, {control.stop, {}});
    if (!recorded) return recorded.error();
    trial.original = *recorded;
  }

  // Compile the variant
  report(0.2, "Compiling " + request.file);
  const auto kit = variants::find_kit();
  if (!kit) return kit.error();
  auto compiled = variants::compile(trial.file, *kit, errors, control.stop, request.backend);
  if (!compiled) return compiled.error();
  trial.warnings = std::move(compiled->warnings);
  trial.compile_seconds = compiled->seconds;
  trial.headers_prepared = compiled->prepared;

  // Record the variant in a process of its own, and compare
  report(0.8, "Recording the variant");
  try {
    std::optional<variants::SharedPoints> points;
    if (request.own_points) points.emplace(**data);
    auto run = variants::run_variant(compiled->program, *kit,
                                     {trial.data, (*data)->name, request.parameters, points ? points->path() : "", 0,
                                      trial.file.stages, request.backend, request.sanitize},
                                     request.limits, control.stop);
    if (!run) return run.error();
    trial.run = std::move(*run);
    if (trial.run.trace) trial.divergence = find_divergence(trial.original, trial.run.trace, {}, control.stop);
  } catch (const ErrorException& e) {
    return e.error();
  }
  return trial;
}

RecordedRun run_of(const VariantTrial& trial, const Parameters& parameters) {
  auto trace = std::make_shared<Trace>(*trial.run.trace);
  const std::string& path = trial.file.path;
  trace->header.title = "Variant " + path.substr(path.rfind('/') + 1) + " of " + trace->header.title;
  RecordedRun run{
      {trial.data, trial.file.algorithm, parameters, trial.backend}, "", trace, {trial.original, "the original"}, {}};
  run.run.own_points = trial.own_points;
  if (trial.divergence.steps)
    run.first_difference = trial.divergence.steps->second;
  else if (!trial.run.crash.empty())
    run.first_difference = static_cast<std::uint32_t>(trace->steps.size() - 1);
  return run;
}

std::string outcome_text(const VariantTrial& trial) {
  if (!trial.run.crash.empty()) return "crashed in " + trial.run.step + ": " + trial.run.crash;
  if (!trial.run.trace) return "recorded nothing";
  if (!trial.divergence.equal()) return difference_text(trial);
  if (trial.run.replaced.empty() && !trial.file.is_builder)
    return "was not used: with these parameters the builder launches other stages";
  return "is equal to the original: " + std::to_string(trial.divergence.compared_steps) + " steps, the same tree";
}

}  // namespace kdscope
