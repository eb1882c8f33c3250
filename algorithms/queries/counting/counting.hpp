#pragma once
// Counts the points in axis-aligned boxes without listing them: a subtree that lies in the box as a whole adds its
// size, and none of its nodes is visited (range counting; Bentley 1975 finds the points, de Berg et al. 2008, section
// 5.2, report whole subtrees).

#include <span>
#include <vector>

#include "algorithms/queries/hu/hu.hpp"
#include "algorithms/queries/left_balanced.hpp"
#include "algorithms/queries/zhou-vvh/zhou_vvh.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::queries::counting {

/// What the searches have in common.
template <class TreeOfKind, template <class Exec> class TreeOnDevice>
struct CountsPoints : SearchesPoints<TreeOfKind, TreeOnDevice> {
  static constexpr std::array questions{SearchQuestion::count};
  static constexpr std::uint32_t most_k = 1;
};

/// A left-balanced tree, and the ends of all its points.
template <class Number>
struct BoundedView : LevelOrderView<Number, false> {
  const std::uint32_t* ends;  ///< [2 dim] words, the lower ends first
};
template <class Exec>
class BoundedTreeOnDevice {
 public:
  BoundedTreeOnDevice(Exec& exec, const LeftBalancedTree& tree)
      : tree_(exec, tree), ends_(exec.template array<std::uint32_t>("ends of the points", 2 * tree.points.dim)) {
    const PointSet& points = tree.points;
    const auto precedes = [&](std::uint32_t one, std::uint32_t other) {
      return ordered_key(one, points.type) < ordered_key(other, points.type);
    };
    std::vector<std::uint32_t> ends(2 * points.dim);
    for (std::uint32_t d = 0; d < points.dim && points.size() > 0; ++d) {
      std::uint32_t &low = ends[d] = points.word(0, d), &high = ends[points.dim + d] = points.word(0, d);
      for (std::uint32_t i = 1; i < points.size(); ++i) {
        low = precedes(points.word(i, d), low) ? points.word(i, d) : low;
        high = precedes(high, points.word(i, d)) ? points.word(i, d) : high;
      }
    }
    exec.upload(ends_.data(), std::span<const std::uint32_t>(ends));
  }
  template <class Number>
  BoundedView<Number> view() const {
    return {tree_.template view<Number>(), ends_.data()};
  }

 private:
  LeftBalancedOnDevice<Exec> tree_;
  Array<std::uint32_t, Exec> ends_;
};

// [region queries/count_in_box]
/// Knows of each subtree which sides of the box its domain stays within: one bit per side, 2d below and 2d + 1 above.
/// Planes set bits on the way down. With all bits, the domain lies in the box.
struct CountInBox : CountsPoints<LeftBalancedTree, BoundedTreeOnDevice> {
  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const BoundedView<Number>& tree, const Coordinates<Number, dims>& query, Found& found,
                               Log log) const {
    struct Entry {
      NodeId node;
      std::uint32_t within;
    };
    const auto distance_to = [&](Number at, std::uint32_t d) { return found.with(Number(0), query[d] - at); };
    // Compare the box of all points with each side of the query's box
    std::uint32_t within = 0;
    for (std::uint32_t d = 0; d < tree.dim; ++d) {
      const Number low = number_of<Number>(tree.ends[d]), high = number_of<Number>(tree.ends[tree.dim + d]);
      if (low >= query[d] || distance_to(low, d) <= found.reach()) within |= 1u << (2 * d);
      if (high <= query[d] || distance_to(high, d) <= found.reach()) within |= 2u << (2 * d);
    }
    const std::uint32_t all_sides = tree.dim < 16 ? (1u << (2 * tree.dim)) - 1 : ~0u;
    Entry stack[32];
    int height = 0;
    std::uint32_t visited = 0;
    if (tree.n == 0) return 0;
    stack[height++] = {{0}, within};
    while (height > 0) {
      const Entry at = stack[--height];
      if (at.node.value != 0) log.pop(at.node, 0);
      ++visited;
      log.enter(at.node);
      // Count a subtree whose domain lies in the box, without a look at its points
      if (at.within == all_sides) {
        const std::uint32_t points = subtree_size(at.node, tree.n);
        log.count(at.node, points);
        found.count_all(points);
        continue;
      }
      test(static_cast<const LevelOrderView<Number, false>&>(tree), query, at.node, found, log);
      // Skip the child beyond a plane that the box does not reach. If the box reaches the plane, visit both children:
      // the plane keeps the right domain within the box's lower side, and the left one within its upper side.
      const std::uint32_t d = tree.dimension_of(at.node);
      const Number plane = tree.coordinate(at.node, d), distance = distance_to(plane, d);
      const bool reaches = distance <= found.reach();
      const NodeId left = left_child(at.node), right = right_child(at.node);
      const auto go_on = [&](NodeId child, bool overlaps, std::uint32_t bits) {
        if (child.value >= tree.n) return;
        if (!overlaps) return log.prune(child, PruneReason::plane, distance);
        stack[height++] = {child, bits};
        log.push(child, 0);
      };
      go_on(right, reaches || plane < query[d], reaches || plane > query[d] ? at.within | 1u << (2 * d) : at.within);
      go_on(left, reaches || plane > query[d], reaches || plane < query[d] ? at.within | 2u << (2 * d) : at.within);
    }
    return visited;
  }
};
// [endregion]

