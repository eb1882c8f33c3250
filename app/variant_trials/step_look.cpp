#include "app/variant_trials/step_look.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "algorithms/core/caught.hpp"
#include "algorithms/queries/recorded_search.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/variants/inside/kept_look.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/measurement.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/trace_receiver.hpp"

namespace kdscope {
namespace {

using namespace variants;

/// Returns the file of the variant that a trace was recorded with; empty for a builder.
std::string variant_of(const Trace& trace) {
  // The sources of builders are named from the project's folder, those of a variant by their path
  for (const RecordedSource& source : trace.header.sources)
    if (source.file.starts_with('/')) return source.file;
  return {};
}

/// Returns the how-many-th step of its path a step is, from 0.
std::size_t occurrence_of(const Trace& trace, std::uint32_t step) {
  return static_cast<std::size_t>(std::count_if(trace.steps.begin(), trace.steps.begin() + step,
                                                [&](const Step& each) { return each.path == trace.steps[step].path; }));
}

class StepLooker {
 public:
  StepLooker(const StepLookRequest& request, const RunControl& control, CompilerErrors& errors)
      : request_(request), trace_(*request.trace), control_(control), errors_(errors), kit_(value_of(find_kit())) {}

  /// Throws ErrorException.
  access_log::Look look() {
    compile();
    report(0.6, "Opening the points");
    RunRequest run = request_.run;
    run.algorithm = trace_.header.algorithm;
    const RunRequest same = value_of(opened(run, control_)).request;
    const SharedPoints points(*same.points);
    record_ = {{same.data, {}, trace_.header.parameters, Backend::cpu}, trace_.header.data_set, points.path()};
    record_.run.replaced_sources = stages_;
    report(0.7, "Recording the accesses of the step");
    if (searches()) {
      record_.run.search = trace_.header.search;
      const access_log::Wanted wanted = wanted_in({});
      auto look = value_of(access_log::look_inside(program_, source_, kit_, record_, wanted, limits(), control_.stop));
      if (!source_.empty()) compare_orders(look, wanted);
      return look;
    }
    // A run on a device or a thinned one may have other steps. One that crashed did so in the step behind its last one.
    auto found = look_at(crashed() ? request_.step + 1 : request_.step);
    if (!found) found = look_at(step_in_full_run());
    if (!found)
      throw ErrorException({ErrorKind::bad_usage, "the run on the CPU has no step " + path_text(step()), "",
                            "run the algorithm on the CPU first"});
    return std::move(*found);
  }

 private:
  void report(double fraction, const char* what) const {
    if (control_.progress) control_.progress(fraction, what);
  }
  const Step& step() const { return trace_.steps[request_.step]; }
  bool searches() const { return !trace_.header.search.empty(); }
  /// Whether the run crashed behind the step.
  bool crashed() const {
    return request_.step + 1 == trace_.steps.size() &&
           std::ranges::any_of(step().checks, [](const CheckResult& check) { return check.name == end_check; });
  }

  void compile() {
    report(0, "Compiling the kernels so that each access is reported");
    if (searches() && !request_.search_file.empty()) return take(value_of(read_variant(request_.search_file)));
    if (searches()) {
      program_ = value_of(compile_search(value_of(search_in(trace_.header.search)).search, trace_.header.algorithm,
                                         kit_, errors_, control_.stop))
                     .program;
      return;
    }
    const std::string file = request_.original ? "" : variant_of(trace_);
    if (file.empty()) {
      program_ = value_of(compile_original(trace_.header.algorithm, kit_, Backend::cpu, errors_, control_.stop,
                                           Purpose::inside))
                     .program;
      return;
    }
    const VariantFile variant = value_of(read_variant(file));
    const auto has_changed = [&](const RecordedSource& recorded) {
      return recorded.file == file && std::ranges::find(variant.stages, recorded) == variant.stages.end();
    };
    if (std::ranges::any_of(trace_.header.sources, has_changed))
      throw ErrorException({ErrorKind::bad_usage, "has changed since this run was recorded", file,
                            "build it again in the pane Variants"});
    stages_ = variant.stages;
    take(variant);
  }

  void take(const VariantFile& variant) {
    source_ = variant.path;
    program_ =
        value_of(variants::compile(variant, kit_, errors_, control_.stop, Backend::cpu, Purpose::inside)).program;
  }

