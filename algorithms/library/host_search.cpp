#include "algorithms/library/host_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/exec/devices.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/library/internals.hpp"
#include "algorithms/queries/morton.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope::library {
namespace {

/// A bucket has at most this many points.
constexpr std::uint32_t most_in_bucket = 32;
/// From so many queries on, they are served along a curve: below, sorting costs more than the caches return.
constexpr std::size_t least_sorted = 2048;
/// A stop request is looked for after so many queries.
constexpr std::uint32_t queries_between_stops = 256;
/// Up to this k, a sorted list is faster than a heap.
constexpr std::size_t longest_sorted_list = 32;

// ---- Distances
// -------------------------------------------------------------------------------------------------------

// A norm adds one dimension after another to a sum, which grows with every difference, also when rounded: so a box
// never seems farther than its points.

struct Euclidean {
  static double with(double sum, double difference) { return sum + difference * difference; }
  static double distance(double sum) { return std::sqrt(sum); }
  static double sum_at(double distance) { return distance * distance; }
};
struct SumOfSizes {
  static double with(double sum, double difference) { return sum + std::abs(difference); }
  static double distance(double sum) { return sum; }
  static double sum_at(double distance) { return distance; }
};
struct LargestSize {
  static double with(double sum, double difference) { return std::max(sum, std::abs(difference)); }
  static double distance(double sum) { return sum; }
  static double sum_at(double distance) { return distance; }
};
struct PowerSum {
  double p;
  double with(double sum, double difference) const { return sum + std::pow(std::abs(difference), p); }
  double distance(double sum) const { return std::pow(sum, 1 / p); }
  double sum_at(double distance) const { return std::pow(distance, p); }
};

/// The sum of a norm at a radius; -1, within which nothing lies, for negative ones.
template <class Norm>
double reach_of(const Norm& norm, double radius) {
  return radius < 0 ? -1 : norm.sum_at(radius);
}

/// Returns a sum of a box as it may be compared with those of points: the powers of a library may not grow with every
/// last bit of their argument.
template <class Norm>
double least_sum(double sum) {
  return std::is_same_v<Norm, PowerSum> ? sum * (1 - 0x1p-40) : sum;
}
template <class Norm>
double greatest_sum(double sum) {
  return std::is_same_v<Norm, PowerSum> ? sum * (1 + 0x1p-40) : sum;
}

/// Calls work(norm) with the norm of Minkowski's p.
template <class Work>
void with_norm(double p, Work work) {
  if (p == 2) return work(Euclidean());
  if (p == 1) return work(SumOfSizes());
  if (std::isinf(p)) return work(LargestSize());
  work(PowerSum{p});
}

// ---- Points in buckets
// -----------------------------------------------------------------------------------------------

/// Points in the order of a tree, cut into 2^level buckets. Boxes are in level order: those below box i are 2i + 1 and
/// 2i + 2, and the last ones are those of the buckets.
template <class Number>
struct Buckets {
  std::uint32_t n = 0, dim = 0;
  int level = 0;
  std::vector<std::uint32_t> starts;  ///< [buckets + 1] the position of each bucket's first point
  std::vector<Number> coordinates;    ///< by bucket, in it by dimension: a bucket of m points has [dim][m]
  std::vector<std::uint32_t> points;  ///< [n] original indices
  std::vector<Number> boxes;          ///< [boxes][2][dim] lower ends, upper ends

