#pragma once
// Runs a builder on a back end, timed or recorded: the part that is the same for every builder. Included by a builder's
// .cpp and .cu, which instantiate it.

#include <algorithm>
#include <span>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/record/recorders.hpp"

namespace kdscope {

/// Point records in a back end's memory.
template <class Exec>
struct PointsOnDevice {
  Array<std::uint32_t, Exec> words;  ///< [n * stride]
  std::uint32_t n = 0, dim = 0, stride = 0;
  ScalarType type = ScalarType::float32;

  PointsView view() const { return {words.data(), n, dim, stride, type}; }
};

/// A left-balanced tree in a back end's memory, in level order.
template <class Exec>
struct TreeOnDevice {
  PointsOnDevice<Exec> points;
  Array<PointId, Exec> point_of_node;
  Array<std::uint8_t, Exec> split_dim;
};

template <class Exec>
PointsOnDevice<Exec> upload_points(Exec& exec, const PointSet& points) {
  PointsOnDevice<Exec> there{exec.template array<std::uint32_t>("points", points.words.size()), static_cast<std::uint32_t>(points.size()),
                             points.dim, points.stride(), points.type};
  exec.upload(there.words.data(), std::span(points.words));
  return there;
}

template <class Exec>
LeftBalancedTree download_tree(Exec& exec, const TreeOnDevice<Exec>& tree, std::uint32_t payload_words) {
  LeftBalancedTree host;
  host.points = {tree.points.type, tree.points.dim, payload_words, std::vector<std::uint32_t>(tree.points.words.size())};
  host.point_of_node.resize(tree.points.n);
  host.split_dim.resize(tree.points.n);
  exec.download(std::span(host.points.words), tree.points.words.data());
  exec.download(std::span(host.point_of_node), tree.point_of_node.data());
  exec.download(std::span(host.split_dim), tree.split_dim.data());
  return host;
}

/// build(exec, points, recorder) -> TreeOnDevice, at full speed, `repeat` times; points are uploaded afresh each time,
/// because a builder may work in place.
template <class Exec, class Build>
BuildReport run_timed(Exec& exec, const BuildRequest& request, const Device& device, const RunControl& control, Build build) {
  BuildReport report;
  report.device = device;
  report.parameters = request.parameters;
  const PointSet& points = request.data->points;
  const auto milliseconds = [&](auto&& work) {
    const auto from = exec.event();
    work();
    const auto to = exec.event();
    return exec.elapsed_ms(from, to);
  };
  const auto upload = [&] {
    PointsOnDevice<Exec> there;
    report.upload_ms = milliseconds([&] { there = upload_points(exec, points); });
    return there;
  };
  if (request.time_steps) {
    TimingRecorder<Exec> recorder(exec);
    build(exec, upload(), recorder);
    for (const auto& span : recorder.spans()) {
      const std::string level = span.label.level >= 0 ? "level " + std::to_string(span.label.level) + " / " : "";
      report.step_times.push_back({"build / " + level + span.label.name, span.label.level, exec.elapsed_ms(span.from, span.to)});
    }
  }
  const int repeat = std::max(1, request.repeat);
  for (int i = 0; i < repeat; ++i) {
    if (control.progress) control.progress(double(i) / repeat, "build " + std::to_string(i + 1) + " of " + std::to_string(repeat));
    PointsOnDevice<Exec> there = upload();
    NullRecorder recorder;
    TreeOnDevice<Exec> tree;
    exec.synchronize();
    exec.memory().reset_peaks();
    report.build_ms.push_back(milliseconds([&] { tree = build(exec, std::move(there), recorder); }));
    report.peak_bytes = exec.memory().peak();
    report.sort_temporary_bytes = exec.memory().peak_temporary();
    if (i + 1 == repeat) report.download_ms = milliseconds([&] { report.tree = download_tree(exec, tree, points.payload_words); });
  }
  report.tree_hash = tree_hash(report.tree);
  return report;
}

/// The same build once, recorded.
template <class Exec, class Build>
std::shared_ptr<const Trace> run_recorded(Exec& exec, const BuildRequest& request,
                                          TraceHeader header, const std::vector<ArrayInfo>& arrays, const RunControl& control,
                                           Build build) {
  const PointSet& points = request.data->points;
  TraceBuilder trace(std::move(header));
  for (const ArrayInfo& info : arrays) trace.declare(info);
  TraceRecorder<Exec> recorder(exec, trace, {request.trace_budget_bytes, request.thin, num_levels(static_cast<std::uint32_t>(points.size())), control.progress});
  const TreeOnDevice<Exec> tree = build(exec, upload_points(exec, points), recorder);
  trace.header().tree_hash = tree_hash(download_tree(exec, tree, points.payload_words));
  return trace.finish();
}

}  // namespace kdscope
