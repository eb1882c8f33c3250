#include "app/variant_trials/shrunk_failure.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "algorithms/core/caught.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/variants/variant_failure.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

/// A text as a double-quoted scalar of YAML.
std::string yaml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

/// Returns whether an element of an array is the first that is wrong, and not a check that fails before.
bool names_element(const VariantTrial& trial) {
  const Divergence& found = trial.divergence;
  if (!found.steps || found.arrays.empty()) return false;
  return !trial.failed_check || trial.failed_check->step >= found.steps->second;
}

std::string symptom_text(const VariantTrial& trial) {
  const std::string order = trial.order == LaneOrder() ? "" : "order: " + yaml_text(name_of(trial.order)) + "\n";
  if (!trial.run.crash.empty())
    return order + "crashes: {step: " + yaml_text(trial.run.step) + ", contains: " + yaml_text(trial.run.crash) + "}\n";
  const Trace& trace = *trial.run.trace;
  const Divergence& found = trial.divergence;
  if (!names_element(trial))
    return order + "fails: {step: " + yaml_text(path_text(trace.steps[trial.failed_check->step])) +
           ", check: " + yaml_text(trial.failed_check->check.name) + "}\n";
  const DifferentArray& array = found.arrays.front();
  const std::uint64_t index = array.first.empty() ? 0 : array.first.front().index;
  return order + "diverges: {step: " + yaml_text(path_text(trace.steps[found.steps->second])) +
         ", array: " + yaml_text(array.array) + ", index: " + std::to_string(index) + "}\n";
}

Result<void> write_file(const std::string& path, const std::string& text) {
  auto file = ReplacedFile::begin(path);
  if (!file) return file.error();
  if (auto written = file->write(text); !written) return written;
  return file->keep();
}

}  // namespace

Result<ShrunkFailure> shrink_failure(const ShrinkRequest& request, variants::CompilerErrors& errors,
                                     std::vector<variants::CompilerMessage>& warnings, const RunControl& control) try {
  RunRequest wanted = request.run;
  wanted.algorithm = request.file.algorithm;
  const auto run = value_of(opened(std::move(wanted), {control.stop, {}}));
  const auto kit = value_of(variants::find_kit());
  const auto compiled = value_of(variants::compile(request.file, kit, errors, control.stop));
  warnings = compiled.warnings;
  // Builders of points take the vertices of a mesh.
  DataSet searched = *run.request.points;
  if (!find_algorithm(request.file.algorithm)->takes_triangles) searched.triangles.clear();
  variants::VariantTester tester(request.file, compiled.program, kit, run.request, control.stop, request.seed);
  const auto fails = [&](const DataSet& tested) -> Result<bool> {
    const auto failure = tester.failure_on(tested);
    if (!failure) return failure.error();
    return !failure->empty();
  };
  variants::ShrinkOptions options;
  options.time = request.time;
  options.stop = control.stop;
  if (control.progress)
    options.progress = [&](const variants::ShrinkProgress& progress) {
      const bool triangles = !searched.triangles.empty();
      control.progress(
          0, count_text(progress.tests, "test", "tests") + ", " +
                 count_text(progress.size, triangles ? "triangle" : "point", triangles ? "triangles" : "points"));
    };
  auto shrunk = variants::shrink(searched, fails, options);
  if (!shrunk && shrunk.error().kind == ErrorKind::bad_input && !tester.used())
    return Error{ErrorKind::bad_input, "the variant was not used: no launch takes its stage", searched.name,
                 "kdscope-cli variant build finds parameters and data with which one does"};
  if (!shrunk) return shrunk.error();
  ShrunkFailure failure{std::move(*shrunk), {}};
  if (control.stop.stop_requested()) return failure;
  failure.failure = value_of(tester.failure_on(failure.shrunk.data));
  return failure;
} catch (const ErrorException& e) {
  return e.error();
}

std::string shrunk_text(const variants::Shrunk& shrunk) {
  const bool triangles = !shrunk.data.triangles.empty();
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", shrunk.seconds);
  return "shrunk from " +
         count_text(shrunk.original_size, triangles ? "triangle" : "point", triangles ? "triangles" : "points") +
         " to " + std::to_string(shrunk.elements.size()) + " in " + count_text(shrunk.tests, "test", "tests") +
         " and " + seconds;
}

Result<void> write_exercise(const std::string& path, const VariantTrial& trial, const std::string& data) {
  if (!path.ends_with(".md"))
    return Error{ErrorKind::bad_usage, "an exercise is a file that ends in .md", path, "choose such a name"};
  const bool shows = !trial.run.crash.empty() || trial.failed_check || names_element(trial);
  if (trial.equal() || !shows)
    return Error{ErrorKind::bad_usage,
                 "the variant differs from the original in no array and no check, so there is nothing to find", path,
                 "choose data on which it fails"};
  const fs::path variant = fs::path(path).replace_extension(".cu");
  std::ifstream in(trial.file.path, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  if (source.empty()) return Error{ErrorKind::io_failure, "cannot be read", trial.file.path, "check the file"};

  std::error_code failed;
  const bool same_file = fs::equivalent(variant, trial.file.path, failed);
  if (!same_file)
    if (const auto written = write_file(variant.string(), source); !written) return written;
  const std::string name = fs::path(trial.file.path).filename().string();
  std::string text = "---\ntitle: " + yaml_text("A failure of " + name) +
                     "\nsource: " + yaml_text(find_algorithm(trial.file.algorithm)->citation) +
                     "\nvariant: " + yaml_text(variant.filename().string()) + "\ndata: " + yaml_text(data) + "\n";
  if (!trial.parameters.empty()) {
    text += "parameters: {";
    for (const auto& [key, value] : trial.parameters)
      text += (text.ends_with('{') ? "" : ", ") + key + ": " + yaml_text(value);
    text += "}\n";
  }
  std::string stages;
  for (const std::string& stage : trial.file.replaced) stages += " " + stage;
  text += symptom_text(trial) + "---\n\n## Story\n\nThe variant " + outcome_text(trial) +
          ".\n\n## Exercise\n\nWhy? Change the code until the variant is equal to the original.\n\n## Solution\n\n" +
          "Not known yet. The original's code: `kdscope-cli variant new " + trial.file.algorithm +
          (trial.file.is_builder ? " --builder" : stages) + " --out original.cu`.\n";
  return write_file(path, text);
}

}  // namespace kdscope