  std::uint32_t bucket_count() const { return 1u << level; }
  std::uint32_t first_bucket_box() const { return bucket_count() - 1; }
  std::uint32_t box_count() const { return n == 0 ? 0 : 2 * bucket_count() - 1; }
  const Number* box(std::uint32_t i) const { return boxes.data() + std::size_t(i) * 2 * dim; }
  /// Returns the positions of the points in a box.
  std::pair<std::uint32_t, std::uint32_t> positions(std::uint32_t i) const {
    const int above = std::bit_width(i + 1) - 1, below = level - above;
    const std::uint32_t first = (i + 1 - (1u << above)) << below;
    return {starts[first], starts[first + (1u << below)]};
  }
};

/// Returns where buckets begin. A left-balanced tree is cut between the sub-trees of one level, each with the inner
/// node that follows it in order; other orders into equal parts.
std::vector<std::uint32_t> starts_of_buckets(std::uint32_t n, int level, bool left_balanced) {
  const std::uint32_t buckets = 1u << level;
  std::vector<std::uint32_t> starts(buckets + 1, n);
  starts[0] = 0;
  for (std::uint32_t bucket = 1; bucket < buckets; ++bucket)
    starts[bucket] = left_balanced ? in_order_begin({full_tree_size(level) + bucket}, n)
                                   : static_cast<std::uint32_t>(std::uint64_t(n) * bucket >> level);
  return starts;
}

/// Cuts points, given by their order. from: [n * dim].
template <class Number>
Buckets<Number> cut(const Number* from, std::uint32_t dim, std::vector<std::uint32_t> order, bool left_balanced) {
  Buckets<Number> cut;
  cut.n = static_cast<std::uint32_t>(order.size());
  cut.dim = dim;
  // A left-balanced sub-tree of five levels has up to 31 points, and the node behind it makes 32.
  const int levels = num_levels(cut.n);
  constexpr int levels_in_bucket = std::bit_width(most_in_bucket) - 1;
  cut.level = levels > levels_in_bucket ? levels - levels_in_bucket : 0;
  cut.points = std::move(order);
  if (cut.n == 0) return cut;
  cut.starts = starts_of_buckets(cut.n, cut.level, left_balanced);
  cut.coordinates.resize(std::size_t(cut.n) * dim);
  cut.boxes.resize(std::size_t(cut.box_count()) * 2 * dim);
  // Copy the points of each bucket, dimension by dimension, and find its box
  for_ranges(cut.bucket_count(), [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t bucket = begin; bucket < end; ++bucket) {
      const std::uint32_t first = cut.starts[bucket], count = cut.starts[bucket + 1] - first;
      Number* const to = cut.coordinates.data() + std::size_t(first) * dim;
      for (std::uint32_t i = 0; i < count; ++i) {
        const Number* const point = from + std::size_t(cut.points[first + i]) * dim;
        for (std::uint32_t d = 0; d < dim; ++d) to[std::size_t(d) * count + i] = point[d];
      }
      Number* const box = cut.boxes.data() + std::size_t(cut.first_bucket_box() + bucket) * 2 * dim;
      for (std::uint32_t d = 0; d < dim; ++d) {
        const auto [low, high] = std::minmax_element(to + std::size_t(d) * count, to + std::size_t(d + 1) * count);
        box[d] = *low, box[dim + d] = *high;
      }
    }
  });
  // Join the boxes of each level into those of the level above
  for (int above = cut.level - 1; above >= 0; --above)
    for_ranges(1u << above, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = (1u << above) - 1 + begin; i < (1u << above) - 1 + end; ++i) {
        Number* const box = cut.boxes.data() + std::size_t(i) * 2 * dim;
        const Number *const left = cut.box(2 * i + 1), *const right = cut.box(2 * i + 2);
        for (std::uint32_t d = 0; d < dim; ++d)
          box[d] = std::min(left[d], right[d]), box[dim + d] = std::max(left[dim + d], right[dim + d]);
      }
    });
  return cut;
}

// ---- Walks
// -----------------------------------------------------------------------------------------------------------

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

/// Copies a query's coordinates as doubles.
void read_query(const HostPoints& queries, std::size_t query, double* to) {
  const std::size_t dim = queries.dimensions;
  const auto copy = [&]<class Number>(const Number* from) { std::copy_n(from + query * dim, dim, to); };
  switch (queries.type) {
    case NumberType::float32:
      return copy(static_cast<const float*>(queries.coordinates));
    case NumberType::int32:
      return copy(static_cast<const std::int32_t*>(queries.coordinates));
    case NumberType::float64:
      return copy(static_cast<const double*>(queries.coordinates));
  }
}