  ProgramLimits limits() const {
    ProgramLimits limits;
    limits.time = std::chrono::minutes(10);  // Cancel ends it before
    return limits;
  }

  access_log::Wanted wanted_in(access_log::Range steps) const {
    access_log::Wanted wanted;
    wanted.steps = steps;
    wanted.groups = request_.groups;
    wanted.most_accesses = request_.most_accesses;
    return wanted;
  }

  /// Returns the look inside a step of the recording program, if it has that path.
  std::optional<access_log::Look> look_at(std::uint32_t number) {
    const access_log::Wanted wanted = wanted_in({number, number + 1});
    auto look = access_log::look_inside(program_, source_, kit_, record_, wanted, limits(), control_.stop);
    if (!look && look.error().kind == ErrorKind::bad_usage && number != missing_) return std::nullopt;
    if (!look) throw ErrorException(look.error());
    if (!look->recording.launches.empty() && look->recording.launches.front().step != path_text(step()) && !crashed())
      return std::nullopt;
    if (!source_.empty() && request_.groups == access_log::Range()) compare_orders(*look, wanted);
    return std::move(*look);
  }

  void compare_orders(access_log::Look& look, const access_log::Wanted& wanted) const {
    report(0.85, "Repeating the run in other orders of lanes");
    ProgramLimits short_limits = limits();
    short_limits.time = std::chrono::minutes(1);
    const auto compared = access_log::compare_orders(
        look, {{LaneOrder::Kind::descending, 0}, {LaneOrder::Kind::shuffled, default_order_seed}}, program_, source_,
        kit_, record_, wanted, short_limits, control_.stop);
    // A run that cannot be repeated leaves what was found before
    if (!compared && compared.error().kind == ErrorKind::cancelled) throw ErrorException(compared.error());
  }

  /// Returns the number of the step in a whole recording by the same program.
  std::uint32_t step_in_full_run() {
    report(0.8, "Finding the step");
    const VariantRun run = value_of(run_variant(program_, kit_, record_, limits(), control_.stop));
    std::size_t left = occurrence_of(trace_, request_.step);
    if (run.trace)
      for (const Step& each : run.trace->steps)
        if (each.path == step().path && left-- == 0) return missing_ = each.ordinal;
    throw ErrorException({ErrorKind::bad_usage, "the run on the CPU has no step " + path_text(step()), "",
                          "run the algorithm on the CPU first"});
  }

  const StepLookRequest& request_;
  const Trace& trace_;
  const RunControl& control_;
  CompilerErrors& errors_;
  Kit kit_;
  std::filesystem::path program_;
  std::string source_;
  std::vector<RecordedSource> stages_;
  ProcessRequest record_;
  std::uint32_t missing_ = no_id;
};

}  // namespace

bool is_of_variant(const Trace& trace) { return !variant_of(trace).empty(); }

std::string reason_against_looking(const Trace& trace, std::uint32_t step) {
  if (!trace.header.search.empty()) return "";
  if (trace.steps[step].kind == StepKind::host) return "The host does this step; it launches no kernel.";
  return "";
}

Result<access_log::Look> look_inside_step(const StepLookRequest& request, const RunControl& control,
                                          CompilerErrors* errors) try {
  CompilerErrors unread;
  return StepLooker(request, control, errors ? *errors : unread).look();
} catch (const ErrorException& e) {
  return e.error();
}

std::string recording_beside(const Lesson& lesson) {
  return std::filesystem::path(lesson.path).replace_extension(".kdtrace").string();
}

Result<access_log::Look> look_beside(const Lesson& lesson, const Trace& trace, std::uint32_t step) {
  const std::string path = recording_beside(lesson);
  const auto opened = open_trace(path);
  if (!opened) return opened.error();
  const Trace& kept = *opened->trace;
  const TraceHeader &then = kept.header, &now = trace.header;
  const bool same_run = then.algorithm == now.algorithm && then.parameters == now.parameters &&
                        then.data_set == now.data_set && then.tree_hash == now.tree_hash && then.search == now.search &&
                        std::ranges::equal(kept.steps, trace.steps, {}, &Step::path, &Step::path);
  if (!same_run || then.sources != now.sources)
    return Error{ErrorKind::bad_input, same_run ? "was recorded from other code" : "holds another run", path,
                 "record it again"};
  return access_log::kept_look(kept, step);
}

}  // namespace kdscope
