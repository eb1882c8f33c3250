#pragma once
// Runs a builder on a back end, timed or recorded: the part that is the same for every builder. Included by a builder's
// .cpp and .cu, which instantiate it.

#include <algorithm>
#include <span>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/checks/tree_checks.hpp"
#include "algorithms/exec/growing_array.hpp"
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
struct LeftBalancedTreeOnDevice {
  PointsOnDevice<Exec> points;
  Array<PointId, Exec> point_of_node;
  Array<std::uint8_t, Exec> split_dim;
};

/// A level-order tree of points that stay in their original order; level l splits dimension l mod k.
template <class Exec>
struct LevelOrderTreeOnDevice {
  Array<PointId, Exec> point_of_node;  ///< [slots]
};

/// A list of nodes with their buckets, in a back end's memory; fields as those of BucketTree.
template <class Exec>
struct BucketTreeOnDevice {
  std::uint32_t nodes = 0;
  Array<PointId, Exec> point_of_position;
  GrowingArray<std::uint32_t, Exec> parent, left_child, split_dim, split_value, first, count, box;
};

/// Median stores in a back end's memory; fields as those of MedianStoreTree.
template <class Exec>
struct MedianStoreTreeOnDevice {
  Array<PointId, Exec> stores;
  Array<std::uint32_t, Exec> less, greater;  ///< [n] or empty
  Array<std::uint8_t, Exec> removed;         ///< [n] by point, 1 where it was left out
};

template <class Exec>
PointsOnDevice<Exec> upload_points(Exec& exec, const PointSet& points) {
  PointsOnDevice<Exec> there{exec.template array<std::uint32_t>("points", points.words.size()), static_cast<std::uint32_t>(points.size()),
                             points.dim, points.stride(), points.type};
  exec.upload(there.words.data(), std::span(points.words));
  return there;
}

/// Triangles over points in a back end's memory.
template <class Exec>
struct MeshOnDevice {
  PointsOnDevice<Exec> points;
  Array<std::uint32_t, Exec> triangles;  ///< [3 * triangles] vertex indices
};

/// A tree of split planes in a back end's memory; fields as those of SplitPlaneTree.
template <class Exec>
struct SplitPlaneTreeOnDevice {
  Primitive primitive = Primitive::triangle;
  std::uint32_t depth_bounded = 0;
  Array<std::uint32_t, Exec> parent, right_child, split_dim, split_value, first, count, box, primitive_of_position;
};

/// What a builder gets: uploads of a data set, chosen by type.
struct UploadPoints {
  template <class Exec>
  auto operator()(Exec& exec, const DataSet& data) const { return upload_points(exec, data.points); }
};
struct UploadMesh {
  template <class Exec>
  MeshOnDevice<Exec> operator()(Exec& exec, const DataSet& data) const {
    MeshOnDevice<Exec> there{upload_points(exec, data.points), exec.template array<std::uint32_t>("triangles", data.triangles.size())};
    exec.upload(there.triangles.data(), std::span(data.triangles));
    return there;
  }
};

/// All of a list of nodes but their buckets. read(from, n) fetches n elements from the device.
template <class Exec, class Read>
BucketTree download_nodes(const BucketTreeOnDevice<Exec>& tree, std::uint32_t dim, Read read) {
  const auto column = [&](const auto& from) { return read(from.data(), std::size_t(tree.nodes)); };
  BucketTree host;
  host.parent = column(tree.parent), host.left_child = column(tree.left_child);
  host.split_dim = column(tree.split_dim), host.split_value = column(tree.split_value);
  host.first = column(tree.first), host.count = column(tree.count);
  host.box = read(tree.box.data(), std::size_t(tree.nodes) * 2 * dim);
  return host;
}

template <class Exec>
Tree download_tree(Exec& exec, const LeftBalancedTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  LeftBalancedTree host;
  host.points = {tree.points.type, tree.points.dim, data->points.payload_words, std::vector<std::uint32_t>(tree.points.words.size())};
  host.point_of_node.resize(tree.points.n);
  host.split_dim.resize(tree.points.n);
  exec.download(std::span(host.points.words), tree.points.words.data());
  exec.download(std::span(host.point_of_node), tree.point_of_node.data());
  exec.download(std::span(host.split_dim), tree.split_dim.data());
  return host;
}

template <class Exec>
Tree download_tree(Exec& exec, const LevelOrderTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  LevelOrderTree host{std::shared_ptr<const PointSet>(data, &data->points), std::vector<PointId>(tree.point_of_node.size()), {}};
  exec.download(std::span(host.point_of_node), tree.point_of_node.data());
  host.split_dim.resize(host.size());
  for (std::uint32_t node = 0; node < host.size(); ++node)
    host.split_dim[node] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{node})) % data->points.dim);
  return host;
}

template <class Exec>
Tree download_tree(Exec& exec, const MedianStoreTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  const auto fetch = [&](auto& to, const auto& from) {
    to.resize(from.size());
    exec.download(std::span(to), from.data());
  };
  MedianStoreTree host;
  host.points = std::shared_ptr<const PointSet>(data, &data->points);
  fetch(host.stores, tree.stores);
  fetch(host.less, tree.less);
  fetch(host.greater, tree.greater);
  std::vector<std::uint8_t> removed;
  fetch(removed, tree.removed);
  for (std::uint32_t i = 0; i < removed.size(); ++i)
    if (removed[i]) host.removed.push_back({i});
  return host;
}