// ---- Pairs
// -----------------------------------------------------------------------------------------------------------

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
WeighedBuckets weighed(const Buckets<double>& buckets, std::span<const double> weights) {
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
  /// Returns the place of a sum among the reaches [first, last).
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

// ---- Requests
// --------------------------------------------------------------------------------------------------------

Error bad(std::string what, const char* where, std::string remedy) {
  return {ErrorKind::bad_input, std::move(what), where, std::move(remedy)};
}

/// Checks that there is a whole number of points, and that their coordinates are finite.
Result<void> check_points(const HostPoints& points, const char* where) {
  if (points.dimensions == 0 || points.count % points.dimensions != 0)
    return bad(count_text(points.count, "coordinate is", "coordinates are") + " no whole number of points of " +
                   count_text(points.dimensions, "dimension", "dimensions"),
               where, "give one coordinate per dimension");
  const auto check = [&]<class Number>(const Number* numbers) -> Result<void> {
    // The sum of what is 0 for finite numbers alone, so that the loop has no branch
    Number sum = 0;
    for (std::size_t i = 0; i < points.count; ++i) sum += numbers[i] - numbers[i];
    if (sum == 0) return {};
    std::size_t i = 0;
    while (std::isfinite(numbers[i])) ++i;
    return bad("coordinate " + std::to_string(i % points.dimensions) + " of point " +
                   std::to_string(i / points.dimensions) + " must be finite, and is " + shortest(double(numbers[i])),
               where, "remove the point");
  };
  if (points.type == NumberType::float32) return check(static_cast<const float*>(points.coordinates));
  if (points.type == NumberType::float64) return check(static_cast<const double*>(points.coordinates));
  return {};
}

/// Returns points as builders take them. float64: with the widest side of their box scaled to 1, and rounded to float.
PointSet image_of(const HostPoints& points) {
  PointSet image;
  image.type = points.type == NumberType::int32 ? ScalarType::int32 : ScalarType::float32;
  image.dim = points.dimensions;
  image.words.resize(points.count);
  if (points.type != NumberType::float64) {
    if (points.count > 0) std::memcpy(image.words.data(), points.coordinates, 4 * points.count);
    return image;
  }
  const auto* const from = static_cast<const double*>(points.coordinates);
  const std::size_t dim = points.dimensions, n = points.size();
  std::vector<double> low(from, from + (n > 0 ? dim : 0)), high = low;
  for (std::size_t i = 0; i < points.count; i += dim)
    for (std::size_t d = 0; d < dim; ++d) {
      low[d] = std::min(low[d], from[i + d]);
      high[d] = std::max(high[d], from[i + d]);
    }
  // Halves keep the difference of huge coordinates finite
  double widest = 0;
  for (std::size_t d = 0; d < low.size(); ++d) widest = std::max(widest, high[d] / 2 - low[d] / 2);
  if (widest == 0) widest = 1;
  for_ranges(static_cast<std::uint32_t>(n), [&](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = begin * dim; i < end * dim; i += dim)
      for (std::size_t d = 0; d < dim; ++d)
        image.words[i + d] = word_of(static_cast<float>((from[i + d] / 2 - low[d] / 2) / widest));
  });
  return image;
}

