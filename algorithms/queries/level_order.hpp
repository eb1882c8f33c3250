#pragma once
// Trees with one point per node in level order, for reading in a back end's memory, and the walk with a stack, which
// several sources use.
//
// A subtree is skipped only if it lies beyond the reach, because a point at the same distance may have a smaller
// index. Rounding does no harm: a distance to a plane or a corner is a sum of fewer or smaller squares than the
// distance to a point behind it, and rounded sums grow with their terms. Equal coordinates may be on either side of a
// plane, and either side begins at the plane.

#include <span>
#include <vector>

#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/searching.hpp"

namespace kdscope::queries {

/// A tree in level order: the children of node i are 2i+1 and 2i+2. gaps: whether nodes may be missing.
template <class Number, bool gaps>
struct LevelOrderView {
  const std::uint32_t* words;     ///< [n * stride] records in level order
  const PointId* point_of_node;   ///< [n] no_id where a node is missing
  const std::uint8_t* split_dim;  ///< null: level mod dim
  std::uint32_t n, dim, stride;

  KDSCOPE_HD bool has(NodeId node) const {
    return node.value < n && (!gaps || point_of_node[node.value].value != no_id);
  }
  KDSCOPE_HD Number coordinate(NodeId node, std::uint32_t d) const {
    return number_of<Number>(words[std::size_t(node.value) * stride + d]);
  }
  KDSCOPE_HD std::uint32_t dimension_of(NodeId node) const {
    return split_dim ? split_dim[node.value] : static_cast<std::uint32_t>(level_of(node)) % dim;
  }
};

/// Such a tree in a back end's memory.
template <class Exec, bool gaps>
class LevelOrderOnDevice {
 public:
  /// records: in level order. split_dim: empty for level mod dim.
  LevelOrderOnDevice(Exec& exec, const PointSet& records, const std::vector<PointId>& point_of_node,
                     const std::vector<std::uint8_t>& split_dim)
      : owned_{upload_points(exec, records), exec.template array<PointId>("tree", point_of_node.size()),
               exec.template array<std::uint8_t>("split dimensions", split_dim.size())},
        records_(owned_.records.view()),
        point_of_node_(owned_.point_of_node.data()),
        split_dim_(owned_.split_dim.data()) {
    exec.upload(owned_.point_of_node.data(), std::span(point_of_node));
    exec.upload(owned_.split_dim.data(), std::span(split_dim));
  }
  /// The same of arrays that are there already, and belong to another.
  LevelOrderOnDevice(const PointsView& records, const PointId* point_of_node, const std::uint8_t* split_dim)
      : records_(records), point_of_node_(point_of_node), split_dim_(split_dim) {}

  template <class Number>
  LevelOrderView<Number, gaps> view() const {
    return {records_.words, point_of_node_, split_dim_, records_.n, records_.dim, records_.stride};
  }

 private:
  struct Owned {
    PointsOnDevice<Exec> records;
    Array<PointId, Exec> point_of_node;
    Array<std::uint8_t, Exec> split_dim;
  };
  Owned owned_;
  PointsView records_;
  const PointId* point_of_node_;
  const std::uint8_t* split_dim_;
};

/// Returns the points' coordinates in the order of the nodes; zeros where a node is missing. Work O(n k).
inline PointSet in_level_order(const PointSet& points, const std::vector<PointId>& point_of_node) {
  PointSet records;
  records.type = points.type;
  records.dim = points.dim;
  records.words.resize(point_of_node.size() * points.dim);
  for (std::size_t node = 0; node < point_of_node.size(); ++node)
    if (const std::uint32_t point = point_of_node[node].value; point != no_id)
      for (std::uint32_t d = 0; d < points.dim; ++d)
        records.words[node * points.dim + d] = points.words[std::size_t(point) * points.stride() + d];
  return records;
}

/// Tests a node's point.
template <class Number, bool gaps, int dims, class Found, class Log>
KDSCOPE_HD void test(const LevelOrderView<Number, gaps>& tree, const Coordinates<Number, dims>& query, NodeId node,
                     Found& found, Log& log) {
  const Number distance =
      squared_distance(found, query, tree.dim, [&](std::uint32_t d) { return tree.coordinate(node, d); });
  const PointId point = tree.point_of_node[node.value];
  log.test(point.value, distance);
  if (distance <= found.reach() && found.take(distance, point)) log.accept(point.value, distance);
}

/// A node's children as a query sees them: the one on its side of the plane, and the other.
template <class Number>
struct Sides {
  NodeId close, far;
  std::uint32_t dim;
  Number plane, distance;  ///< squared distance of the query to the plane, or what the collector measures instead

  template <bool gaps, int dims, class Found>
  KDSCOPE_HD Sides(const LevelOrderView<Number, gaps>& tree, const Coordinates<Number, dims>& query, NodeId node,
                   const Found& found)
      : dim(tree.dimension_of(node)), plane(tree.coordinate(node, dim)) {
    const Number difference = query[dim] - plane;
    const bool right = difference > 0;
    close = right ? right_child(node) : left_child(node);
    far = right ? left_child(node) : right_child(node);
    if constexpr (requires { found.beyond(plane, plane, dim); })
      distance = found.beyond(query[dim], plane, dim);
    else
      distance = difference * difference;
  }
};

// [region queries/stack]
/// Goes down on the query's side and keeps the other sides on a stack, with their planes' distances.
struct WalkWithStack {
  template <class Number, bool gaps, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const LevelOrderView<Number, gaps>& tree, const Coordinates<Number, dims>& query,
                               Found& found, Log log) const {
    struct Entry {
      NodeId node;
      Number distance;
    };
    // 32 entries suffice: one per level, and fewer than 2^32 nodes have at most 32 levels
    Entry stack[32];
    int height = 0;
    std::uint32_t visited = 0;
    Number least = 0;  // distance at which the node's subtree begins
    for (NodeId node{0};;) {
      // Go down on the query's side as far as there are nodes, and test the point of each
      while (tree.has(node)) {
        ++visited;
        log.enter(node, least);
        test(tree, query, node, found, log);
        const Sides<Number> sides(tree, query, node, found);
        // Let the other side wait, with the distance of the plane, however far: the reach may still shrink
        if (tree.has(sides.far)) {
          stack[height++] = {sides.far, sides.distance};
          log.push(sides.far, sides.distance);
        }
        node = sides.close;
      }
      // Take back the last side that waits, which lies deepest, if it is still within reach
      for (;;) {
        if (height == 0) return visited;
        const Entry& entry = stack[--height];
        node = entry.node;
        least = entry.distance;
        log.pop(node, least);
        if (least <= found.reach()) break;
        log.prune(node, PruneReason::plane, least);
      }
    }
  }
};
// [endregion]

}  // namespace kdscope::queries
