#pragma once
// Zhou, Hou, Wang & Guo's builder of VVH trees over points (2008, §5.1): large nodes over one sorted list per
// dimension, small nodes as bit masks, all nodes breadth first. Exec and Recorder decide whether the function runs on
// the CPU or the GPU, stepped or timed.

#include <optional>
#include <type_traits>

#include "algorithms/builders/zhou-vvh/point_lists.hpp"
#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/options.hpp"
#include "algorithms/builders/zhou/small_stage.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/split_planes/on_device.hpp"

namespace kdscope::zhou_vvh {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel sort_points{"sort points", "zhou-vvh/sort_points", "", StepKind::library};
inline constexpr StepLabel root{"root", "zhou-vvh/node_boxes"};
inline constexpr StepLabel node_boxes{"node boxes", "zhou-vvh/node_boxes", "", StepKind::launch,
                                      false,        large_steps::phase};
inline constexpr StepLabel mark_sides{"mark sides", "zhou-vvh/mark_sides", "", StepKind::launch,
                                      false,        large_steps::phase};
inline constexpr StepLabel count_sides{"count sides", "zhou-vvh/count_sides", "", StepKind::library,
                                       false,         large_steps::phase};
inline constexpr StepLabel move_points{"move points", "zhou-vvh/move_points", "", StepKind::launch,
                                       true,          large_steps::phase};
}  // namespace steps

using namespace zhou;

