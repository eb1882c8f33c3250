#pragma once
// All points within a ball or a box.

#include <cstdint>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/platform.hpp"

namespace kdscope::queries {

/// Takes all points within a reach, in the order in which they come: first to count them, then to write them where the
/// counts place them. A box is a ball of the maximum norm, so its distances are the largest squares of differences.
template <class Number>
class Within {
 public:
  /// points, distances: receive what is taken; null while it is only counted.
  KDSCOPE_HD Within(bool box, Number reach, PointId* points = nullptr, Number* distances = nullptr)
      : box_(box), reach_(reach), points_(points), distances_(distances) {}

  KDSCOPE_HD Number reach() const { return reach_; }
  KDSCOPE_HD Number with(Number distance, Number difference) const {
    const Number square = difference * difference;
    return !box_ ? distance + square : square > distance ? square : distance;
  }
  KDSCOPE_HD Number combined(Number one, Number other) const { return !box_ ? one + other : one > other ? one : other; }
  KDSCOPE_HD bool take(Number distance, PointId point) {
    if (points_) {
      points_[count_] = point;
      distances_[count_] = distance;
    }
    ++count_;
    return true;
  }
  /// Counts points without looking at them. Precondition: all are within the reach, and none is written.
  KDSCOPE_HD void count_all(std::uint32_t points) { count_ += points; }
  KDSCOPE_HD std::uint32_t count() const { return count_; }

  /// Whether this pass writes what a pass before it has counted. A search that chooses the reach itself does so in the
  /// first pass; the second begins with the reach of the first.
  KDSCOPE_HD bool writes() const { return points_ != nullptr; }
  KDSCOPE_HD void set_reach(Number reach) { reach_ = reach; }

 private:
  bool box_;
  Number reach_;
  PointId* points_;
  Number* distances_;
  std::uint32_t count_ = 0;
};

}  // namespace kdscope::queries