/// Runs work(begin, end) for ranges that together cover [0, n), on one thread or on those of the group that is entered.
template <class Work>
void run_on_host(std::uint32_t n, const HostOptions& options, const Work& work) {
  const auto with_stops = [&](std::uint32_t begin, std::uint32_t end) {
    for (; begin < end; begin += std::min(end - begin, queries_between_stops)) {
      if (options.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
      work(begin, begin + std::min(end - begin, queries_between_stops));
    }
  };
  if (options.threads <= 1)
    with_stops(0, n);
  else
    for_ranges(n, with_stops);
}

/// Returns whether work has to be confined to some threads: entering a group of them takes longer than a small search.
bool is_confined(const HostOptions& options, std::size_t queries) {
  return options.threads < usable_threads() && (options.threads > 1 || queries >= least_sorted);
}

Result<void> check_norm(const HostOptions& options) {
  if (options.p >= 1) return {};
  return bad("p is " + shortest(options.p), "", "give 1, 2, infinity or another number from 1 on");
}

}  // namespace

struct HostSearch::State {
  std::variant<Buckets<float>, Buckets<std::int32_t>, Buckets<double>> buckets;
  std::string builder;
  double build_ms = 0;
  std::vector<double> lower, upper;
  std::uint32_t n = 0, dim = 0;
  const void* source = nullptr;  ///< where the points were, compared and never read

  /// Checks queries and options.
  Result<void> check(const HostPoints& queries, const HostOptions& options) const {
    if (queries.dimensions != dim)
      return bad("the queries have " + count_text(queries.dimensions, "dimension", "dimensions") + ", and the points " +
                     std::to_string(dim),
                 "the queries", "give queries of as many dimensions");
    if (auto finite = check_points(queries, "the queries"); !finite) return finite;
    return check_norm(options);
  }

  /// Returns the order in which many queries are served; empty for few, which are served as given.
  std::vector<std::uint32_t> order_of(const HostPoints& queries) const {
    const auto count = static_cast<std::uint32_t>(queries.size());
    if (count < least_sorted) return {};
    if (queries.coordinates == source && count == n)
      return std::visit([](const auto& in) { return in.points; }, buckets);
    CpuExec exec;
    queries::KeyOrder<CpuExec> sorted(exec, count);
    const PointsOnDevice<CpuExec> image = upload_points(exec, image_of(queries));
    const std::uint32_t* const order = image.type == ScalarType::float32
                                           ? queries::sort_along_curve<float>(exec, sorted, image)
                                           : queries::sort_along_curve<double>(exec, sorted, image);
    return {order, order + count};
  }

  /// Serves queries: calls serve(walk, norm, query, place) with a walk of the thread's own and a place that it keeps,
  /// which make() returned.
  template <class Make, class Serve>
  Result<void> serve(const HostPoints& queries, const HostOptions& options, Make make, Serve serve) const {
    try {
      auto on_host = [&] {
        const std::vector<std::uint32_t> order = order_of(queries);
        with_norm(options.p, [&](const auto& norm) {
          std::visit(
              [&](const auto& in) {
                with_walk(in, norm, [&](const auto& walk) {
                  run_on_host(static_cast<std::uint32_t>(queries.size()), options,
                              [&](std::uint32_t begin, std::uint32_t end) {
                                auto own = walk;
                                auto place = make(begin, end);
                                std::vector<double> query(dim);
                                for (std::uint32_t i = begin; i < end; ++i) {
                                  const std::uint32_t served = order.empty() ? i : order[i];
                                  read_query(queries, served, query.data());
                                  serve(own, norm, query.data(), served, place);
                                }
                              });
                });
              },
              buckets);
        });
      };
      if (is_confined(options, queries.size()))
        on_threads(options.threads, on_host);
      else
        on_host();
      return {};
    } catch (const ErrorException& e) {
      return e.error();
    }
  }
};

