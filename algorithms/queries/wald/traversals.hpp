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

/// A left-balanced tree in a back end's memory, for reading.
template <class Number>
struct TreeView {
  const std::uint32_t* words;  ///< [n * stride] records in level order
  const PointId* point_of_node;
  const std::uint8_t* split_dim;  ///< null: level mod dim
  std::uint32_t n, dim, stride;

  KDSCOPE_HD Number coordinate(NodeId node, std::uint32_t d) const {
    return number_of<Number>(words[std::size_t(node.value) * stride + d]);
  }
  KDSCOPE_HD std::uint32_t dimension_of(NodeId node) const {
    return split_dim ? split_dim[node.value] : static_cast<std::uint32_t>(level_of(node)) % dim;
  }
};

/// Coordinates of a query or of a corner. `dims` is the number of dimensions, or 0 if it is known only at run time.
/// Where it is known, no address depends on data, so a GPU keeps the coordinates in registers.
template <class Number, int dims>
struct Coordinates {
  static constexpr int places = dims > 0 ? dims : most_dimensions;
  Number at[places];

  KDSCOPE_HD Number operator[](std::uint32_t d) const {
    if constexpr (dims == 0) return at[d];
    Number chosen = at[0];
    for (int i = 1; i < places; ++i)
      if (d == static_cast<std::uint32_t>(i)) chosen = at[i];
    return chosen;
  }
  KDSCOPE_HD void set(std::uint32_t d, Number value) {
    if constexpr (dims == 0)
      at[d] = value;
    else
      for (int i = 0; i < places; ++i) at[i] = d == static_cast<std::uint32_t>(i) ? value : at[i];
  }
};

/// Returns the squared distance of a query to coordinate(d), d = 0, 1, ..., dim - 1, added in this order.
template <class Number, int dims, class Coordinate>
KDSCOPE_HD Number squared_distance(const Coordinates<Number, dims>& query, std::uint32_t dim, Coordinate coordinate) {
  const int count = dims > 0 ? dims : static_cast<int>(dim);
  Number sum = 0;
  for (int d = 0; d < count; ++d) {
    const Number difference = query.at[d] - coordinate(static_cast<std::uint32_t>(d));
    sum += difference * difference;
  }
  return sum;
}

/// Tests a node's point.
template <class Number, int dims, class Nearest, class Log>
KDSCOPE_HD void test(const TreeView<Number>& tree, const Coordinates<Number, dims>& query, NodeId node,
                     Nearest& nearest, Log& log) {
  log.enter(node);
  const Number distance = squared_distance(query, tree.dim, [&](std::uint32_t d) { return tree.coordinate(node, d); });
  if (distance <= nearest.reach() && nearest.take(distance, tree.point_of_node[node.value])) log.accept(node);
}

/// A node's children as a query sees them: the one on its side of the plane, and the other.
template <class Number>
struct Sides {
  NodeId close, far;
  std::uint32_t dim;
  Number plane, distance;  ///< squared distance of the query to the plane

  template <int dims>
  KDSCOPE_HD Sides(const TreeView<Number>& tree, const Coordinates<Number, dims>& query, NodeId node)
      : dim(tree.dimension_of(node)), plane(tree.coordinate(node, dim)) {
    const Number difference = query[dim] - plane;
    const bool right = difference > 0;
    close = right ? right_child(node) : left_child(node);
    far = right ? left_child(node) : right_child(node);
    distance = difference * difference;
  }
};

// [region queries/stack]
/// Goes down on the query's side and keeps the other sides on a stack, with their planes' distances.
struct StackBased {
  template <class Number, int dims, class Nearest, class Log>
  KDSCOPE_HD static std::uint32_t run(const TreeView<Number>& tree, const Coordinates<Number, dims>& query,
                                      Nearest& nearest, Log log) {
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
  template <class Number, int dims, class Nearest, class Log>
  KDSCOPE_HD static std::uint32_t run(const TreeView<Number>& tree, const Coordinates<Number, dims>& query,
                                      Nearest& nearest, Log log) {
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
  template <class Number, int dims, class Nearest, class Log>
  KDSCOPE_HD static std::uint32_t run(const TreeView<Number>& tree, const Coordinates<Number, dims>& query,
                                      Nearest& nearest, Log log) {
    struct Entry {
      NodeId node;
      Coordinates<Number, dims> corner;
    };
    const auto distance_to = [&](const Coordinates<Number, dims>& corner) {
      return squared_distance(query, tree.dim, [&](std::uint32_t d) { return corner.at[d]; });
    };
    Entry stack[32];
    int height = 0;
    std::uint32_t visited = 0;
    Coordinates<Number, dims> corner = query;  // the root's domain holds every query
    for (NodeId node{0};;) {
      while (node.value < tree.n) {
        ++visited;
        test(tree, query, node, nearest, log);
        const Sides<Number> sides(tree, query, node);
        if (sides.far.value < tree.n) {
          Entry& entry = stack[height];
          entry = {sides.far, corner};
          entry.corner.set(sides.dim, sides.plane);
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
