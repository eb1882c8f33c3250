#pragma once
// What a search did, event by event. A traversal tells its log, which is a template parameter: NoLog compiles to
// nothing (tests/queries/no_log_test.sh, but for searches through buckets), EventLog keeps the events of one query in a
// back end's memory.

#include <cstdint>
#include <vector>

#include "algorithms/core/ids.hpp"

namespace kdscope {

/// The kinds of events. `number` is a squared distance unless stated otherwise.
enum class EventKind : std::uint8_t {
  enter,    ///< the walk comes to a node; number: the least distance at which the node's subtree can lie
  leave,    ///< the walk leaves a node towards its parent
  test,     ///< a point or triangle is tested; number: its distance, or -1 if a ray misses it
  accept,   ///< it is among the results so far; number: its distance
  prune,    ///< a subtree is skipped; number: the distance compared
  push,     ///< a subtree waits in the stack or queue; number: the distance kept with it
  pop,      ///< a waiting subtree is taken out; number: the distance kept with it
  drop,     ///< a waiting subtree is given up because the queue is full; number: the distance kept with it
  round,    ///< a round of range searches begins or a radius is settled; number: its radius, not squared
  bin,      ///< a bin of a radius histogram after a round; item: its count; number: its outer radius, not squared
  segment,  ///< the part of a ray inside a cell; number: where it ends; `other`: where it begins
  count     ///< all points of a subtree are counted without a look at them; item: how many
};
inline constexpr int event_kinds = 12;

/// Why a subtree is skipped.
enum class PruneReason : std::uint8_t {
  none,
  plane,     ///< the plane in front of it is too far away
  corner,    ///< the closest corner of its domain is too far away
  box,       ///< its box is too far away, or does not overlap the range
  interval,  ///< the ray leaves the cell before the plane, or has found a hit in front of it
  found      ///< any hit is enough, and there is one
};

/// One event. Unused ids are no_id, unused numbers 0.
struct SearchEvent {
  EventKind kind;
  PruneReason reason;
  std::uint32_t node;
  std::uint32_t item;  ///< original index of a point or triangle
  double number, other;
  bool operator==(const SearchEvent&) const = default;
};

/// The events of one query. Those beyond a capacity are counted, not kept.
struct SearchEvents {
  std::vector<SearchEvent> events;
  std::uint64_t total = 0;  ///< number of events that occurred
  std::uint32_t visited = 0;
};

namespace queries {

/// Ignores the events of a search.
struct NoLog {
  KDSCOPE_HD void enter(NodeId, double = 0) {}
  KDSCOPE_HD void leave(NodeId) {}
  KDSCOPE_HD void test(std::uint32_t, double) {}
  KDSCOPE_HD void accept(std::uint32_t, double) {}
  KDSCOPE_HD void prune(NodeId, PruneReason, double) {}
  KDSCOPE_HD void push(NodeId, double) {}
  KDSCOPE_HD void pop(NodeId, double) {}
  KDSCOPE_HD void drop(NodeId, double) {}
  KDSCOPE_HD void round(double) {}
  KDSCOPE_HD void bin(std::uint32_t, double) {}
  KDSCOPE_HD void segment(NodeId, double, double) {}
  KDSCOPE_HD void count(NodeId, std::uint32_t) {}
};

/// Appends the events of one query to a list in a back end's memory.
struct EventLog {
  SearchEvent* events;   ///< [capacity]
  std::uint64_t* total;  ///< [1] events so far, kept or not
  std::uint32_t capacity;

  KDSCOPE_HD void enter(NodeId node, double distance = 0) {
    add({EventKind::enter, {}, node.value, no_id, distance, 0});
  }
  KDSCOPE_HD void leave(NodeId node) { add({EventKind::leave, {}, node.value, no_id, 0, 0}); }
  KDSCOPE_HD void test(std::uint32_t item, double distance) { add({EventKind::test, {}, no_id, item, distance, 0}); }
  KDSCOPE_HD void accept(std::uint32_t item, double distance) {
    add({EventKind::accept, {}, no_id, item, distance, 0});
  }
  KDSCOPE_HD void prune(NodeId node, PruneReason reason, double distance) {
    add({EventKind::prune, reason, node.value, no_id, distance, 0});
  }
  KDSCOPE_HD void push(NodeId node, double distance) { add({EventKind::push, {}, node.value, no_id, distance, 0}); }
  KDSCOPE_HD void pop(NodeId node, double distance) { add({EventKind::pop, {}, node.value, no_id, distance, 0}); }
  KDSCOPE_HD void drop(NodeId node, double distance) { add({EventKind::drop, {}, node.value, no_id, distance, 0}); }
  KDSCOPE_HD void round(double radius) { add({EventKind::round, {}, no_id, no_id, radius, 0}); }
  KDSCOPE_HD void bin(std::uint32_t count, double radius) { add({EventKind::bin, {}, no_id, count, radius, 0}); }
  KDSCOPE_HD void segment(NodeId node, double begin, double end) {
    add({EventKind::segment, {}, node.value, no_id, end, begin});
  }
  KDSCOPE_HD void count(NodeId node, std::uint32_t points) { add({EventKind::count, {}, node.value, points, 0, 0}); }

 private:
  KDSCOPE_HD void add(const SearchEvent& event) {
    if (*total < capacity) events[*total] = event;
    ++*total;
  }
};

}  // namespace queries
}  // namespace kdscope