// [region queries/count_in_cells]
/// Compares the box of each cell with the query's box: outside, it is skipped; inside, its points are counted at once.
/// Needs no stack, because nodes in pre-order know the node after their subtree.
struct CountInCells : CountsPoints<SplitPlaneTree, zhou_vvh::OnDevice> {
  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const zhou_vvh::View<Number>& tree, const Coordinates<Number, dims>& query, Found& found,
                               Log log) const {
    std::uint32_t visited = 0;
    for (std::uint32_t node = 0; node < tree.nodes;) {
      // Find the distances to the nearest and to the farthest place of the cell's box
      Number nearest = 0, farthest = 0;
      for (std::uint32_t d = 0; d < tree.dim; ++d) {
        const Number low = tree.low(node, d), high = tree.high(node, d), at = query[d];
        if (at < low || at > high) nearest = found.with(nearest, at < low ? low - at : at - high);
        farthest = found.with(farthest, at - low > high - at ? at - low : high - at);
      }
      if (nearest > found.reach()) {
        log.prune({node}, PruneReason::box, nearest);
        node = tree.skip[node];
        continue;
      }
      ++visited;
      log.enter({node}, nearest);
      if (farthest <= found.reach()) {
        log.count({node}, tree.count[node]);
        found.count_all(tree.count[node]);
        node = tree.skip[node];
        continue;
      }
      // Test the points of a leaf that the box's surface may cross
      if (tree.is_leaf(node))
        for (std::uint32_t i = tree.first[node]; i < tree.first[node] + tree.count[node]; ++i) {
          const std::uint32_t* words = tree.words + std::size_t(i) * tree.dim;
          const Number distance =
              squared_distance(found, query, tree.dim, [&](std::uint32_t d) { return number_of<Number>(words[d]); });
          const PointId point = tree.point_of_position[i];
          log.test(point.value, distance);
          if (distance <= found.reach() && found.take(distance, point)) log.accept(point.value, distance);
        }
      ++node;
    }
    return visited;
  }
};
// [endregion]

// [region queries/count_in_buckets]
/// Compares the smallest box of each node's points with the query's box: outside, it is skipped; inside, its points are
/// counted at once. Needs no stack, because nodes know their parents, and a right child follows its left one.
struct CountInBuckets : CountsPoints<BucketTree, hu::OnDevice> {
  using Dimensions = hu::BestBinFirst::Dimensions;
  template <class Number, int dims>
  using Query = hu::BestBinFirst::Query<Number, dims>;

  template <class Number, class Query, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const hu::TreeView<Number>& tree, const Query& query, Found& found, Log log) const {
    std::uint32_t visited = 0;
    if (tree.size == 0) return 0;
    for (NodeId node{0};;) {
      const hu::Node at = tree.nodes[node.value];
      const Number nearest = tree.distance_to(node, found, query);
      if (nearest > found.reach()) {
        log.prune(node, PruneReason::box, nearest);
      } else {
        ++visited;
        log.enter(node, nearest);
        // A box lies in another one if its lower and its upper corner do
        const std::uint32_t* const lower = tree.boxes + std::size_t(node.value) * 2 * tree.dim;
        const bool is_inside = distance_to_point<Number>(found, query, tree.dim, lower) <= found.reach() &&
                               distance_to_point<Number>(found, query, tree.dim, lower + tree.dim) <= found.reach();
        if (is_inside) {
          log.count(node, at.count);
          found.count_all(at.count);
        } else if (at.is_leaf()) {
          hu::test_bucket(tree, query, at, found, log);
        } else {
          node = {at.left_child};
          continue;
        }
      }
      // Go on behind the subtree: up as long as it is a right child, then to the sibling
      while (node.value != 0) {
        const NodeId parent{tree.nodes[node.value].parent};
        if (tree.nodes[parent.value].left_child == node.value) break;
        node = parent;
      }
      if (node.value == 0) return visited;
      node = {node.value + 1};
    }
  }
};
// [endregion]

/// In the order of declare().
using Searches = SearchList<CountInBox, CountInCells, CountInBuckets>;

}  // namespace kdscope::queries::counting
