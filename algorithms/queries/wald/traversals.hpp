#pragma once
// Three ways through a left-balanced tree to the nearest points of a query (Wald 2022 and 2023): with a stack, without
// one, and with the closest corner of each sub-tree's domain. All test the same points against the same reach, so they
// find the same neighbours.
//
// A sub-tree is skipped only if it is farther away than the last neighbour, because a point at the same distance may
// have a smaller index. Rounding does no harm: a distance to a plane or a corner is a sum of fewer or smaller squares
// than the distance to a point behind it, and rounded sums grow with their terms.

#include "algorithms/core/level_order.hpp"
#include "algorithms/queries/nearest.hpp"

namespace kdscope::queries::wald {

inline constexpr int most_dimensions = 8;

/// A left-balanced tree in a back end's memory, for reading.
template <class Number>
struct TreeView {
  const std::uint32_t* words;  ///< [n * stride] records in level order
  const PointId* point_of_node;
  const std::uint8_t* split_dim;
  std::uint32_t n, dim, stride;

  KDSCOPE_HD Number coordinate(NodeId node, std::uint32_t d) const {
    return number_of<Number>(words[std::size_t(node.value) * stride + d]);
  }
};

/// The point of a query.
template <class Number>
struct Query {
  Number at[most_dimensions];
};

/// Returns the squared distance of a query to a node's point.
template <class Number>
KDSCOPE_HD Number squared_distance(const TreeView<Number>& tree, const Query<Number>& query, NodeId node) {
  Number sum = 0;
  for (std::uint32_t d = 0; d < tree.dim; ++d) {
    const Number difference = query.at[d] - tree.coordinate(node, d);
    sum += difference * difference;
  }
  return sum;
}

/// Tests a node's point.
template <class Number, class Nearest, class Log>
KDSCOPE_HD void test(const TreeView<Number>& tree, const Query<Number>& query, NodeId node, Nearest& nearest,
                     Log& log) {
  log.enter(node);
  const Number distance = squared_distance(tree, query, node);
  if (distance <= nearest.reach() && nearest.take(distance, tree.point_of_node[node.value])) log.accept(node);
}

/// A node's children as a query sees them: the one on its side of the plane, and the other.
template <class Number>
struct Sides {
  NodeId close, far;
  std::uint32_t dim;
  Number plane, distance;  ///< squared distance of the query to the plane

  KDSCOPE_HD Sides(const TreeView<Number>& tree, const Query<Number>& query, NodeId node)
      : dim(tree.split_dim[node.value]), plane(tree.coordinate(node, dim)) {
    const Number difference = query.at[dim] - plane;
    const bool right = difference > 0;
    close = right ? right_child(node) : left_child(node);
    far = right ? left_child(node) : right_child(node);
    distance = difference * difference;
  }
};

// [region queries/stack]
/// Goes down on the query's side and keeps the other sides on a stack, with their planes' distances.
struct StackBased {
  template <class Number, class Nearest, class Log>
  KDSCOPE_HD static std::uint32_t run(const TreeView<Number>& tree, const Query<Number>& query, Nearest& nearest,
                                      Log log) {
    struct Entry {
      NodeId node;
      Number distance;
    };
    Entry stack[32];
    int height = 0;
    std::uint32_t visited = 0;
    for (NodeId node{0};;) {
      while (node.value < tree.n) {
        ++visited;
        test(tree, query, node, nearest, log);
        const Sides<Number> sides(tree, query, node);
        if (sides.far.value < tree.n) {
          stack[height++] = {sides.far, sides.distance};
          log.push(sides.far);
        }
        node = sides.close;
      }
      for (;;) {
        if (height == 0) return visited;
        const Entry& entry = stack[--height];
        node = entry.node;
        if (entry.distance <= nearest.reach()) break;
        log.prune(node);
      }
      log.pop(node);
    }
  }
};
// [endregion]

// [region queries/stack_free]
/// Needs no stack: parent and children follow from a node's number, and the node before tells where the walk comes
/// from (Wald 2022).
struct StackFree {
  template <class Number, class Nearest, class Log>
  KDSCOPE_HD static std::uint32_t run(const TreeView<Number>& tree, const Query<Number>& query, Nearest& nearest,
                                      Log log) {
    std::uint32_t visited = 0;
    NodeId before{no_id}, node{0};
    if (tree.n == 0) return 0;
    for (;;) {
      const NodeId parent = node.value == 0 ? NodeId{no_id} : parent_of(node);
      const bool from_parent = before == parent;
      if (from_parent) {
        ++visited;
        test(tree, query, node, nearest, log);
      }
      const Sides<Number> sides(tree, query, node);
      NodeId next = parent;
      if (from_parent && sides.close.value < tree.n) {
        next = sides.close;
      } else if ((from_parent || before == sides.close) && sides.far.value < tree.n) {
        if (sides.distance <= nearest.reach())
          next = sides.far;
        else
          log.prune(sides.far);
      }
      if (next.value == no_id) return visited;
      before = node;
      node = next;
    }
  }
};
// [endregion]

// [region queries/closest_corner]
/// Keeps with each sub-tree the point of its domain that is closest to the query: its distance is larger than that to a
/// single plane, so more is pruned.
struct ClosestCorner {
  template <class Number, class Nearest, class Log>
  KDSCOPE_HD static std::uint32_t run(const TreeView<Number>& tree, const Query<Number>& query, Nearest& nearest,
                                      Log log) {
    struct Entry {
      NodeId node;
      Query<Number> corner;
    };
    const auto distance_to = [&](const Query<Number>& corner) {
      Number sum = 0;
      for (std::uint32_t d = 0; d < tree.dim; ++d) {
        const Number difference = query.at[d] - corner.at[d];
        sum += difference * difference;
      }
      return sum;
    };
    Entry stack[32];
    int height = 0;
    std::uint32_t visited = 0;
    Query<Number> corner = query;  // the root's domain holds every query
    for (NodeId node{0};;) {
      while (node.value < tree.n) {
        ++visited;
        test(tree, query, node, nearest, log);
        const Sides<Number> sides(tree, query, node);
        if (sides.far.value < tree.n) {
          Entry& entry = stack[height];
          entry = {sides.far, corner};
          entry.corner.at[sides.dim] = sides.plane;
          if (distance_to(entry.corner) <= nearest.reach()) {
            ++height;
            log.push(sides.far);
          } else {
            log.prune(sides.far);
          }
        }
        node = sides.close;
      }
      for (;;) {
        if (height == 0) return visited;
        const Entry& entry = stack[--height];
        node = entry.node;
        corner = entry.corner;
        if (distance_to(corner) <= nearest.reach()) break;
        log.prune(node);
      }
      log.pop(node);
    }
  }
};
// [endregion]

}  // namespace kdscope::queries::wald
