#pragma once
// Three ways through a left-balanced tree to the points near a query (Wald 2022 and 2023): with a stack, without one,
// and with the closest corner of each subtree's domain. All test the same points against the same reach, so they find
// the same points.

#include "algorithms/queries/left_balanced.hpp"

namespace kdscope::queries::wald {

/// What the three searches have in common.
struct SearchesLeftBalanced : SearchesPoints<LeftBalancedTree, LeftBalancedOnDevice> {
  static constexpr std::uint32_t most_k = 128;
  static constexpr bool takes_metrics = true, takes_periods = true;
};

/// See WalkWithStack.
struct StackBased : SearchesLeftBalanced, WalkWithStack {};

// [region queries/stack_free]
/// Needs no stack: parent and children follow from a node's number, and the node before tells where the walk comes
/// from (Wald 2022).
struct StackFree : SearchesLeftBalanced {
  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const LevelOrderView<Number, false>& tree, const Coordinates<Number, dims>& query,
                               Found& found, Log log) const {
    std::uint32_t visited = 0;
    NodeId before{no_id}, node{0};
    if (tree.n == 0) return 0;
    for (;;) {
      // Where the walk comes from decides where it goes on: the root counts as reached from a parent, no_id
      const NodeId parent = node.value == 0 ? NodeId{no_id} : parent_of(node);
      const bool from_parent = before == parent;
      if (from_parent) {
        ++visited;
        log.enter(node);
        test(tree, query, node, found, log);
      } else {
        log.leave(before);
      }
      // From the parent: to the close child, if there is one. From the close child, or without one: to the far child,
      // if the plane is within reach by now. Otherwise: back to the parent. The plane is computed again at each visit;
      // that is the price of having no stack.
      const Sides<Number> sides(tree, query, node, found);
      NodeId next = parent;
      if (from_parent && sides.close.value < tree.n) {
        next = sides.close;
      } else if ((from_parent || before == sides.close) && sides.far.value < tree.n) {
        if (sides.distance <= found.reach())
          next = sides.far;
        else
          log.prune(sides.far, PruneReason::plane, sides.distance);
      }
      // The root's parent ends the walk
      if (next.value == no_id) return visited;
      before = node;
      node = next;
    }
  }
};
// [endregion]

// [region queries/closest_corner]
/// Keeps with each subtree the point of its domain that is closest to the query: its distance is that to a single
/// plane or more, so more is pruned.
struct ClosestCorner : SearchesLeftBalanced {
  static constexpr bool takes_periods = false;  // a domain may be closer across the border of a period

  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const LevelOrderView<Number, false>& tree, const Coordinates<Number, dims>& query,
                               Found& found, Log log) const {
    struct Entry {
      NodeId node;
      Coordinates<Number, dims> corner;
    };
    const auto distance_to = [&](const Coordinates<Number, dims>& corner) {
      return squared_distance(found, query, tree.dim, [&](std::uint32_t d) { return corner.at[d]; });
    };
    Entry stack[32];
    int height = 0;
    std::uint32_t visited = 0;
    Coordinates<Number, dims> corner = query;  // the root's domain holds every query
    for (NodeId node{0};;) {
      while (node.value < tree.n) {
        ++visited;
        log.enter(node, distance_to(corner));
        test(tree, query, node, found, log);
        const Sides<Number> sides(tree, query, node, found);
        // The far side's domain ends at the plane, so its closest corner differs from this node's in one coordinate. A
        // side that is already out of reach is pruned.
        if (sides.far.value < tree.n) {
          Entry& entry = stack[height];
          entry = {sides.far, corner};
          entry.corner.set(sides.dim, sides.plane);
          const Number distance = distance_to(entry.corner);
          if (distance <= found.reach()) {
            ++height;
            log.push(sides.far, distance);
          } else {
            log.prune(sides.far, PruneReason::corner, distance);
          }
        }
        node = sides.close;
      }
      // Take back the last side that waits, unless the reach has shrunk below its corner's distance since
      for (;;) {
        if (height == 0) return visited;
        const Entry& entry = stack[--height];
        node = entry.node;
        corner = entry.corner;
        const Number distance = distance_to(corner);
        log.pop(node, distance);
        if (distance <= found.reach()) break;
        log.prune(node, PruneReason::corner, distance);
      }
    }
  }
};
// [endregion]

/// In the order of declare().
using Searches = SearchList<StackFree, StackBased, ClosestCorner>;

}  // namespace kdscope::queries::wald
