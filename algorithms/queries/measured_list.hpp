#pragma once
// The k nearest by other metrics than the Euclidean, and in space that repeats itself. They have lists of their own, so
// that the kernels of the usual distance stay as they are. Metric and periods are chosen at run time: one more kernel
// per search and number type, where a template parameter would need one per metric.
//
// A list that measures has, beside what all collectors have (nearest.hpp),
//   along(difference, d)       the size of a difference along axis d
//   beyond(query, plane, d)    the least distance of what lies beyond a plane across axis d

#include <cstdint>
#include <type_traits>

#include "algorithms/queries/nearest.hpp"
#include "algorithms/queries/query_point.hpp"
#include "algorithms/queries/radius.hpp"
#include "algorithms/queries/search.hpp"

namespace kdscope::queries {

/// A Measure in the numbers of a search. Precondition: along an axis with a period, points and queries extend over that
/// period at most.
template <class Number>
struct MeasureView {
  Metric metric = Metric::euclidean;
  bool is_periodic = false;
  Number period[most_dimensions] = {};
  Number low[most_dimensions] = {}, high[most_dimensions] = {};  ///< ends of the points along each axis
};

/// Whether a collector measures distances itself.
template <class Found>
inline constexpr bool measures = requires(const Found& found) {
  found.measure();
};

// [region queries/measured_list]
/// The k nearest points found so far by a metric that is known at run time. Distances are squared if it is Euclidean.
template <class Number, int capacity>
class MeasuredList : public LongList<Number, capacity> {
 public:
  MeasuredList() = default;
  KDSCOPE_HD MeasuredList(int k, Number bound, const MeasureView<Number>* measure)
      : LongList<Number, capacity>(k, bound), measure_(measure) {}

  KDSCOPE_HD const MeasureView<Number>& measure() const { return *measure_; }
  /// Returns a distance with one more dimension, in which the size of the difference is given.
  KDSCOPE_HD Number with(Number distance, Number size) const {
    if (measure_->metric == Metric::euclidean) return distance + size * size;
    if (measure_->metric == Metric::l1) return distance + size;
    return size > distance ? size : distance;
  }
  /// Returns the size of a difference: in a space that repeats itself, the shorter way around.
  KDSCOPE_HD Number along(Number difference, std::uint32_t d) const {
    const Number size = difference < 0 ? -difference : difference;
    return measure_->is_periodic ? shorter(size, measure_->period[d] - size) : size;
  }
  /// Returns a distance that no point beyond a plane falls short of. In a space that repeats itself, such a point may
  /// be nearer the other way around, through the far end of all points.
  KDSCOPE_HD Number beyond(Number query, Number plane, std::uint32_t d) const {
    const bool right = query > plane;
    const Number before = right ? query - plane : plane - query;
    if (!measure_->is_periodic) return with(0, before);
    const Number to_end = right ? query - measure_->low[d] : measure_->high[d] - query;
    return with(0, shorter(before, measure_->period[d] - to_end));
  }

 private:
  KDSCOPE_HD static Number shorter(Number one, Number other) { return one < other ? one : other; }

  const MeasureView<Number>* measure_;
};
// [endregion]

/// A radius, and the measure of the lists that it bounds.
template <class Number>
struct MeasuredRadius {
  Radius<Number> radius;
  const MeasureView<Number>* measure;
};
/// What a kernel makes its lists from.
template <class Nearest, class Number>
using RadiusOf = std::conditional_t<measures<Nearest>, MeasuredRadius<Number>, Radius<Number>>;

/// Returns an empty list for a query, given by its coordinate words.
template <class Nearest, class Number>
KDSCOPE_HD Nearest list_for(int k, const Radius<Number>& radius, const std::uint32_t* words, std::uint32_t dim) {
  return Nearest(k, radius.squared_reach(words, dim));
}
template <class Nearest, class Number>
KDSCOPE_HD Nearest list_for(int k, const MeasuredRadius<Number>& of, const std::uint32_t* words, std::uint32_t dim) {
  const bool squares = of.measure->metric == Metric::euclidean;
  return Nearest(k, squares ? of.radius.squared_reach(words, dim) : of.radius.reach(words, dim), of.measure);
}

}  // namespace kdscope::queries
