#pragma once
// Runs a builder on a back end, timed or recorded. All builders share this code. A builder's header declares what it
// needs in a struct Construction:
//
//   using Tree, Options                        the tree on the host; typed parameters
//   upload                                     UploadPoints or UploadMesh
//   declare(list, options)                     the arrays that a recording writes (trace/array_def.hpp)
//   set_rules(tree, options)                   optional: the rules by which verify_tree() checks the tree
//   build(machine, input, options, recorder)   the construction; the machine is an executor
//   in_parts = true                            optional: the machine is a DeviceGroup of options.parts executors

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/record/recorders.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// A base of the Construction of builders over points.
template <class TreeOfKind, class OptionsOfBuilder = NoOptions>
struct BuildsPoints {
  using Tree = TreeOfKind;
  using Options = OptionsOfBuilder;
  static constexpr UploadPoints upload{};
};

/// Returns the tree on the host, with the rules by which it was built.
template <class Construction, class Machine, class OnDevice>
Tree finished_tree(Machine& machine, const OnDevice& there, const std::shared_ptr<const DataSet>& data,
                   const typename Construction::Options& options) {
  typename Construction::Tree tree = download_tree(machine, there, data);
  if constexpr (requires { Construction::set_rules(tree, options); }) Construction::set_rules(tree, options);
  return tree;
}

/// A tree that stays in the memory of its executor, which it owns.
template <class Construction, class Exec>
class TreeOfExecutor final
    : public KeptTreeAs<decltype(Construction::build(
          std::declval<Exec&>(), Construction::upload(std::declval<Exec&>(), std::declval<const DataSet&>()),
          std::declval<const typename Construction::Options&>(), std::declval<NullRecorder&>()))> {
 public:
  /// Builds the tree. Its time is the only one in the report.
  TreeOfExecutor(std::shared_ptr<Exec> exec, const RunRequest& request, const typename Construction::Options& options,
                 BuildReport& report)
      : exec_(std::move(exec)), data_(request.points), options_(options) {
    auto input = Construction::upload(*exec_, *data_, request.points_on_device);
    exec_->synchronize();
    exec_->memory().reset_peaks();
    const std::uint64_t launches = exec_->launches();
    NullRecorder recorder;
    const auto from = exec_->event();
    there_.emplace(Construction::build(*exec_, std::move(input), options_, recorder));
    const auto to = exec_->event();
    report.build_ms = {exec_->elapsed_ms(from, to)};
    report.peak_bytes = exec_->memory().peak();
    report.launches = exec_->launches() - launches;
  }
  Tree download() const override { return finished_tree<Construction>(*exec_, *there_, data_, options_); }
  const typename TreeOfExecutor::Kept& there() const override { return *there_; }

 private:
  std::shared_ptr<Exec> exec_;
  std::shared_ptr<const DataSet> data_;
  typename Construction::Options options_;
  std::optional<typename TreeOfExecutor::Kept> there_;  ///< its memory is the executor's
};

/// Returns the executor that records: the machine itself, or the first member of a group.
template <class Exec>
Exec& recording_member(Exec& machine) {
  return machine;
}

/// Returns the steps of a build that has ended.
template <class Machine>
std::vector<StepTime> step_times(Machine& machine, const TimingRecorder<Machine>& recorder) {
  std::vector<StepTime> times;
  for (const auto& span : recorder.spans())
    times.push_back({path_text(path_of(span.label)), span.label.level, span.label.phase,
                     machine.elapsed_ms(span.from, span.to), span.launches, span.traffic.read, span.traffic.written,
                     span.traffic.uncounted});
  return times;
}