Result<HostSearch> HostSearch::build(const HostPoints& points, const BuildOptions& options) {
  if (auto good = check_points(points, "the points"); !good) return good.error();
  auto state = std::make_shared<State>();
  state->n = static_cast<std::uint32_t>(points.size());
  state->dim = points.dimensions;
  state->source = points.coordinates;
  std::vector<std::uint32_t> order(state->n);
  bool left_balanced = false;
  if (state->n > 0) {
    const PointSet image = image_of(points);
    const std::span<const std::uint32_t> words(image.words);
    const auto tree = library::build(
        image.type == ScalarType::float32
            ? Points(std::span(reinterpret_cast<const float*>(words.data()), words.size()), image.dim)
            : Points(std::span(reinterpret_cast<const std::int32_t*>(words.data()), words.size()), image.dim),
        options);
    if (!tree) return tree.error();
    state->builder = tree->builder();
    state->build_ms = tree->build_ms();
    const kdscope::Tree& built = *tree->state().tree;
    left_balanced = built.is<LeftBalancedTree>();
    if (left_balanced) {
      const std::vector<PointId>& point_of_node = built.as<LeftBalancedTree>().point_of_node;
      for_ranges(state->n, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) order[i] = point_of_node[node_in_order(i, state->n).value].value;
      });
    } else {
      order = built.kind().points_in_order(built);
    }
  }
  const auto keep = [&]<class Number>(const Number* from) {
    state->buckets = cut(from, state->dim, std::move(order), left_balanced);
    const auto& box = std::get<Buckets<Number>>(state->buckets).boxes;
    state->lower.assign(state->dim, 0);
    state->upper = state->lower;
    if (state->n == 0) return;
    std::copy_n(box.begin(), state->dim, state->lower.begin());
    std::copy_n(box.begin() + state->dim, state->dim, state->upper.begin());
  };
  switch (points.type) {
    case NumberType::float32:
      keep(static_cast<const float*>(points.coordinates));
      break;
    case NumberType::int32:
      keep(static_cast<const std::int32_t*>(points.coordinates));
      break;
    case NumberType::float64:
      keep(static_cast<const double*>(points.coordinates));
      break;
  }
  return HostSearch(std::move(state));
}

std::size_t HostSearch::size() const { return state_->n; }
std::uint32_t HostSearch::dimensions() const { return state_->dim; }
std::size_t HostSearch::box_count() const {
  return std::visit([](const auto& in) -> std::size_t { return in.box_count(); }, state_->buckets);
}
std::span<const double> HostSearch::lower_ends() const { return state_->lower; }
std::span<const double> HostSearch::upper_ends() const { return state_->upper; }
const std::string& HostSearch::builder() const { return state_->builder; }
double HostSearch::build_ms() const { return state_->build_ms; }

Result<void> HostSearch::nearest_into(const HostPoints& queries, std::size_t k, std::span<std::int64_t> indices,
                                      std::span<double> distances, const HostOptions& options) const {
  if (auto good = state_->check(queries, options); !good) return good;
  if (indices.size() != queries.size() * k || distances.size() != queries.size() * k)
    return bad("the arrays for " + count_text(queries.size() * k, "neighbour", "neighbours") + " have " +
                   std::to_string(indices.size()) + " indices and " + std::to_string(distances.size()) + " distances",
               "", "give arrays of queries times k elements");
  const std::size_t n = state_->n, sought = std::min(k, n);
  if (sought == 0) {
    std::fill(indices.begin(), indices.end(), static_cast<std::int64_t>(n));
    std::fill(distances.begin(), distances.end(), std::numeric_limits<double>::infinity());
    return {};
  }
  return state_->serve(
      queries, options, [&](std::uint32_t, std::uint32_t) { return NearestList(sought); },
      [&](auto& walk, const auto& norm, const double* query, std::uint32_t served, NearestList& list) {
        list.begin(reach_of(norm, options.max_distance));
        walk.nearest(query, list);
        std::size_t at = served * k;
        for (const Candidate& entry : list.finish()) {
          const bool found = entry.point >= 0;
          indices[at] = found ? entry.point : static_cast<std::int64_t>(n);
          distances[at++] = found ? norm.distance(entry.sum) : std::numeric_limits<double>::infinity();
        }
        std::fill(indices.begin() + at, indices.begin() + (served + 1) * k, static_cast<std::int64_t>(n));
        std::fill(distances.begin() + at, distances.begin() + (served + 1) * k,
                  std::numeric_limits<double>::infinity());
      });
}

