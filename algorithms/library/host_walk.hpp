#pragma once
// Walks through buckets and their boxes to the points near a query.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "algorithms/library/host_buckets.hpp"
#include "algorithms/library/host_norms.hpp"

namespace kdscope::library::host {

/// Up to this k, a sorted list is faster than a heap.
inline constexpr std::size_t longest_sorted_list = 32;

/// A point and the sum of its distance. Ordered by sum, then by index; the index -1 comes before every point.
struct Candidate {
  double sum;
  std::int32_t point;
  bool operator<(const Candidate& other) const { return sum < other.sum || (sum == other.sum && point < other.point); }
};

/// The k nearest so far. It begins with k entries at the bound, which no point at the bound itself replaces.
class NearestList {
 public:
  explicit NearestList(std::size_t k) : entries_(k) {}
  void begin(double bound) { std::fill(entries_.begin(), entries_.end(), Candidate{bound, -1}); }
  double reach() const { return worst().sum; }
  void take(const Candidate& candidate) {
    if (!(candidate < worst())) return;
    if (is_heap()) {
      std::pop_heap(entries_.begin(), entries_.end());
      entries_.back() = candidate;
      std::push_heap(entries_.begin(), entries_.end());
      return;
    }
    std::size_t at = entries_.size() - 1;
    for (; at > 0 && candidate < entries_[at - 1]; --at) entries_[at] = entries_[at - 1];
    entries_[at] = candidate;
  }
  /// Returns the entries in ascending order. Those with the index -1 come last, because they are at the bound.
  const std::vector<Candidate>& finish() {
    if (is_heap()) std::sort_heap(entries_.begin(), entries_.end());
    return entries_;
  }

 private:
  bool is_heap() const { return entries_.size() > longest_sorted_list; }
  const Candidate& worst() const { return is_heap() ? entries_.front() : entries_.back(); }
  std::vector<Candidate> entries_;
};

/// Walks of one thread. dims: the number of dimensions, or 0 if it is known only at run time.
template <class Number, int dims, class Norm>
class Walk {
 public:
  Walk(const Buckets<Number>& in, const Norm& norm) : in_(in), norm_(norm) {}

  /// Finds the nearest points of a query.
  void nearest(const double* query, NearestList& list) {
    Waiting waiting[32];
    int height = 0;
    std::uint32_t box = 0;
    double sum = least(query, 0);
    for (;;) {
      if (sum <= list.reach()) {
        // Go down to the nearer of two boxes, and let the other one wait if it is within reach
        while (box < in_.first_bucket_box()) {
          const std::uint32_t left = 2 * box + 1;
          const double of_left = least(query, left), of_right = least(query, left + 1);
          const bool right = of_right < of_left;
          const double farther = right ? of_left : of_right;
          if (farther <= list.reach()) waiting[height++] = {right ? left : left + 1, farther};
          box = right ? left + 1 : left;
          if ((right ? of_right : of_left) > list.reach()) break;
        }
        if (box >= in_.first_bucket_box())
          scan(
              query, box, [&](const Candidate& candidate) { list.take(candidate); }, [&] { return list.reach(); });
      }
      if (height == 0) return;
      --height;
      box = waiting[height].box;
      sum = waiting[height].sum;
    }
  }

  /// Calls take(candidate) for all points whose sum is at most the reach, in the order of the tree, and all(first, end)
  /// for a range of points that all are, which may be called in place of take().
  template <class Take, class All>
  void within(const double* query, double reach, Take take, All all) {
    std::uint32_t waiting[32];
    int height = 0;
    if (in_.n > 0) waiting[height++] = 0;
    while (height > 0) {
      const std::uint32_t box = waiting[--height];
      if (!(least(query, box) <= reach)) continue;
      if (greatest(query, box) <= reach) {
        const auto [first, end] = in_.positions(box);
        all(in_.points.data() + first, in_.points.data() + end);
      } else if (box < in_.first_bucket_box()) {
        waiting[height++] = 2 * box + 2;
        waiting[height++] = 2 * box + 1;
      } else {
        scan(query, box, take, [&] { return reach; });
      }
    }
  }

 private:
  struct Waiting {
    std::uint32_t box;
    double sum;
  };
  int dim() const { return dims > 0 ? dims : static_cast<int>(in_.dim); }

  double least(const double* query, std::uint32_t i) const {
    const Number* const box = in_.box(i);
    double sum = 0;
    for (int d = 0; d < dim(); ++d) {
      const double below = double(box[d]) - query[d], above = query[d] - double(box[dim() + d]);
      sum = norm_.with(sum, std::max(0.0, std::max(below, above)));
    }
    return least_sum<Norm>(sum);
  }
  double greatest(const double* query, std::uint32_t i) const {
    const Number* const box = in_.box(i);
    double sum = 0;
    for (int d = 0; d < dim(); ++d)
      sum = norm_.with(sum, std::max(std::abs(query[d] - double(box[d])), std::abs(double(box[dim() + d]) - query[d])));
    return greatest_sum<Norm>(sum);
  }
  /// Calls take(candidate) for the points of a bucket within reach().
  template <class Take, class Reach>
  void scan(const double* query, std::uint32_t box, Take take, Reach reach) const {
    const std::uint32_t bucket = box - in_.first_bucket_box(), first = in_.starts[bucket];
    const auto count = static_cast<int>(in_.starts[bucket + 1] - first);
    const Number* at = in_.coordinates.data() + std::size_t(first) * in_.dim;
    double sums[most_in_bucket];
    for (int i = 0; i < count; ++i) sums[i] = norm_.with(0, query[0] - double(at[i]));
    for (int d = 1; d < dim(); ++d) {
      at += count;
      for (int i = 0; i < count; ++i) sums[i] = norm_.with(sums[i], query[d] - double(at[i]));
    }
    for (int i = 0; i < count; ++i)
      if (sums[i] <= reach()) take(Candidate{sums[i], static_cast<std::int32_t>(in_.points[first + i])});
  }

  const Buckets<Number>& in_;
  Norm norm_;
};

/// Calls work(walk) with the walk for these buckets. Kernels with a known number of dimensions are for the usual norm.
template <class Number, class Norm, class Work>
void with_walk(const Buckets<Number>& in, const Norm& norm, Work work) {
  if constexpr (std::is_same_v<Norm, Euclidean>) {
    if (in.dim == 2) return work(Walk<Number, 2, Norm>(in, norm));
    if (in.dim == 3) return work(Walk<Number, 3, Norm>(in, norm));
  }
  work(Walk<Number, 0, Norm>(in, norm));
}

}  // namespace kdscope::library::host
