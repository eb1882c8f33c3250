#pragma once
// The nearest points found so far, and coordinates as searches compute with them.

#include <cstdint>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::queries {

/// Returns a coordinate as a number: a float as it is, an integer as a double, as its differences need more bits than a
/// float has.
template <class Number>
KDSCOPE_HD Number number_of(std::uint32_t word) {
  if constexpr (sizeof(Number) == sizeof(float))
    return float_of(word);
  else
    return static_cast<double>(static_cast<std::int32_t>(word));
}

/// The k nearest points found so far: ascending by distance, then by original index. `capacity` bounds k. On a GPU,
/// small capacities stay in registers.
template <class Number, int capacity>
class NearestPoints {
 public:
  /// bound: the largest squared distance of interest.
  KDSCOPE_HD NearestPoints(int k, Number bound) : k_(k), bound_(bound) {}

  /// Returns the largest squared distance at which a point may still be taken. A point at exactly this distance is
  /// taken if its index is smaller than that of the last one.
  KDSCOPE_HD Number reach() const { return size_ == k_ ? distance_[k_ - 1] : bound_; }
  /// Takes a point if it is near enough. Returns whether it was. Work O(k).
  KDSCOPE_HD bool take(Number distance, PointId point) {
    if (distance > reach() || (size_ == k_ && !before(distance, point, k_ - 1))) return false;
    int at = size_ == k_ ? k_ - 1 : size_++;
    for (; at > 0 && before(distance, point, at - 1); --at) {
      distance_[at] = distance_[at - 1];
      point_[at] = point_[at - 1];
    }
    distance_[at] = distance;
    point_[at] = point;
    return true;
  }
  KDSCOPE_HD int size() const { return size_; }
  KDSCOPE_HD Number distance(int i) const { return distance_[i]; }
  KDSCOPE_HD PointId point(int i) const { return point_[i]; }

 private:
  KDSCOPE_HD bool before(Number distance, PointId point, int i) const {
    return distance < distance_[i] || (distance == distance_[i] && point < point_[i]);
  }

  Number distance_[capacity];
  PointId point_[capacity];
  int k_, size_ = 0;
  Number bound_;
};

/// Ignores the events of a search. Another log records them (see algorithms/README.md on recorders).
struct NoLog {
  KDSCOPE_HD void enter(NodeId) {}   ///< the node's point is tested
  KDSCOPE_HD void accept(NodeId) {}  ///< it is one of the nearest so far
  KDSCOPE_HD void prune(NodeId) {}   ///< the sub-tree is too far away
  KDSCOPE_HD void push(NodeId) {}
  KDSCOPE_HD void pop(NodeId) {}
};

}  // namespace kdscope::queries
