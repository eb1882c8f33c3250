#pragma once
// Zhou, Hou, Wang & Guo's builder of VVH trees over points (2008, §5.1): large nodes over one sorted list per
// dimension, small nodes as bit masks, all nodes breadth first. Exec and Recorder decide whether the function runs on
// the CPU or the GPU, stepped or timed.

#include <span>
#include <utility>

#include "algorithms/builders/zhou-vvh/point_lists.hpp"
#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/build.hpp"
#include "algorithms/builders/zhou/options.hpp"
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

/// The lists that a level of large nodes works in. They serve all levels.
template <class Exec>
struct SideLists {
  SideLists(Exec& exec, std::uint32_t n, std::uint32_t lists)
      : owner(exec.template array<std::uint32_t>("owners", n)),
        side_words(exec.template array<std::uint32_t>("sides", PointSides::size<Exec>(n))),
        left_before(exec.template array<std::uint32_t>("lefts before", std::size_t(lists) * n + 1)),
        tight(exec, "node boxes") {}
  PointSides side() { return {side_words.data()}; }

  Array<std::uint32_t, Exec> owner, side_words;  ///< [n] by position; by point
  Array<std::uint32_t, Exec> left_before;        ///< [lists x n + 1]
  GrowingArray<Box3, Exec> tight;                ///< [active]
};

/// A build under way. Its members are the steps.
template <class Exec, class Recorder>
class Build : zhou::Build<Exec, Recorder> {
  using Base = zhou::Build<Exec, Recorder>;
  // Unless steps have launches of their own, the launch that creates the children also computes the boxes
  using Base::apart, Base::exec, Base::rec, Base::options, Base::nodes, Base::kept, Base::large, Base::presenter,
      Base::level, Base::read_nodes;

 public:
  Build(Exec& exec_of_build, PointsOnDevice<Exec> points, const ZhouOptions& options_of_build, Recorder& recorder)
      : Base(exec_of_build, recorder, options_of_build),
        points_there_(std::move(points)),
        points_(points_there_.view()),
        n_(points_.n),
        lists_(points_.dim + 1),
        now_(exec.template array<std::uint32_t>("sorted lists", std::size_t(lists_) * n_)),
        next_(exec.template array<std::uint32_t>("sorted lists", std::size_t(lists_) * n_)) {}

  SplitPlaneTreeOnDevice<Exec> tree() {
    sort_points();
    const VoxelVolumeCost cost = root();
    split_large(cost);
    now_ = {}, next_ = {};
    this->template split_small_nodes<PointPositions>(cost);
    return this->lay_out(Primitive::point, points_.dim, points_.type);
  }

 private:
  void sort_points() {
    rec.step(
        steps::sort_points, [&] { sort_lists(exec, points_, now_, next_); },
        [&](auto& writer) {
          presenter.emplace(PointSet{points_.type, points_.dim, points_.stride - points_.dim,
                                     writer.read(points_.words, points_there_.words.size())},
                            StepPresenter::Ids{}, options);
          presenter->sorted(writer, writer.read(now_.data(), std::size_t(lists_) * n_));
        });
  }

  /// Makes the root. Returns the cost, whose radius depends on the root's box.
  VoxelVolumeCost root() {
    Box3 scene{{0, 0, 0}, {0, 0, 0}};
    const auto radius = [&] { return search_radius(scene, options.rules.radius); };
    rec.step(
        steps::root,
        [&] {
          if (n_ > 0) {
            auto box = exec.template array<Box3>("scene box", 1, Allocation::scratch);
            exec.for_each("scene box", 1, EndsOfLists{points_, now_.data(), n_, nullptr, nullptr, n_, box.data()});
            exec.download(std::span(&scene, 1), box.data());
          }
          nodes.reserve(n_ + n_ / 2 + 1);  // upper bound of the nodes of small levels for evenly spread points
          large.reserve(n_);
          large.start(scene, n_);
          kept.reserve(n_);
          if (n_ > options.rules.small) return;
          kept.grow_to(n_);
          exec.for_each("keep points", n_,
                        KeepPoints{points_, now_.data() + std::size_t(points_.dim) * n_, kept.view()});
        },
        [&](auto& writer) { presenter->rooted(writer, read_nodes(writer), radius()); });
    return {options.rules.traversal_cost, radius(), points_.dim};
  }