namespace {

Result<void> check_radii(std::span<const double> radii, std::size_t queries) {
  if (radii.size() != 1 && radii.size() != queries)
    return bad(
        "there are " + count_text(radii.size(), "radius", "radii") + " for " + count_text(queries, "query", "queries"),
        "", "give one for all, or one per query");
  for (const double radius : radii)
    if (std::isnan(radius)) return bad("a radius is NaN", "", "give a number");
  return {};
}

}  // namespace

Result<IndicesWithin> HostSearch::within(const HostPoints& queries, std::span<const double> radii,
                                         const HostOptions& options) const {
  if (auto good = state_->check(queries, options); !good) return good.error();
  if (auto good = check_radii(radii, queries.size()); !good) return good.error();
  // What a thread found for the queries that it served together
  struct Found {
    std::vector<std::uint32_t> queries, indices;
  };
  IndicesWithin result;
  result.offsets.assign(queries.size() + 1, 0);
  std::mutex joining;
  std::vector<std::shared_ptr<Found>> all;
  const auto make = [&](std::uint32_t, std::uint32_t) {
    auto found = std::make_shared<Found>();
    const std::lock_guard lock(joining);
    return all.emplace_back(std::move(found));
  };
  const auto serve = [&](auto& walk, const auto& norm, const double* query, std::uint32_t served,
                         const std::shared_ptr<Found>& found) {
    std::vector<std::uint32_t>& indices = found->indices;
    const std::size_t before = indices.size();
    walk.within(
        query, reach_of(norm, radii[radii.size() == 1 ? 0 : served]),
        [&](const Candidate& candidate) { indices.push_back(static_cast<std::uint32_t>(candidate.point)); },
        [&](const std::uint32_t* first, const std::uint32_t* end) { indices.insert(indices.end(), first, end); });
    if (options.sorted) std::sort(indices.begin() + static_cast<std::ptrdiff_t>(before), indices.end());
    found->queries.push_back(served);
    result.offsets[served + 1] = indices.size() - before;
  };
  if (auto done = state_->serve(queries, options, make, serve); !done) return done.error();
  for (std::size_t query = 0; query < queries.size(); ++query) result.offsets[query + 1] += result.offsets[query];
  result.indices.resize(result.offsets.back());
  for (const auto& found : all) {
    auto from = found->indices.begin();
    for (const std::uint32_t query : found->queries) {
      const auto count = static_cast<std::ptrdiff_t>(result.offsets[query + 1] - result.offsets[query]);
      std::copy_n(from, count, result.indices.begin() + static_cast<std::ptrdiff_t>(result.offsets[query]));
      from += count;
    }
  }
  return result;
}

Result<void> HostSearch::count_into(const HostPoints& queries, std::span<const double> radii,
                                    std::span<std::int64_t> counts, const HostOptions& options) const {
  if (auto good = state_->check(queries, options); !good) return good;
  if (auto good = check_radii(radii, queries.size()); !good) return good;
  if (counts.size() != queries.size())
    return bad("the array for " + count_text(queries.size(), "count has ", "counts has ") +
                   count_text(counts.size(), "element", "elements"),
               "", "give one element per query");
  return state_->serve(
      queries, options, [](std::uint32_t, std::uint32_t) { return 0; },
      [&](auto& walk, const auto& norm, const double* query, std::uint32_t served, int) {
        std::int64_t count = 0;
        walk.within(
            query, reach_of(norm, radii[radii.size() == 1 ? 0 : served]), [&](const Candidate&) { ++count; },
            [&](const std::uint32_t* first, const std::uint32_t* end) { count += end - first; });
        counts[served] = count;
      });
}

