#pragma once
// The nearest points found so far.

#include <cstdint>

#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/queries/query_point.hpp"

namespace kdscope::queries {

/// A point and its squared distance to the query. Ordered by distance, then by original index.
template <class Number>
struct alignas(2 * sizeof(Number)) Neighbour {
  Number distance;
  PointId point;
  KDSCOPE_HD bool operator<(const Neighbour& other) const {
    return distance < other.distance || (distance == other.distance && point < other.point);
  }
  /// Returns the same as <, by one comparison of 64 bits for floats. Precondition: the distances are -1 or from +0 on,
  /// whose words have their order. Rays may hit at -0.
  KDSCOPE_HD bool precedes(const Neighbour& other) const {
    if constexpr (sizeof(Number) == sizeof(float))
      return packed() < other.packed();
    else
      return *this < other;
  }
  /// Returns an integer with the order of neighbours, and the neighbour of such an integer. Precondition: as above.
  KDSCOPE_HD std::int64_t packed() const {
    return static_cast<std::int64_t>(std::uint64_t{word_of(distance)} << 32 | point.value);
  }
  KDSCOPE_HD static Neighbour unpacked(std::int64_t packed) {
    return {float_of(static_cast<std::uint32_t>(static_cast<std::uint64_t>(packed) >> 32)),
            {static_cast<std::uint32_t>(packed)}};
  }
};

// A search gives what it finds to a collector, which is one of these lists or a Within (within.hpp). All have
//   reach()                        the largest squared distance at which a point may still be taken
//   with(distance, difference)     the squared distance with one more dimension
//   combined(one, other)           the squared distance with the dimensions of two others
//   take(distance, point)          returns whether the point is among the results so far

/// The k nearest points found so far, for small k. The last k of `capacity` places hold them in ascending order; those
/// before hold what no point can precede. No index depends on k, so a GPU keeps the list in registers.
template <class Number, int capacity>
class ShortList {
 public:
  static constexpr int longest = capacity;
  ShortList() = default;
  /// bound: the largest squared distance of interest.
  KDSCOPE_HD ShortList(int k, Number bound) : k_(k) {
    KDSCOPE_UNROLLED
    for (int i = 0; i < capacity; ++i) at_[i] = i < capacity - k ? Neighbour<Number>{-1, {0}} : nobody(bound);
  }
  KDSCOPE_HD int k() const { return k_; }
  /// Returns the largest squared distance at which a point may still be taken. A point at exactly this distance is
  /// taken if its index is smaller than that of the last one.
  KDSCOPE_HD Number reach() const { return at_[capacity - 1].distance; }
  /// Returns a squared distance with one more dimension: distances of neighbours are Euclidean.
  KDSCOPE_HD static Number with(Number distance, Number difference) { return distance + difference * difference; }
  KDSCOPE_HD static Number combined(Number one, Number other) { return one + other; }
  /// Takes a point if it is near enough. Returns whether it was. Work O(capacity).
  KDSCOPE_HD bool take(Number distance, PointId point) {
    const Neighbour<Number> taken{distance, point};
    if (!is_before(taken, at_[capacity - 1])) return false;
#if !defined(__CUDA_ARCH__)
    // A processor predicts none of these comparisons: find each entry without a branch
    if constexpr (capacity > 1 && sizeof(Number) == sizeof(float)) {
      const std::int64_t own = taken.packed();
      for (int i = capacity - 1; i > 0; --i) {
        const std::int64_t before = at_[i - 1].packed(), here = at_[i].packed(), moved = before < own ? own : before;
        at_[i] = Neighbour<Number>::unpacked(here < moved ? here : moved);
      }
      if (own < at_[0].packed()) at_[0] = taken;
      return true;
    }
#endif
    KDSCOPE_UNROLLED
    for (int i = capacity - 1; i > 0; --i)
      if (is_before(taken, at_[i])) at_[i] = is_before(taken, at_[i - 1]) ? at_[i - 1] : taken;
    if (is_before(taken, at_[0])) at_[0] = taken;
    return true;
  }
  /// Takes those of some candidates, given by packed(), that are near enough: sorts them, and merges them with the
  /// list. No step depends on the data. Work O(capacity log capacity) for any count, a power of two up to the capacity.
  template <int count>
  KDSCOPE_HD void take_all(std::int64_t (&candidates)[count]) {
    sort<0, count>(candidates);
    // The nearer of the last, one by one with the candidates backwards, and those before ascend and then descend: half
    // after half, bring the nearer ones to the front
    std::int64_t merged[capacity];
    KDSCOPE_UNROLLED
    for (int i = 0; i < capacity; ++i) {
      merged[i] = at_[i].packed();
      if (i >= capacity - count && candidates[capacity - 1 - i] < merged[i]) merged[i] = candidates[capacity - 1 - i];
    }
    KDSCOPE_UNROLLED
    for (int away = capacity / 2; away > 0; away /= 2) {
      KDSCOPE_UNROLLED
      for (int i = 0; i < capacity; ++i)
        if ((i & away) == 0) order(merged[i], merged[i + away]);
    }
    KDSCOPE_UNROLLED
    for (int i = 0; i < capacity; ++i) at_[i] = Neighbour<Number>::unpacked(merged[i]);
  }
  /// Calls each(rank, neighbour) for ranks 0 to k - 1; the point is no_id where there are fewer.
  template <class Each>
  KDSCOPE_HD void for_each(Each each) {
    KDSCOPE_UNROLLED
    for (int i = 0; i < capacity; ++i)
      if (i >= capacity - k_) each(i - (capacity - k_), at_[i]);
  }