/// Builds the tree of `points`, which it consumes: [n] records of one to three dimensions, 0 <= n <= 2^29, floats or
/// integers of less than 2^24. trees/split_planes (tree.hpp, planes.hpp) defines the rules of the tree; a point is a
/// primitive without extent. Work: one sort per dimension, then O(n) per level; O(1) launches and one download of a few
/// bytes per level; about log2(n / T) + log2 T levels, or more where points are dense. Memory beside the points: two
/// indices and a counter per point and list, and before that two sort keys; 28 bytes per point once it is kept for a
/// small node, and 48 for its sets; 55 bytes per node, 16 more for the output and 48 for the tree. Each stage frees
/// what later stages do not need; the peak is about 180 bytes per point. Throws ErrorException.
/// Departures from the source: one more list keeps the points by original index, so that leaves list their points in
/// that order; and small nodes compare their points instead of reading sorted ones.
template <class Exec, class Recorder>
SplitPlaneTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points_there, ZhouOptions options, Recorder& rec) {
  const PointsView points = points_there.view();
  options.rules.type = points.type;
  const std::uint32_t n = points.n, k = points.dim, lists = k + 1;
  constexpr bool apart =
      separate_launches<Recorder>;  // otherwise the launch that creates the children also computes the boxes
  Nodes<Exec> nodes(exec);
  References<Exec> kept(exec, "kept references");
  LargeStage<Exec> large(exec, nodes, options.rules, options.chunk);
  // Only a recording shows the steps; a full-speed build does not compile this code.
  std::optional<StepPresenter> recorded;
  StepPresenter* recording = nullptr;
  const auto read_nodes = [&](auto& writer) { return read_node_list(nodes, writer); };

  auto now = exec.template array<std::uint32_t>("sorted lists", std::size_t(lists) * n),
       next = exec.template array<std::uint32_t>("sorted lists", std::size_t(lists) * n);
  Box3 scene{{0, 0, 0}, {0, 0, 0}};
  rec.step(
      steps::sort_points, [&] { sort_lists(exec, points, now, next); },
      [&](auto& writer) {
        recorded.emplace(
            PointSet{points.type, k, points.stride - k, writer.read(points.words, points_there.words.size())},
            StepPresenter::Ids{}, options);
        recording = &*recorded;
        recording->sorted(writer, writer.read(now.data(), std::size_t(lists) * n));
      });
  rec.step(
      steps::root,
      [&] {
        if (n > 0) {
          auto box = exec.template array<Box3>("scene box", 1, Allocation::scratch);
          exec.for_each("scene box", 1, EndsOfLists{points, now.data(), n, nullptr, nullptr, n, box.data()});
          exec.download(std::span(&scene, 1), box.data());
        }
        nodes.reserve(n + n / 2 + 1);  // upper bound of the nodes of small levels for evenly spread points
        large.reserve(n);
        large.start(scene, n);
        kept.reserve(n);
        if (n > options.rules.small) return;
        kept.grow_to(n);
        exec.for_each("keep points", n, KeepPoints{points, now.data() + std::size_t(k) * n, kept.view()});
      },
      [&](auto& writer) { recording->rooted(writer, read_nodes(writer), search_radius(scene, options.rules.radius)); });
  const VoxelVolumeCost cost{options.rules.traversal_cost, search_radius(scene, options.rules.radius), k};

  int level = 0;
  {
    auto owner = exec.template array<std::uint32_t>("owners", n);
    auto side_words = exec.template array<std::uint32_t>("sides", PointSides::size<Exec>(n));
    const PointSides side{side_words.data()};
    auto left_before = exec.template array<std::uint32_t>("lefts before", std::size_t(lists) * n + 1);
    GrowingArray<Box3, Exec> tight(exec, "node boxes");
    tight.reserve(n / options.rules.small + 1);
    for (; large.active().count > 0; ++level) {
      const std::uint32_t a = large.active().count, m = large.totals().references;
      tight.grow_to(a);
      large.make_room();
      const ListsView view{now.data(), m, lists};
      const EndsOfLists ends{points,       now.data(),        m, large.active().first, large.active().node, 0,
                             tight.data(), nodes.view().count};
      rec.step(
          steps::node_boxes.at(level),
          [&](const char* name) {
            if constexpr (apart) exec.for_each(name, a, ends);
          },
          [&](auto& writer) {
            recording->bounded(writer, writer.read(large.active().node, a), writer.read(large.active().first, a),
                               writer.read(now.data(), std::size_t(lists) * m), writer.read(tight.data(), a));
          });
      split_large_nodes(exec, nodes, large, tight.data(), no_op_if<apart>(ends), rec, recording, level);
      rec.step(
          steps::mark_sides.at(level),
          [&](const char* name) {
            if (level == 0)
              exec.for_each("clear sides", static_cast<std::uint32_t>(side_words.size()), ClearSides{side.words});
            exec.for_each(
                name, m,
                MarkPoints{points, nodes.view(), large.active(), large.plan(), view.list(k), owner.data(), side});
          },
          [&](auto& writer) {
            recording->sided(writer, sides_of_points<Exec>(writer.read(side.words, side_words.size()), n));
          });
      rec.step(
          steps::count_sides.at(level),
          [&] {
            exec.transform_exclusive_scan("lefts before", lists * m + 1, GoesLeftInList{now.data(), side, lists * m},
                                          left_before.data());
          },
          [&](auto& writer) { recording->summed(writer, writer.read(left_before.data(), std::size_t(lists) * m)); });
      rec.step(
          large_steps::filter_small_nodes.at(level),
          [&] {
            large.filter(SidesFromSums{large.active(), nodes.view(), left_before.data()}, cost, kept.size());
          },
          [&](auto& writer) {
            recording->filtered(writer, read_nodes(writer), writer.read(large.plan().kind, 2 * std::size_t(a)));
          });
      rec.step(
          steps::move_points.at(level),
          [&](const char* name) {
            kept.grow_to(kept.size() + large.totals().kept);
            exec.for_each(name, lists * m,
                          MovePoints{points, large.active(), large.plan(), view, owner.data(), side, left_before.data(),
                                     next.data(), large.totals().references, kept.view()});
          },
          [&](auto& writer) {
            recording->clipped(writer, read_nodes(writer), large.read_pending(writer),
                               writer.read(large.plan().halved, a), writer.read(tight.data(), a),
                               writer.read(next.data(), std::size_t(lists) * large.totals().references), {},
                               writer.read(kept.view().primitive, kept.size()), m, 0);
          });
      large.advance();
      now.swap(next);
    }
  }
  now = {}, next = {};

  const LevelNodes roots{large.small_roots(), 0, large.small_root_count()};
  const auto small = build_small_nodes<PointPositions>(exec, nodes, roots, kept.view(), kept.size(), cost,
                                                       options.rules.depth, level, rec, recording, read_nodes);
  return lay_out(exec, nodes, large, small, roots, kept.view().primitive, kept.size(), Primitive::point, k, points.type,
                 rec, recording, read_nodes);
}

const OptionTable<ZhouOptions>& option_table();

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = SplitPlaneTree;
  using Options = ZhouOptions;
  static constexpr UploadPoints upload{};
  static const OptionTable<Options>& option_table() { return zhou_vvh::option_table(); }
  static void declare(ArrayList& list, const Options&) { zhou::declare(list, Primitive::point); }
  static void set_rules(SplitPlaneTree& tree, const ZhouOptions& options) {
    tree.rules = options.rules;
    tree.traversal_cost = options.rules.traversal_cost;
  }
  template <class Exec, class Recorder>
  static auto build(Exec& exec, PointsOnDevice<Exec> points, const Options& options, Recorder& rec) {
    return zhou_vvh::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::zhou_vvh
