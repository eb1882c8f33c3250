#pragma once
// Search with a bounded double-ended priority queue (Wehr & Radkowski 2018, section III-E).

#include "algorithms/builders/option_table.hpp"
#include "algorithms/queries/level_order.hpp"
#include "algorithms/trees/level_order/tree.hpp"

namespace kdscope::queries::wehr {

/// A tree in level order with gaps in a back end's memory, with its points' coordinates.
template <class Exec>
struct OnDevice : LevelOrderOnDevice<Exec, true> {
  OnDevice(Exec& exec, const LevelOrderTree& tree)
      : LevelOrderOnDevice<Exec, true>(exec, in_level_order(*tree.points, tree.point_of_node), tree.point_of_node,
                                       tree.split_dim) {}
};

inline constexpr int queue_room = 64;

struct QueueOptions {
  std::uint32_t queue = 0;  ///< largest number of waiting nodes; 0: no limit, which makes the search exact
};

// [region queries/priority_queue]
/// Goes down on the query's side and lets the other sides wait in a queue by the distance of their domains. At a leaf
/// it goes on with the nearest that waits, unless the ball of the reach does not overlap its domain. A full queue gives
/// up its farthest node. Without a limit, nodes for which the queue has no room wait on a stack instead: while it holds
/// any, all others join it, so that it never holds more than one per level.
struct BoundedPriorityQueue : SearchesPoints<LevelOrderTree, OnDevice> {
  using Options = QueueOptions;
  static constexpr std::uint32_t most_k = 128;
  static const OptionTable<QueueOptions>& option_table() {
    static const auto table = OptionTable<QueueOptions>().integer(
        {"queue", "Queue limit",
         "Nodes that may wait; a full queue gives up the farthest, so that points may be missed. 0: no limit, exact."},
        &QueueOptions::queue, 0, queue_room);
    return table;
  }

  Options options;
  BoundedPriorityQueue() = default;
  explicit BoundedPriorityQueue(const Options& chosen) : options(chosen) {}
  bool may_give_up(SearchQuestion) const { return options.queue > 0; }

  /// A waiting node, with the corner of its domain that is closest to the query.
  template <class Number, int dims>
  struct Entry {
    NodeId node;
    Number distance;
    Coordinates<Number, dims> corner;
  };

  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const LevelOrderView<Number, true>& tree, const Coordinates<Number, dims>& query,
                               Found& found, Log log) const {
    Entry<Number, dims> queue[queue_room], stack[32];
    const int limit = options.queue > 0 ? static_cast<int>(options.queue) : queue_room;
    int waiting = 0, height = 0;
    std::uint32_t visited = 0;
    Entry<Number, dims> at{{0}, 0, query};  // the root's domain holds every query
    for (;;) {
      // Descend on the query's side, and test the point of each node on the way (§III-E)
      while (tree.has(at.node)) {
        ++visited;
        log.enter(at.node, at.distance);
        test(tree, query, at.node, found, log);
        const Sides<Number> sides(tree, query, at.node, found);
        // Let the side not taken wait, unless the closest corner of its domain is out of reach: then the ball of the
        // reach does not overlap it ("bounds overlap ball"). In an exact search, it waits on the stack while that holds
        // any, or if the queue is full.
        if (tree.has(sides.far)) {
          Entry<Number, dims> far{sides.far, 0, at.corner};
          far.corner.set(sides.dim, sides.plane);
          far.distance = squared_distance(found, query, tree.dim, [&](std::uint32_t d) { return far.corner.at[d]; });
          log.push(far.node, far.distance);
          if (far.distance > found.reach()) {
            log.prune(far.node, PruneReason::corner, far.distance);
          } else if (height > 0 || (waiting == limit && options.queue == 0)) {
            stack[height++] = far;
          } else if (waiting < limit) {
            queue[waiting++] = far;
          } else {
            // The queue is full: the farthest of all that wait is given up, be it the new one
            int farthest = 0;
            for (int i = 1; i < waiting; ++i)
              if (queue[farthest].distance < queue[i].distance) farthest = i;
            const bool closer = far.distance < queue[farthest].distance;
            const Entry<Number, dims> dropped = closer ? queue[farthest] : far;
            if (closer) queue[farthest] = far;
            log.drop(dropped.node, dropped.distance);
          }
        }
        at.node = sides.close;
      }
      // Go on with the stack's top, if there is one, or with the nearest in the queue. The queue is an unordered array,
      // searched each time: its places are few, and an order would cost moves at every insertion.
      for (;;) {
        if (height > 0) {
          at = stack[--height];
        } else if (waiting > 0) {
          int nearest = 0;
          for (int i = 1; i < waiting; ++i)
            if (queue[i].distance < queue[nearest].distance) nearest = i;
          at = queue[nearest];
          queue[nearest] = queue[--waiting];
        } else {
          return visited;
        }
        log.pop(at.node, at.distance);
        if (at.distance <= found.reach()) break;
        log.prune(at.node, PruneReason::corner, at.distance);
      }
    }
  }
};
// [endregion]

/// In the order of declare().
using Searches = SearchList<BoundedPriorityQueue>;

}  // namespace kdscope::queries::wehr
