#pragma once
// The textbook median split (Bentley 1975) with one thread per node: find the median, make it the node, pass the
// smaller points to the left child and the larger ones to the right child. The textbook recurses; here each level is
// one launch.

#include "algorithms/builders/textbook/recording.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/left_balanced/on_device.hpp"

namespace kdscope::textbook {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel start{"start", "textbook/start", "Give all points to the root"};
inline constexpr StepLabel split_nodes{"split nodes", "textbook/split_nodes", "", StepKind::launch, true};
inline constexpr StepLabel lay_out{"lay out", "left_balanced/lay_out",
                                   "Store the records in level order: the children of node i are nodes 2i+1 and 2i+2"};
}  // namespace steps

// [region textbook/split_nodes]
/// Reorders ids[lo..hi] until ids[k] is the point that sorting would put there, with smaller points before it and
/// larger ones after it (Hoare's FIND, 1961). Equal coordinates are ordered by original index. Work O(hi - lo) for most
/// inputs. Runs on one thread.
KDSCOPE_HD inline void find_median(PointId* ids, std::int32_t lo, std::int32_t k, std::int32_t hi,
                                   const PointsView& points, std::uint32_t dim) {
  const auto before = [&](PointId a, PointId b) {
    const std::uint32_t x = points.key(a.value, dim), y = points.key(b.value, dim);
    return x != y ? x < y : a < b;
  };
  // Position k lies in [lo, hi] all the time; every round shortens that range
  while (lo < hi) {
    const PointId guess = ids[k];
    // Exchange points that are on the wrong side of the guess, from both ends, until the ends meet: those before i are
    // not larger than the guess, those behind j not smaller
    std::int32_t i = lo, j = hi;
    while (i <= j) {
      while (before(ids[i], guess)) ++i;
      while (before(guess, ids[j])) --j;
      if (i > j) break;
      const PointId larger = ids[i];
      ids[i++] = ids[j], ids[j--] = larger;
    }
    // Go on in the part that holds k; if k lies between j and i, its point is in place
    if (j < k) lo = i;
    if (k < i) hi = j;
  }
}

/// Splits the nodes of a level; thread i splits the i-th. index: [n] point at each position; first: [n] first position
/// of each node; point_of_node: [n].
struct SplitNodes {
  PointsView points;
  int level;
  PointId *index, *point_of_node;
  std::uint32_t* first;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const NodeId node{full_tree_size(level) + i}, left = left_child(node), right = right_child(node);
    // A left-balanced tree's shape follows from n, so the median is known as a position (Wald 2023, §2.1)
    const std::uint32_t begin = first[node.value], end = begin + subtree_size(node, points.n),
                        median = begin + subtree_size(left, points.n);
    // One thread does all of a node's work: near the root few threads run, each over many points. Threads of a level
    // reorder disjoint ranges, so they need no synchronisation.
    find_median(index, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(median),
                static_cast<std::int32_t>(end) - 1, points, static_cast<std::uint32_t>(level) % points.dim);
    // The median is the node; what lies before it and behind it belongs to the children
    point_of_node[node.value] = index[median];
    if (left.value < points.n) first[left.value] = begin;
    if (right.value < points.n) first[right.value] = median + 1;
  }
};
// [endregion]

// [region textbook/start]
struct Start {
  PointId* index;
  std::uint32_t* first;
  KDSCOPE_HD void operator()(std::uint32_t i) const { index[i] = {i}, first[i] = 0; }
};
// [endregion]

/// Builds the left-balanced tree of `points`, the same as that of `wald` with round-robin splits: 0 <= n < 2^31 points
/// of 1 to 8 dimensions, float or int32. Expected work O(n log n), of which the root's thread alone does O(n). Memory
/// per point: three indices, a split dimension and a record.
template <class Exec, class Recorder>
LeftBalancedTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points, Recorder& rec) {
  const std::uint32_t n = points.n;
  auto index = exec.template array<PointId>("index", n), point_of_node = exec.template array<PointId>("tree", n);
  auto first = exec.template array<std::uint32_t>("first", n);
  std::optional<StepPresenter> recording;
  const auto show = [&](auto& writer, int level) {
    recording->after(writer, level, writer.read(index.data(), n), writer.read(first.data(), n),
                     writer.read(point_of_node.data(), n));
  };
  // Give all points to the root
  rec.step(
      steps::start,
      [&](const char* name) {
        exec.for_each(name, n, Start{index.data(), first.data()});
      },
      [&](auto& writer) {
        recording.emplace(PointSet{points.type, points.dim, points.stride - points.dim,
                                   writer.read(points.words.data(), points.words.size())});
        show(writer, -1);
      });
  // Split the nodes of each level at their medians
  for (int level = 0; level < num_levels(n); ++level) {
    const std::uint32_t nodes = std::min(1u << level, n - full_tree_size(level));
    rec.step(
        steps::split_nodes.at(level),
        [&](const char* name) {
          exec.for_each(name, nodes,
                        SplitNodes{points.view(), level, index.data(), point_of_node.data(), first.data()});
        },
        [&](auto& writer) { show(writer, level); });
  }
  // Store the records in the order of the tree
  LeftBalancedTreeOnDevice<Exec> tree;
  rec.step(steps::lay_out, [&] { tree = lay_out_by_level(exec, std::move(points), std::move(point_of_node)); });
  return tree;
}

struct Construction : BuildsPoints<LeftBalancedTree> {
  static void declare(ArrayList& list, Options) { textbook::declare(list); }
  static void set_rules(LeftBalancedTree& tree, Options) { tree.split = Split::round_robin; }
  static auto build(auto& exec, auto points, Options, auto& rec) {
    return textbook::build(exec, std::move(points), rec);
  }
};

}  // namespace kdscope::textbook