 private:
  KDSCOPE_HD static void order(std::int64_t& one, std::int64_t& other) {
    const std::int64_t less = one < other ? one : other;
    other = one < other ? other : one;
    one = less;
  }
  /// Sorts `size` numbers, merging halves (Batcher 1968).
  template <int from, int size>
  KDSCOPE_HD static void sort(std::int64_t* numbers) {
    if constexpr (size > 1) {
      sort<from, size / 2>(numbers);
      sort<from + size / 2, size / 2>(numbers);
      merge<from, size, 1>(numbers);
    }
  }
  /// Merges both halves of every step-th number: its even ones, its odd ones, and then neighbours.
  template <int from, int size, int step>
  KDSCOPE_HD static void merge(std::int64_t* numbers) {
    if constexpr (2 * step < size) {
      merge<from, size, 2 * step>(numbers);
      merge<from + step, size, 2 * step>(numbers);
      KDSCOPE_UNROLLED
      for (int i = from + step; i + step < from + size; i += 2 * step) order(numbers[i], numbers[i + step]);
    } else {
      order(numbers[from], numbers[from + step]);
    }
  }
  /// Lists of hits have one entry.
  KDSCOPE_HD static bool is_before(const Neighbour<Number>& one, const Neighbour<Number>& other) {
    return capacity > 1 ? one.precedes(other) : one < other;
  }
  KDSCOPE_HD static Neighbour<Number> nobody(Number bound) { return {bound, {no_id}}; }

  Neighbour<Number> at_[capacity];
  int k_;
};

/// The k nearest points found so far, for any k up to `capacity`: a heap with the farthest at its top.
template <class Number, int capacity>
class LongList {
 public:
  static constexpr int longest = capacity;
  LongList() = default;
  KDSCOPE_HD LongList(int k, Number bound) : k_(k) {
    for (int i = 0; i < k; ++i) at_[i] = {bound, {no_id}};
  }
  KDSCOPE_HD int k() const { return k_; }
  KDSCOPE_HD Number reach() const { return at_[0].distance; }
  KDSCOPE_HD static Number with(Number distance, Number difference) { return distance + difference * difference; }
  KDSCOPE_HD static Number combined(Number one, Number other) { return one + other; }
  /// Work O(log k).
  KDSCOPE_HD bool take(Number distance, PointId point) {
    const Neighbour<Number> taken{distance, point};
    if (!taken.precedes(at_[0])) return false;
    sink(taken, k_);
    return true;
  }
  /// Calls each(rank, neighbour) for ranks 0 to k - 1. Sorts the list: it is of no use afterwards.
  template <class Each>
  KDSCOPE_HD void for_each(Each each) {
    for (int last = k_ - 1; last > 0; --last) {
      const Neighbour<Number> moved = at_[last];
      at_[last] = at_[0];
      sink(moved, last);
    }
    for (int i = 0; i < k_; ++i) each(i, at_[i]);
  }

 private:
  /// Replaces the top of the heap's first `size` entries.
  KDSCOPE_HD void sink(Neighbour<Number> entry, int size) {
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && at_[child].precedes(at_[child + 1])) ++child;
      if (!entry.precedes(at_[child])) break;
      at_[at] = at_[child];
      at = child;
    }
    at_[at] = entry;
  }

  Neighbour<Number> at_[capacity];
  int k_;
};

/// The first hit that a search comes to, whichever it is. Afterwards nothing is within reach.
template <class Number>
class AnyHit {
 public:
  AnyHit() = default;
  KDSCOPE_HD AnyHit(int, Number bound) : hit_{bound, {no_id}} {}
  KDSCOPE_HD Number reach() const { return hit_.point.value == no_id ? hit_.distance : Number(-1); }
  KDSCOPE_HD bool take(Number distance, PointId item) {
    hit_ = {distance, item};
    return true;
  }
  template <class Each>
  KDSCOPE_HD void for_each(Each each) {
    each(0, hit_);
  }

 private:
  Neighbour<Number> hit_;
};

}  // namespace kdscope::queries