template <class Exec>
Tree download_tree(Exec& exec, const BucketTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  const auto read = [&]<class T>(const T* from, std::size_t n) {
    std::vector<T> there(n);
    exec.download(std::span(there), from);
    return there;
  };
  BucketTree host = download_nodes(tree, data->points.dim, read);
  host.points = std::shared_ptr<const PointSet>(data, &data->points);
  host.point_of_position = read(tree.point_of_position.data(), tree.point_of_position.size());
  return host;
}

template <class Exec>
Tree download_tree(Exec& exec, const SplitPlaneTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  const auto fetch = [&](const auto& from) {
    std::vector<std::uint32_t> there(from.size());
    exec.download(std::span(there), from.data());
    return there;
  };
  SplitPlaneTree host;
  host.data = data;
  host.primitive = tree.primitive;
  host.depth_bounded = tree.depth_bounded;
  host.parent = fetch(tree.parent), host.right_child = fetch(tree.right_child);
  host.split_dim = fetch(tree.split_dim), host.split_value = fetch(tree.split_value);
  host.first = fetch(tree.first), host.count = fetch(tree.count);
  host.box = fetch(tree.box), host.primitive_of_position = fetch(tree.primitive_of_position);
  return host;
}

/// build(exec, input, recorder) -> one of the trees on the device, at full speed, `repeat` times; what `upload` makes of the data is
/// uploaded afresh each time, because a builder may work in place.
template <class Exec, class Build, class Upload = UploadPoints>
BuildReport run_timed(Exec& exec, const BuildRequest& request, const Device& device, const RunControl& control, Build build, Upload upload_data = {}) {
  BuildReport report;
  report.device = device;
  report.parameters = request.parameters;
  const auto milliseconds = [&](auto&& work) {
    const auto from = exec.event();
    work();
    const auto to = exec.event();
    return exec.elapsed_ms(from, to);
  };
  const auto upload = [&] {
    decltype(upload_data(exec, *request.data)) there;
    report.upload_ms = milliseconds([&] { there = upload_data(exec, *request.data); });
    return there;
  };
  const int repeat = std::max(1, request.repeat);
  for (int i = 0; i < repeat; ++i) {
    if (control.progress) control.progress(double(i) / repeat, "build " + std::to_string(i + 1) + " of " + std::to_string(repeat));
    auto there = upload();
    NullRecorder recorder;
    decltype(build(exec, std::move(there), recorder)) tree;
    exec.synchronize();
    exec.memory().reset_peaks();
    report.build_ms.push_back(milliseconds([&] { tree = build(exec, std::move(there), recorder); }));
    report.peak_bytes = exec.memory().peak();
    report.sort_temporary_bytes = exec.memory().peak_temporary();
    if (i + 1 == repeat) report.download_ms = milliseconds([&] { report.tree = download_tree(exec, tree, request.data); });
  }
  // Last, so that no step's time holds what only the first build of a process waits for.
  if (request.time_steps) {
    TimingRecorder<Exec> recorder(exec);
    build(exec, upload(), recorder);
    for (const auto& span : recorder.spans()) {
      report.step_times.push_back({path_text(path_of(span.label)), span.label.level, span.label.phase, exec.elapsed_ms(span.from, span.to)});
    }
  }
  report.tree_hash = tree_hash(report.tree);
  return report;
}

/// Adds what a verifier finds to a step; a check that the step made by the same name gives way to the tree's.
inline void add_checks(Step& step, std::vector<Finding> findings) {
  for (Finding& f : findings) {
    std::erase_if(step.checks, [&](const CheckResult& check) { return check.name == f.name; });
    step.checks.push_back(std::move(f));
  }
}

/// The same build once, recorded. The last step ends with every check of the finished tree.
template <class Exec, class Build, class Upload = UploadPoints>
std::shared_ptr<const Trace> run_recorded(Exec& exec, const BuildRequest& request,
                                          TraceHeader header, const std::vector<ArrayInfo>& arrays, const RunControl& control,
                                           Build build, Upload upload_data = {}) {
  exec.mark_unwritten();
  const PointSet& points = request.data->points;
  TraceBuilder trace(std::move(header));
  for (const ArrayInfo& info : arrays) trace.declare(info);
  std::vector<std::pair<std::string, TypedArray>> given;
  if (const auto& triangles = request.data->triangles; !triangles.empty()) {
    trace.declare({triangles_array, triangles_array, ElementType::uint32, Space::triangle, Space::point, 3, {"triangle", "corner"}, false, {}});
    given.emplace_back(triangles_array, TypedArray::of(triangles));
  }
  // The registry replaces 0 by the memory that is free; a run without it has no limit.
  const std::uint64_t budget = request.trace_budget_bytes == 0 ? ~0ull : request.trace_budget_bytes;
  TraceRecorder<Exec> recorder(exec, trace, {budget, request.thin, num_levels(static_cast<std::uint32_t>(points.size())),
                                             control.progress, std::move(given)});
  const Tree tree = download_tree(exec, build(exec, upload_data(exec, *request.data), recorder), request.data);
  trace.header().tree_hash = tree_hash(tree);
  add_checks(trace.current_step(), verify_tree(tree, points, tree_rules_of(request.parameters)));
  return trace.finish();
}

}  // namespace kdscope
