#pragma once
// Counts pairs of points of two sets of buckets by their distance.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/library/host_buckets.hpp"
#include "algorithms/library/host_norms.hpp"

namespace kdscope::library::host {

/// Buckets with the weights of their points and boxes; of counts, with none.
struct WeighedBuckets {
  const Buckets<double>* buckets;
  std::vector<double> of_points, of_boxes;  ///< by position, by box

  template <class Count>
  Count of_box(std::uint32_t box) const {
    if constexpr (std::is_same_v<Count, double>) return of_boxes[box];
    const auto [first, end] = buckets->positions(box);
    return end - first;
  }
  template <class Count>
  Count of_point(std::uint32_t position) const {
    if constexpr (std::is_same_v<Count, double>) return of_points[position];
    return 1;
  }
};

/// weights: [n] by original index, or empty for 1 each.
inline WeighedBuckets weighed(const Buckets<double>& buckets, std::span<const double> weights) {
  WeighedBuckets weighed{&buckets, std::vector<double>(buckets.n, 1), std::vector<double>(buckets.box_count())};
  if (!weights.empty())
    for (std::uint32_t i = 0; i < buckets.n; ++i) weighed.of_points[i] = weights[buckets.points[i]];
  for (std::uint32_t box = buckets.box_count(); box-- > 0;) {
    double& sum = weighed.of_boxes[box];
    if (box < buckets.first_bucket_box()) {
      sum = weighed.of_boxes[2 * box + 1] + weighed.of_boxes[2 * box + 2];
      continue;
    }
    const auto [first, end] = buckets.positions(box);
    for (std::uint32_t i = first; i < end; ++i) sum += weighed.of_points[i];
  }
  return weighed;
}

/// Counts pairs of points of two sets of buckets by the sums of their distances. Count: std::uint64_t or double.
template <class Norm, class Count>
struct PairCount {
  const WeighedBuckets &here, &there;
  std::span<const double> reaches;  ///< ascending
  Norm norm;
  const std::stop_token& stop;
  std::vector<Count> bins;  ///< [reaches + 1] pairs up to each reach and above the one before; last, those beyond all

  /// Counts the pairs of two boxes. Precondition: their sums lie above reach first - 1 and up to reach last.
  void count(std::uint32_t a, std::uint32_t b, std::size_t first, std::size_t last) {
    const Buckets<double>&in_a = *here.buckets, &in_b = *there.buckets;
    // Pairs whose place is known are not looked at
    const auto [least, greatest] = sums(in_a.box(a), in_b.box(b), in_a.dim);
    first = place(least_sum<Norm>(least), first, last);
    last = place(greatest_sum<Norm>(greatest), first, last);
    if (first == last) {
      bins[first] += here.of_box<Count>(a) * there.of_box<Count>(b);
      return;
    }
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    // Open the box with more points
    const auto [begin_a, end_a] = in_a.positions(a);
    const auto [begin_b, end_b] = in_b.positions(b);
    const bool opens_a = a < in_a.first_bucket_box(), opens_b = b < in_b.first_bucket_box();
    if (opens_a && (!opens_b || end_a - begin_a >= end_b - begin_b)) {
      count(2 * a + 1, b, first, last);
      count(2 * a + 2, b, first, last);
    } else if (opens_b) {
      count(a, 2 * b + 1, first, last);
      count(a, 2 * b + 2, first, last);
    } else {
      for (std::uint32_t i = begin_a; i < end_a; ++i) count_beside(i, begin_a, end_a, begin_b, end_b, first, last);
    }
  }

 private:
  /// Returns the index of the first reach in [first, last) that is not below the sum, or last.
  std::size_t place(double sum, std::size_t first, std::size_t last) const {
    const double* const from = reaches.data();
    return static_cast<std::size_t>(std::lower_bound(from + first, from + last, sum) - from);
  }
  /// Returns the least and the greatest sum of a pair of points in two boxes.
  std::pair<double, double> sums(const double* a, const double* b, std::uint32_t dim) const {
    double least = 0, greatest = 0;
    for (std::uint32_t d = 0; d < dim; ++d) {
      const double before = b[d] - a[dim + d], behind = a[d] - b[dim + d];
      least = norm.with(least, std::max(0.0, std::max(before, behind)));
      greatest = norm.with(greatest, std::max(std::abs(before), std::abs(behind)));
    }
    return {least, greatest};
  }
  /// Counts the pairs of one point with those of a bucket.
  void count_beside(std::uint32_t point, std::uint32_t begin_a, std::uint32_t end_a, std::uint32_t begin_b,
                    std::uint32_t end_b, std::size_t first, std::size_t last) {
    const Buckets<double>&in_a = *here.buckets, &in_b = *there.buckets;
    const std::size_t dim = in_a.dim;
    const double* a = in_a.coordinates.data() + begin_a * dim + (point - begin_a);
    const double* b = in_b.coordinates.data() + begin_b * dim;
    const std::uint32_t count = end_b - begin_b;
    double sums[most_in_bucket] = {};
    for (std::size_t d = 0; d < dim; ++d, a += end_a - begin_a, b += count)
      for (std::uint32_t i = 0; i < count; ++i) sums[i] = norm.with(sums[i], *a - b[i]);
    for (std::uint32_t i = 0; i < count; ++i)
      bins[place(sums[i], first, last)] += here.of_point<Count>(point) * there.of_point<Count>(begin_b + i);
  }
};

}  // namespace kdscope::library::host