namespace {

/// Returns buckets with their numbers as doubles.
template <class Number>
Buckets<double> as_doubles(const Buckets<Number>& in) {
  return {in.n,
          in.dim,
          in.level,
          in.starts,
          std::vector<double>(in.coordinates.begin(), in.coordinates.end()),
          in.points,
          std::vector<double>(in.boxes.begin(), in.boxes.end())};
}

/// Boxes of this level are counted apart, so that threads share the work and sums do not depend on how they do.
constexpr int level_of_tasks = 7;

template <class Count>
Result<std::vector<Count>> pairs(const WeighedBuckets& here, const WeighedBuckets& there, std::span<const double> radii,
                                 const HostOptions& options) {
  if (auto good = check_norm(options); !good) return good.error();
  if (here.buckets->dim != there.buckets->dim)
    return bad("the points have " + count_text(here.buckets->dim, "dimension", "dimensions") + " here, and " +
                   std::to_string(there.buckets->dim) + " there",
               "", "give points of as many dimensions");
  for (std::size_t i = 0; i < radii.size(); ++i)
    if (std::isnan(radii[i]) || (i > 0 && radii[i] < radii[i - 1]))
      return bad("radius " + std::to_string(i) + " is " + shortest(radii[i]) + ", and radii must be non-decreasing", "",
                 "sort them");
  std::vector<Count> sums(radii.size());
  if (radii.empty() || here.buckets->n == 0 || there.buckets->n == 0) return sums;
  auto on_host = [&] {
    with_norm(options.p, [&](const auto& norm) {
      std::vector<double> reaches;
      for (const double radius : radii) reaches.push_back(reach_of(norm, radius));
      const int level = std::min(level_of_tasks, here.buckets->level);
      using Pairs = PairCount<std::remove_cvref_t<decltype(norm)>, Count>;
      std::vector<std::vector<Count>> bins(std::size_t(1) << level);
      run_on_host(1u << level, options, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t task = begin; task < end; ++task) {
          Pairs count{here, there, reaches, norm, options.stop, std::vector<Count>(reaches.size() + 1)};
          count.count((1u << level) - 1 + task, 0, 0, reaches.size());
          bins[task] = std::move(count.bins);
        }
      });
      for (const auto& own : bins)
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += own[i];
    });
  };
  try {
    if (is_confined(options, here.buckets->n))
      on_threads(options.threads, on_host);
    else
      on_host();
  } catch (const ErrorException& e) {
    return e.error();
  }
  return sums;
}

}  // namespace

Result<std::vector<std::uint64_t>> HostSearch::count_pairs(const HostSearch& there, std::span<const double> radii,
                                                           const HostOptions& options) const {
  const auto doubles = [](const auto& in) { return as_doubles(in); };
  const Buckets<double> of_here = std::visit(doubles, state_->buckets),
                        of_there = std::visit(doubles, there.state_->buckets);
  return pairs<std::uint64_t>({&of_here, {}, {}}, {&of_there, {}, {}}, radii, options);
}

Result<std::vector<double>> HostSearch::weigh_pairs(const HostSearch& there, std::span<const double> radii,
                                                    std::span<const double> weights_here,
                                                    std::span<const double> weights_there,
                                                    const HostOptions& options) const {
  const auto fits = [](std::span<const double> weights, const HostSearch& of) {
    return weights.empty() || weights.size() == of.size();
  };
  if (!fits(weights_here, *this) || !fits(weights_there, there))
    return bad("the number of weights is not that of the points", "", "give one weight per point");
  const auto doubles = [](const auto& in) { return as_doubles(in); };
  const Buckets<double> of_here = std::visit(doubles, state_->buckets),
                        of_there = std::visit(doubles, there.state_->buckets);
  return pairs<double>(weighed(of_here, weights_here), weighed(of_there, weights_there), radii, options);
}

}  // namespace kdscope::library