  /// Splits large nodes, level by level, until all are small or leaves.
  void split_large(const VoxelVolumeCost& cost) {
    SideLists<Exec> lists(exec, n_, lists_);
    lists.tight.reserve(n_ / options.rules.small + 1);
    for (; large.active().count > 0; ++level) {
      const std::uint32_t m = large.totals().references;
      node_boxes(lists);
      this->split_large_nodes(lists.tight.data(), no_op_if<apart>(boxes_of_level(lists)));
      mark_sides(lists);
      count_sides(lists);
      this->filter_small_nodes(SidesFromSums{large.active(), nodes.view(), lists.left_before.data()}, cost);
      move_points(lists, m);
      large.advance();
      now_.swap(next_);
    }
  }

  EndsOfLists boxes_of_level(SideLists<Exec>& lists) {
    return {points_, now_.data(),        large.totals().references, large.active().first, large.active().node,
            0,       lists.tight.data(), nodes.view().count};
  }

  void node_boxes(SideLists<Exec>& lists) {
    const std::uint32_t a = large.active().count;
    rec.step(
        steps::node_boxes.at(level),
        [&]([[maybe_unused]] const char* name) {
          lists.tight.grow_to(a);
          large.make_room();
          if constexpr (apart) exec.for_each(name, a, boxes_of_level(lists));
        },
        [&](auto& writer) {
          presenter->bounded(writer, writer.read(large.active().node, a), writer.read(large.active().first, a),
                             writer.read(now_.data(), std::size_t(lists_) * large.totals().references),
                             writer.read(lists.tight.data(), a));
        });
  }

  void mark_sides(SideLists<Exec>& lists) {
    const std::uint32_t m = large.totals().references;
    const PointSides side = lists.side();
    rec.step(
        steps::mark_sides.at(level),
        [&](const char* name) {
          if (level == 0)
            exec.for_each("clear sides", static_cast<std::uint32_t>(lists.side_words.size()), ClearSides{side.words});
          exec.for_each(name, m,
                        MarkPoints{points_, nodes.view(), large.active(), large.plan(),
                                   ListsView{now_.data(), m, lists_}.list(points_.dim), lists.owner.data(), side});
        },
        [&](auto& writer) {
          presenter->sided(writer, sides_of_points<Exec>(writer.read(side.words, lists.side_words.size()), n_));
        });
  }

  void count_sides(SideLists<Exec>& lists) {
    const std::uint32_t all = lists_ * large.totals().references;
    rec.step(
        steps::count_sides.at(level),
        [&] {
          exec.transform_exclusive_scan("lefts before", all + 1, GoesLeftInList{now_.data(), lists.side(), all},
                                        lists.left_before.data());
        },
        [&](auto& writer) { presenter->summed(writer, writer.read(lists.left_before.data(), all)); });
  }

  /// Moves the level's m points to its children.
  void move_points(SideLists<Exec>& lists, std::uint32_t m) {
    const std::uint32_t a = large.active().count, next_m = large.totals().references;
    rec.step(
        steps::move_points.at(level),
        [&](const char* name) {
          kept.grow_to(kept.size() + large.totals().kept);
          exec.for_each(
              name, lists_ * m,
              MovePoints{points_, large.active(), large.plan(), ListsView{now_.data(), m, lists_}, lists.owner.data(),
                         lists.side(), lists.left_before.data(), next_.data(), next_m, kept.view()});
        },
        [&](auto& writer) {
          presenter->clipped(writer, read_nodes(writer),
                             {large.read_pending(writer),
                              writer.read(large.plan().halved, a),
                              writer.read(lists.tight.data(), a),
                              writer.read(next_.data(), std::size_t(lists_) * next_m),
                              {},
                              writer.read(kept.view().primitive, kept.size()),
                              m,
                              0});
        });
  }

  PointsOnDevice<Exec> points_there_;
  PointsView points_;
  std::uint32_t n_, lists_;                // points, and lists of them: one per dimension and one by index
  Array<std::uint32_t, Exec> now_, next_;  // [lists x points of the level's large nodes], and of the next level's
};

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
SplitPlaneTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points, ZhouOptions options, Recorder& rec) {
  options.rules.type = points.view().type;
  return Build<Exec, Recorder>(exec, std::move(points), options, rec).tree();
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction : zhou::BuildsTreesOf<Primitive::point> {
  static constexpr UploadPoints upload{};
  template <class Exec, class Recorder>
  static auto build(Exec& exec, PointsOnDevice<Exec> points, const Options& options, Recorder& rec) {
    return zhou_vvh::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::zhou_vvh