/// Builds at full speed `repeat` times on `machine`, an executor or a group of executors. Uploads the data again for
/// each build, because a builder may work in place. Construction: as described at the top of this file.
template <class Construction, class Machine>
BuildReport run_timed(Machine& machine, const RunRequest& request, const typename Construction::Options& options,
                      const Device& device, const RunControl& control) {
  BuildReport report;
  report.device = device;
  const auto milliseconds = [&](auto&& work) {
    const auto from = machine.event();
    work();
    const auto to = machine.event();
    return machine.elapsed_ms(from, to);
  };
  const auto upload = [&] {
    decltype(Construction::upload(machine, *request.points)) there;
    report.upload_ms =
        milliseconds([&] { there = Construction::upload(machine, *request.points, request.points_on_device); });
    return there;
  };
  const auto keep_tree = [&](const auto& there) {
    report.tree = Tree();  // the host has room for only one
    report.download_ms =
        milliseconds([&] { report.tree = finished_tree<Construction>(machine, there, request.points, options); });
    report.build_hashes.push_back(tree_hash(report.tree));
  };
  const int repeat = std::max(request.time_steps ? 0 : 1, request.repeat);
  for (int i = 0; i < repeat; ++i) {
    if (control.progress)
      control.progress(double(i) / repeat, "build " + std::to_string(i + 1) + " of " + std::to_string(repeat));
    auto there = upload();
    NullRecorder recorder;
    decltype(Construction::build(machine, std::move(there), options, recorder)) tree;
    machine.synchronize();
    machine.memory().reset_peaks();
    const std::uint64_t launches = machine.launches();
    report.build_ms.push_back(
        milliseconds([&] { tree = Construction::build(machine, std::move(there), options, recorder); }));
    report.peak_bytes = machine.memory().peak();
    report.sort_temporary_bytes = machine.memory().peak_temporary();
    report.launches = machine.launches() - launches;
    keep_tree(tree);
  }
  // Time the steps last, so that no step's time includes the start-up cost of a process's first build.
  if (request.time_steps) {
    auto there = upload();
    TimingRecorder<Machine> recorder(machine);
    decltype(Construction::build(machine, std::move(there), options, recorder)) tree;
    machine.synchronize();
    const std::uint64_t launches = machine.launches();
    report.stepped_ms = milliseconds([&] { tree = Construction::build(machine, std::move(there), options, recorder); });
    report.stepped_launches = machine.launches() - launches;
    report.step_times = step_times(machine, recorder);
    if (repeat == 0) {
      report.build_ms.push_back(report.stepped_ms);
      keep_tree(tree);
    }
  }
  report.tree_hash = report.build_hashes.back();
  return report;
}

/// Adds a verifier's results to a step. They replace the step's own checks of the same name.
inline void add_checks(Step& step, std::vector<CheckResult> findings) {
  for (CheckResult& f : findings) {
    std::erase_if(step.checks, [&](const CheckResult& check) { return check.name == f.name; });
    step.checks.push_back(std::move(f));
  }
}

/// Records one build. The last step ends with all checks of the finished tree, unless the request ends the recording
/// earlier.
template <class Construction, class Machine>
std::shared_ptr<const Trace> run_recorded(Machine& machine, const RunRequest& request,
                                          const typename Construction::Options& options, TraceHeader header,
                                          const RunControl& control) {
  auto& exec = recording_member(machine);
  machine.mark_unwritten(control.unwritten);
  const PointSet& points = request.points->points;
  header.tree_kind = Construction::Tree::kind().id();
  TraceBuilder trace(std::move(header));
  ArrayList list(trace.header());
  Construction::declare(list, options);
  for (const ArrayInfo& info : list.infos()) trace.declare(info);
  std::vector<std::pair<std::string, TypedArray>> given;
  if (const auto& triangles = request.points->triangles; !triangles.empty()) {
    trace.declare(list.info(arrays::triangles));
    given.emplace_back(triangles_array, TypedArray::of(triangles));
  }
  // The registry has replaced 0 by default_trace_budget(); a run without the registry has no limit
  const std::uint64_t budget = request.trace_budget_bytes == 0 ? ~0ull : request.trace_budget_bytes;
  TraceRecorder recorder(
      exec, trace,
      {budget, request.thin, num_levels(static_cast<std::uint32_t>(points.size())), control.progress, std::move(given),
       request.most_steps, control.step_starts, control.step_recorded, control.array_copied});
  try {
    const auto there = Construction::build(machine, Construction::upload(machine, *request.points), options, recorder);
    const Tree tree = finished_tree<Construction>(machine, there, request.points, options);
    trace.header().tree_hash = tree_hash(tree);
    add_checks(trace.current_step(), verify_tree(tree, points));
  } catch (const EndOfRecording&) {  // a recording that ends early has no tree
  }
  return trace.finish();
}

}  // namespace kdscope
