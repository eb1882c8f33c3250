#pragma once
// A round of the upper levels: a few levels of all segments, whose pivots are found before the points move once.

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/builders/rank/order.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::rank {

// [region rank/ranks]
/// Returns the rank of a node's pivot among the node's points: the size of the left subtree, which depends on n alone.
KDSCOPE_HD inline std::uint32_t rank_of_pivot(NodeId node, std::uint32_t n) {
  return subtree_size(left_child(node), n);
}
// [endregion]

/// The plane of a node: its pivot, and the dimension that it splits.
struct Plane {
  Order pivot;
  std::uint32_t dim, padding = 0;  ///< the padding is written, since planes are copied as a whole
};

/// How nodes choose their dimensions. domain: [2 k] keys of the box of all points; only for split=widest.
struct SplitRule {
  Split split;
  std::uint32_t k;
  ScalarType type;
  const std::uint32_t* domain;

  /// Sets the domain of a node. plane(ancestor): the planes above it. lo, hi: [k] keys. Work O(level + k).
  template <class PlaneAt>
  KDSCOPE_HD void box_of(NodeId node, const PlaneAt& plane, std::uint32_t* lo, std::uint32_t* hi) const {
    for (std::uint32_t d = 0; d < k; ++d) lo[d] = domain[d], hi[d] = domain[k + d];
    while (node.value > 0) {
      const NodeId above = parent_of(node);
      const Plane cut = plane(above);
      const std::uint32_t key = key_of(cut.pivot);
      if (node == left_child(above)) {
        if (key < hi[cut.dim]) hi[cut.dim] = key;
      } else if (key > lo[cut.dim]) {
        lo[cut.dim] = key;
      }
      node = above;
    }
  }
  /// Returns the dimension that a node splits.
  template <class PlaneAt>
  KDSCOPE_HD std::uint32_t dim_of(NodeId node, const PlaneAt& plane) const {
    if (split == Split::round_robin) return static_cast<std::uint32_t>(level_of(node)) % k;
    std::uint32_t lo[max_dim], hi[max_dim];
    box_of(node, plane, lo, hi);
    return widest_dimension(lo, hi, k, type);
  }
};

// [region rank/brackets]
/// A range of orders that most likely holds a node's pivot, cut into intervals at orders of a sample, which each hold
/// about as many points, whatever the distribution. Equal bins cut each interval. Bin 0 lies below the bracket; the bin
/// after the last lies above it.
struct Bracket {
  Order edge[max_intervals + 1];
  std::uint32_t dim;
};

/// How brackets of a level are cut: each interval has 2^log_per_interval bins, at least two.
struct Bins {
  std::uint32_t intervals, log_per_interval;

  /// Returns the bins for nodes of `size` points, `down` levels below their segment: more for larger nodes, as far as
  /// the bins of a segment fit into shared memory.
  KDSCOPE_HD static Bins of(std::uint32_t intervals, std::uint32_t size, int down) {
    // The windows of the largest nodes are searched by few blocks, so they have to be short
    const int wanted = 22 - leading_zeros(size), most = (size >> 21 == 0 ? 5 : 7) - down;
    return {intervals, static_cast<std::uint32_t>(wanted < 1 ? 1 : wanted < most ? wanted : most)};
  }
  KDSCOPE_HD std::uint32_t count() const { return intervals << log_per_interval; }

  /// Returns the bin of a point of a bracket's node. point() returns its index, which is called for only where keys do
  /// not decide: in a bracket between equal keys, or where a bin holds less than one key.
  template <class Point>
  KDSCOPE_HD std::uint32_t bin_of(const Bracket& bracket, std::uint32_t key, const Point& point) const {
    // Where the middle edge lies within a key, most edges do
    if (point_of(bracket.edge[intervals / 2]).value != 0) return bin_of(bracket, order_of(key, point()));
    if (key < key_of(bracket.edge[0])) return 0;
    if (key > key_of(bracket.edge[intervals])) return count() + 1;
    const std::uint32_t q = interval_of(bracket, [&](Order edge) { return key < key_of(edge); });
    const Order from = bracket.edge[q];
    // An edge with index 0 lies before all points of its key, so no other point of that key lies in another interval
    const int log_width = log_width_of_bin(from, bracket.edge[q + 1]);
    if (point_of(from).value == 0 && log_width >= 32 && key < key_of(bracket.edge[intervals]))
      return 1 + (q << log_per_interval) + ((key - key_of(from)) >> (log_width - 32));
    return bin_of(bracket, order_of(key, point()));
  }
  KDSCOPE_HD std::uint32_t bin_of(const Bracket& bracket, Order order) const {
    if (order < bracket.edge[0]) return 0;
    if (order >= bracket.edge[intervals]) return count() + 1;
    const std::uint32_t q = interval_of(bracket, [&](Order edge) { return order < edge; });
    // The width of an interval's bins is a power of two: a shift finds the bin, without a division
    const Order from = bracket.edge[q];
    return 1 + (q << log_per_interval) +
           static_cast<std::uint32_t>((order - from) >> log_width_of_bin(from, bracket.edge[q + 1]));
  }
  /// Returns the first and the last order of a bin.
  KDSCOPE_HD void range_of(const Bracket& bracket, std::uint32_t bin, Order& lo, Order& hi) const {
    lo = 0, hi = largest_order;
    if (bin == 0) {
      hi = bracket.edge[0] - 1;
    } else if (bin > count()) {
      lo = bracket.edge[intervals];
    } else {
      // The last bin may be cut short by its interval's end
      const std::uint32_t q = (bin - 1) >> log_per_interval, within = (bin - 1) & ((1u << log_per_interval) - 1);
      const Order width = Order{1} << log_width_of_bin(bracket.edge[q], bracket.edge[q + 1]);
      lo = bracket.edge[q] + within * width;
      hi = bracket.edge[q + 1] - 1;
      if (hi - lo >= width) hi = lo + (width - 1);
    }
  }

 private:
  /// Returns the last interval whose first edge is not after a point. is_before(edge): whether the point is. Bisects.
  template <class IsBefore>
  KDSCOPE_HD std::uint32_t interval_of(const Bracket& bracket, const IsBefore& is_before) const {
    std::uint32_t q = 0, end = intervals;
    while (end - q > 1) {
      const std::uint32_t middle = (q + end) / 2;
      if (is_before(bracket.edge[middle]))
        end = middle;
      else
        q = middle;
    }
    return q;
  }
  /// Returns the logarithm of the width of the bins of an interval.
  KDSCOPE_HD int log_width_of_bin(Order from, Order to) const {
    const int free_bits = bits_of(to - from - 1) - static_cast<int>(log_per_interval);
    return free_bits > 0 ? free_bits : 0;
  }
};

/// The points of a node whose orders lie in [lo, hi], the range of the bin that holds the pivot. `below` points of the
/// node are smaller.
struct Window {
  Order lo, hi;
  std::uint32_t below, count, dim, padding = 0;
};
// [endregion]

/// The state of a round, in a back end's memory. Nodes are numbered within their segment: 0 is the segment's root, and
/// 2t + 1 and 2t + 2 are the children of t. Per segment there are node_count() of them.
struct Round {
  Records from;
  std::uint32_t n, intervals;
  SplitRule rule;
  int level, levels;      ///< the level of the segments, and the number of levels that are split
  Plane* planes;          ///< [2^(level + levels) - 1] by node of the tree
  Bracket* brackets;      ///< [segments x node_count()]
  Window* windows;        ///< likewise
  std::uint32_t* counts;  ///< [nodes of one level x (bins + 1)]; 0 between the levels
  std::uint32_t* listed;  ///< [segments x 2^(levels - 1)] length of each node's list of window points; 0 between them
  std::uint32_t* list;    ///< [n] positions of window points, each node's in its own part
  std::uint32_t* filled;  ///< [segments x 2^levels] points that each child segment has received

  KDSCOPE_HD std::uint32_t segments() const { return 1u << level; }
  KDSCOPE_HD std::uint32_t node_count() const { return full_tree_size(levels); }
  KDSCOPE_HD NodeId root(std::uint32_t segment) const { return {full_tree_size(level) + segment}; }
  /// Returns the node of the tree that is node t of a segment.
  KDSCOPE_HD NodeId node(std::uint32_t segment, std::uint32_t t) const {
    const int down = level_of(NodeId{t});
    return {((root(segment).value + 1) << down) - 1 + (t - full_tree_size(down))};
  }
  KDSCOPE_HD std::uint32_t slot(std::uint32_t segment, std::uint32_t t) const { return segment * node_count() + t; }
  /// Returns the place of node t among all nodes of its level.
  KDSCOPE_HD std::uint32_t of_level(std::uint32_t segment, std::uint32_t t) const {
    const int down = level_of(NodeId{t});
    return (segment << down) + (t - full_tree_size(down));
  }
  /// Returns the bins of all nodes of level `level + down`.
  KDSCOPE_HD Bins bins(int down) const {
    return Bins::of(intervals, subtree_size(NodeId{full_tree_size(level + down)}, n), down);
  }
  KDSCOPE_HD std::uint32_t* counts_of(std::uint32_t node_of_level, const Bins& bins) const {
    return counts + std::size_t(node_of_level) * (bins.count() + 1);
  }
  KDSCOPE_HD std::uint32_t* list_of(NodeId node) const { return list + in_order_begin(node, n); }

  /// Compares point i with a plane: -1 before its pivot, 0 the pivot itself, 1 after it.
  KDSCOPE_HD int side_of(std::uint32_t i, const Plane& plane) const {
    return compare(
        from.key(i, plane.dim), [&] { return from.point(i); }, plane.pivot);
  }
};

}  // namespace kdscope::rank
