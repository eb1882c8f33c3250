#pragma once
// The points of large nodes in one list per dimension, sorted once and kept sorted within every node, and in one list
// by original index (Zhou et al. 2008, §5.1). In all lists, the points of a node are contiguous and begin at the same
// offset.

#include <bit>
#include <cstdint>

#include "algorithms/builders/zhou/large_nodes.hpp"
#include "algorithms/exec/point_sides.hpp"

namespace kdscope::zhou_vvh {

using namespace zhou;

/// The lists, stored one after another. The list by original index is the last.
struct ListsView {
  const std::uint32_t* points;  ///< [lists x m]
  std::uint32_t m, lists;
  KDSCOPE_HD const std::uint32_t* list(std::uint32_t l) const { return points + std::size_t(l) * m; }
};

// [region zhou-vvh/sort_points]
/// Sets the keys of one sort over all dimensions: (dimension, coordinate). keys, lists: [dims x n].
struct ListKeys {
  PointsView points;
  std::uint64_t* keys;
  std::uint32_t* list;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t d = i / points.n, point = i - d * points.n;
    list[i] = point;
    if (d < points.dim) keys[i] = std::uint64_t(d) << 32 | points.key(point, d);
  }
};

/// Fills `now` with the sorted lists: [lists x n]. `next` may serve as scratch. The sort is stable and starts from the
/// original order.
template <class Exec>
void sort_lists(Exec& exec, const PointsView& points, Array<std::uint32_t, Exec>& now,
                Array<std::uint32_t, Exec>& next) {
  const std::uint32_t items = points.dim * points.n, all = items + points.n;
  auto keys = exec.template array<std::uint64_t>("sort keys", items, Allocation::scratch);
  auto other_keys =
      exec.template array<std::uint64_t>("sort keys", Exec::sorts_in_one_buffer ? 0 : items, Allocation::scratch);
  exec.for_each("sort keys", all, ListKeys{points, keys.data(), now.data()});
  DoubleBuffer<std::uint64_t> key_buffers{keys.data(), other_keys.data()};
  DoubleBuffer<std::uint32_t> order{now.data(), next.data()};
  exec.sort_pairs("sort points", key_buffers, order, items, 32 + std::bit_width(points.dim - 1));
  if (order.current == now.data()) return;
  exec.copy(next.data() + items, now.data() + items, points.n);
  now.swap(next);
}
// [endregion]

// [region zhou-vvh/node_boxes]
/// Finds the tight box of each active node in O(1), from its first and last point in every dimension's list. Without a
/// list of nodes, finds the root's box.
struct EndsOfLists {
  PointsView points;
  const std::uint32_t* lists;
  std::uint32_t m;
  const std::uint32_t *first, *node;  ///< [active] or null
  std::uint32_t all;                  ///< number of points of the root
  Box3* box;                          ///< [active]
  const std::uint32_t* count = nullptr;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = first ? first[i] : 0, last = begin + (first ? count[node[i]] : all) - 1;
    Box3 ends{{0, 0, 0}, {0, 0, 0}};
    // Unroll the three sides, so that their loads do not wait for one another.
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (d >= points.dim) break;
      const std::uint32_t* const list = lists + std::size_t(d) * m;
      ends.lo[d] = float_coordinate(points.word(list[begin], d), points.type);
      ends.hi[d] = float_coordinate(points.word(list[last], d), points.type);
    }
    box[i] = ends;
  }
};
// [endregion]

// [region zhou-vvh/mark_sides]
/// Marks the child of each point. The points of a node that stays whole go left. One thread per point,
/// which looks up its node once for all lists. list: by original index.
struct MarkPoints {
  PointsView points;
  NodesView nodes;
  ActiveNodes active;
  LevelPlan plan;
  const std::uint32_t* list;
  std::uint32_t* owner;  ///< [m] by position
  PointSides side;       ///< by point
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    // Position j belongs to the same node in every list, so one search per position serves all lists
    const std::uint32_t node = last_begun(active.first, active.count, j);
    owner[j] = node;
    const std::uint32_t halved = plan.halved[node], dim = nodes.split_dim[halved], point = list[j];
    side.put(point, dim != no_id &&
                        !goes_left(float_coordinate(points.word(point, dim), points.type), nodes.split_value[halved]));
  }
};
// [endregion]

// [region zhou-vvh/count_sides]
/// Returns the summand of a scan over all lists: 1 for each point that goes left.
struct GoesLeftInList {
  const std::uint32_t* lists;
  PointSides side;
  std::uint32_t all;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return i < all && !side.is_right(lists[i]); }
};

/// Counts the points of the children from the sums at the ends of their parent in the first list.
struct SidesFromSums {
  ActiveNodes active;
  NodesView nodes;
  const std::uint32_t* left_before;  ///< [lists x m + 1]
  KDSCOPE_HD SideCounts operator()(std::uint32_t i) const {
    // Points do not straddle: what does not go left goes right
    const std::uint32_t first = active.first[i], all = nodes.count[active.node[i]],
                        left = left_before[first + all] - left_before[first];
    return {left, all - left};
  }
};
// [endregion]

/// Adds points to the kept list.
struct KeepPoints {
  PointsView points;
  const std::uint32_t* list;
  ReferencesView kept;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    kept.primitive[j] = list[j];
    kept.box[j] = box_of_point(points, list[j]);
  }
};

// [region zhou-vvh/move_points]
/// Splits all lists at once and keeps their order. Points of large children go to the next lists. Points of other
/// children go to the kept list, by original index. One thread per point and list.
struct MovePoints {
  PointsView points;
  ActiveNodes active;
  LevelPlan plan;
  ListsView from;
  const std::uint32_t* owner;
  PointSides side;
  const std::uint32_t* left_before;
  std::uint32_t* next;  ///< [lists x next_m]
  std::uint32_t next_m;
  ReferencesView kept;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // i counts the positions of all lists, l the lists, j the positions of one
    const std::uint32_t l = i / from.m, j = i - l * from.m, node = owner[j], first = active.first[node],
                        point = from.points[i];
    const bool right = side.is_right(point);
    // A point goes behind those of its node that go to the same side before it in its list, so every list stays sorted
    // (the split of Sengupta et al., §5.1). The child's begin is the same in all lists.
    const std::uint32_t lefts = left_before[i] - left_before[l * from.m + first], slot = 2 * node + (right ? 1 : 0);
    const std::uint32_t to = plan.destination[slot] + (right ? j - first - lefts : lefts);
    // Small nodes and leaves need their points once: the list by original index keeps them
    if (plan.kind[slot] == ChildKind::active)
      next[std::size_t(l) * next_m + to] = point;
    else if (l == points.dim)
      kept.primitive[to] = point, kept.box[to] = box_of_point(points, point);
  }
};
// [endregion]

}  // namespace kdscope::zhou_vvh
