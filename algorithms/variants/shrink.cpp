#include "algorithms/variants/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "algorithms/core/hash.hpp"

namespace kdscope::variants {
namespace {

using Clock = std::chrono::steady_clock;
using Elements = std::vector<std::uint32_t>;

constexpr std::size_t first_sample = 8, most_small_samples = 1024, most_large_samples = 20'000;
constexpr std::size_t most_sorted = 4'000'000;
constexpr std::uint32_t sampled_dimensions = 4;
constexpr double most_exact_integer = 1 << 24;  // of a float

std::size_t size_of(const DataSet& data) {
  return data.triangles.empty() ? data.points.size() : data.triangles.size() / 3;
}

std::uint32_t word_of_value(double value, ScalarType type) {
  return type == ScalarType::int32 ? word_of(static_cast<std::int32_t>(value)) : word_of(static_cast<float>(value));
}

std::uint64_t digest_of_data(const DataSet& data) {
  std::uint64_t hash = mix64(data.points.words.size() + 1);
  for (const std::uint32_t word : data.points.words) hash = mix64(hash + 0x9e3779b97f4a7c15ull + word);
  for (const std::uint32_t corner : data.triangles) hash = mix64(hash + 0xbf58476d1ce4e5b9ull + corner);
  return hash;
}

/// The place of an element along a dimension: a point's coordinate, or a triangle's smallest one.
std::uint32_t key_of(const DataSet& data, std::uint32_t element, std::uint32_t d) {
  const PointSet& points = data.points;
  const auto key = [&](std::size_t point) { return ordered_key(points.word(point, d), points.type); };
  if (data.triangles.empty()) return key(element);
  const std::uint32_t* corners = data.triangles.data() + std::size_t(3) * element;
  return std::min({key(corners[0]), key(corners[1]), key(corners[2])});
}

/// Thrown when the time is over or a stop is requested.
struct Ended {};

/// Small parts of a data set in which a failure is likely to be found.
class Samples {
 public:
  explicit Samples(const DataSet& data) : data_(data), size_(size_of(data)) {
    const std::uint32_t dim = data.points.dim;
    if (size_ > most_sorted) return;
    for (std::uint32_t first = 0; first < std::min(dim, sampled_dimensions); ++first) {
      // Sort by the coordinates from `first` on, cyclically: equal coordinates and equal points become neighbours.
      Order order;
      order.elements.resize(size_);
      std::iota(order.elements.begin(), order.elements.end(), 0u);
      const auto differs = [&](std::uint32_t a, std::uint32_t b, std::uint32_t dimensions) {
        for (std::uint32_t k = 0; k < dimensions; ++k)
          if (key_of(data, a, (first + k) % dim) != key_of(data, b, (first + k) % dim)) return k;
        return dim;
      };
      std::ranges::sort(order.elements, [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t k = differs(a, b, dim);
        if (k == dim) return a < b;
        return key_of(data, a, (first + k) % dim) < key_of(data, b, (first + k) % dim);
      });
      order.equal_coordinate =
          longest_run(order.elements, [&](std::uint32_t a, std::uint32_t b) { return differs(a, b, 1) == dim; });
      order.equal_elements =
          longest_run(order.elements, [&](std::uint32_t a, std::uint32_t b) { return differs(a, b, dim) == dim; });
      orders_.push_back(std::move(order));
    }
  }

  /// Samples of m elements, m < size, as ascending indices; `few`: half of them.
  std::vector<Elements> of(std::size_t m, bool few) const {
    std::vector<Elements> samples;
    Elements even(m);
    for (std::size_t i = 0; i < m; ++i) even[i] = static_cast<std::uint32_t>(i * size_ / m);
    samples.push_back(std::move(even));
    samples.push_back(random(m, 1));
    for (const Order& order : orders_) {
      samples.push_back(window(order.elements, order.equal_coordinate, m));
      if (!few && order.equal_elements != order.equal_coordinate)
        samples.push_back(window(order.elements, order.equal_elements, m));
      if (few) break;
    }
    Elements all(size_);
    std::iota(all.begin(), all.end(), 0u);
    samples.push_back(window(all, mix64(m) % size_, m));
    if (few) return samples;
    samples.push_back(random(m, 2));
    for (const Order& order : orders_) samples.push_back(window(order.elements, mix64(m + 7) % size_, m));
    return samples;
  }

 private:
  struct Order {
    Elements elements;                                     ///< sorted
    std::size_t equal_coordinate = 0, equal_elements = 0;  ///< where the longest runs of these begin
  };

  template <class Equal>
  static std::size_t longest_run(const Elements& elements, Equal equal) {
    std::size_t longest = 0, at = 0;
    for (std::size_t begin = 0, end = 0; begin < elements.size(); begin = end) {
      for (end = begin + 1; end < elements.size() && equal(elements[begin], elements[end]);) ++end;
      if (end - begin > longest) longest = end - begin, at = begin;
    }
    return at;
  }
  Elements random(std::size_t m, std::uint64_t seed) const {
    // Keep the m elements with the smallest hashes.
    std::vector<std::pair<std::uint64_t, std::uint32_t>> drawn(size_);
    for (std::uint32_t i = 0; i < size_; ++i) drawn[i] = {mix64(mix64(seed) + i), i};
    std::ranges::nth_element(drawn, drawn.begin() + static_cast<std::ptrdiff_t>(m));
    Elements sample;
    for (std::size_t i = 0; i < m; ++i) sample.push_back(drawn[i].second);
    std::ranges::sort(sample);
    return sample;
  }
  Elements window(const Elements& elements, std::size_t begin, std::size_t m) const {
    begin = std::min(begin, size_ - m);
    Elements sample(elements.begin() + static_cast<std::ptrdiff_t>(begin),
                    elements.begin() + static_cast<std::ptrdiff_t>(begin + m));
    std::ranges::sort(sample);
    return sample;
  }

  const DataSet& data_;
  std::size_t size_;
  std::vector<Order> orders_;
};

/// The search. best() always failed in a test.
class Search {
 public:
  Search(const DataSet& original, const FailureTest& test, const ShrinkOptions& options)
      : original_(original), test_(test), options_(options), end_(begin_ + options.time) {}

  void run() {
    find_failing_part();
    // Simpler coordinates may let further elements go, and the fewer there are, the smaller are their ranks.
    for (std::size_t before = 0; before != digest_of_data(best_->data);) {
      before = digest_of_data(best_->data);
      remove_elements();
      simplify();
    }
    minimal_ = true;
  }

  /// Tests the result once more. Throws if it passes this time.
  void confirm() {
    if (run_test(best_->data)) return;
    throw ErrorException({ErrorKind::failed_check, "the same data set fails in one test and passes in another", "",
                          "remove what changes from run to run, such as memory that is read before it is written"});
  }

  bool found() const { return best_.has_value(); }
  Shrunk result() && {
    return {std::move(best_->data),
            std::move(best_->elements),
            size_of(original_),
            tests_,
            std::chrono::duration<double>(Clock::now() - begin_).count(),
            minimal_};
  }

 private:
  struct Candidate {
    DataSet data;
    Elements elements;
  };

  bool run_test(const DataSet& data) {
    ++tests_;
    const auto failed = test_(data);
    if (!failed && failed.error().kind == ErrorKind::cancelled && options_.stop.stop_requested()) throw Ended();
    if (!failed && failed.error().kind != ErrorKind::bad_input) throw ErrorException(failed.error());
    if (!failed) last_rejection_ = failed.error();
    return failed && *failed;
  }

  /// Returns whether a candidate fails, which then is the best one so far.
  bool take_if_failing(Candidate candidate) {
    if (options_.stop.stop_requested() || Clock::now() >= end_) throw Ended();
    const std::uint64_t key = digest_of_data(candidate.data);
    const auto known = results_.find(key);
    const bool failed = known != results_.end() ? known->second : run_test(candidate.data);
    if (failed) best_ = std::move(candidate);
    if (known == results_.end()) {
      results_[key] = failed;
      if (options_.progress) options_.progress({tests_, best_ ? best_->elements.size() : size_of(original_)});
    }
    return failed;
  }

  void find_failing_part() {
    const std::size_t size = size_of(original_);
    std::optional<Samples> samples;
    for (std::size_t m = first_sample; m < size && m <= most_large_samples; m *= m < most_small_samples ? 2 : 4) {
      if (!samples) samples.emplace(original_);
      for (Elements& sample : samples->of(m, m > most_small_samples))
        if (take_if_failing({subset_of(original_, sample), std::move(sample)})) return;
    }
    Elements all(size);
    std::iota(all.begin(), all.end(), 0u);
    last_rejection_.reset();
    if (take_if_failing({original_, std::move(all)})) return;
    if (last_rejection_) throw ErrorException(*last_rejection_);
    throw ErrorException(
        {ErrorKind::bad_input, "nothing fails on this data set", original_.name, "choose one on which it fails"});
  }

  /// Removes chunks of elements: halves, then quarters, ... and single ones, until no single one can be removed.
  void remove_elements() {
    std::size_t chunk = std::max<std::size_t>(best_->elements.size() / 2, 1);
    for (;;) {
      bool removed = false;
      for (std::size_t at = 0; at < best_->elements.size();) {
        if (best_->elements.size() > chunk && remove(at, std::min(at + chunk, best_->elements.size())))
          removed = true;
        else
          at += chunk;
      }
      if (chunk == 1 && !removed) return;
      // What was removed may have kept earlier chunks from being removed.
      if (!removed) chunk = std::max<std::size_t>(chunk / 2, 1);
      chunk = std::min(chunk, std::max<std::size_t>(best_->elements.size() / 2, 1));
    }
  }

  bool remove(std::size_t begin, std::size_t end) {
    Elements kept(best_->elements.size()), elements = best_->elements;
    std::iota(kept.begin(), kept.end(), 0u);
    for (Elements* list : {&kept, &elements})
      list->erase(list->begin() + static_cast<std::ptrdiff_t>(begin), list->begin() + static_cast<std::ptrdiff_t>(end));
    return take_if_failing({subset_of(best_->data, kept), std::move(elements)});
  }

  /// The different values of a dimension, ascending.
  std::vector<double> values_of(std::uint32_t d) const {
    const PointSet& points = best_->data.points;
    std::vector<double> values(points.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = points.value(i, d);
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
  }

  static void replace(PointSet& points, std::uint32_t d, const std::vector<double>& from,
                      const std::vector<double>& to) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto at = std::ranges::lower_bound(from, points.value(i, d)) - from.begin();
      points.words[i * points.stride() + d] = word_of_value(to[static_cast<std::size_t>(at)], points.type);
    }
  }

  /// Tries other values of a dimension, which must be of the same order.
  bool try_values(std::uint32_t d, const std::vector<double>& from, const std::vector<double>& to) {
    Candidate candidate = *best_;
    replace(candidate.data.points, d, from, to);
    return take_if_failing(std::move(candidate));
  }

  static std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<double> ranks(values.size());
    std::iota(ranks.begin(), ranks.end(), 0.0);
    return ranks;
  }

  void simplify() {
    const std::uint32_t dim = best_->data.points.dim;
    if (best_->data.points.size() > most_exact_integer) return;
    Candidate ranked = *best_;
    for (std::uint32_t d = 0; d < dim; ++d) {
      const std::vector<double> values = values_of(d);
      replace(ranked.data.points, d, values, ranks_of(values));
    }
    if (take_if_failing(std::move(ranked))) return;
    // A failure may depend on the order of values of different dimensions.
    std::vector<double> all;
    for (std::uint32_t d = 0; d < dim; ++d) {
      const std::vector<double> values = values_of(d);
      all.insert(all.end(), values.begin(), values.end());
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    Candidate together = *best_;
    for (std::uint32_t d = 0; d < dim; ++d) replace(together.data.points, d, all, ranks_of(all));
    if (take_if_failing(std::move(together))) return;
    for (std::uint32_t d = 0; d < dim; ++d) simplify_dimension(d);
  }

  /// Ranks; if these do not fail, integers in proportion to the values, then each integer as small as it can be.
  void simplify_dimension(std::uint32_t d) {
    const std::vector<double> values = values_of(d);
    if (values.empty() || try_values(d, values, ranks_of(values))) return;
    const auto whole = [](double value) { return value >= 0 && value == std::trunc(value); };
    if (!std::ranges::all_of(values, whole) || values.back() > 10) {
      const double range = values.back() - values.front();
      for (double scale = 10; range > 0 && scale <= 1e6; scale *= 10) {
        std::vector<double> scaled;
        for (const double value : values) scaled.push_back(std::round((value - values.front()) / range * scale));
        const bool same_order = std::ranges::adjacent_find(scaled, std::greater_equal<>()) == scaled.end();
        if (!same_order || (std::ranges::all_of(values, whole) && scaled.back() >= values.back())) continue;
        if (try_values(d, values, scaled)) break;
      }
    }
    lower_values(d);
  }

  /// Lowers each integer of a dimension, from the smallest on, as long as it stays above the one before it.
  void lower_values(std::uint32_t d) {
    std::vector<double> values = values_of(d);
    const auto whole = [](double value) { return value >= 0 && value == std::trunc(value); };
    if (!std::ranges::all_of(values, whole)) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      // The smallest integer that fails, by bisection; those below may fail as well, but need not.
      double low = i == 0 ? 0 : values[i - 1] + 1;
      while (low < values[i]) {
        std::vector<double> lowered = values;
        lowered[i] = low;
        if (try_values(d, values, lowered)) {
          values = lowered;
        } else {
          const double middle = std::floor((low + values[i]) / 2);
          low = middle > low ? middle : low + 1;
        }
      }
    }
  }

  const DataSet& original_;
  const FailureTest& test_;
  const ShrinkOptions& options_;
  const Clock::time_point begin_ = Clock::now();
  const Clock::time_point end_;
  std::optional<Candidate> best_;
  std::optional<Error> last_rejection_;
  std::unordered_map<std::uint64_t, bool> results_;  // of tests, by the data's digest
  std::size_t tests_ = 0;
  bool minimal_ = false;
};

}  // namespace

DataSet subset_of(const DataSet& data, const std::vector<std::uint32_t>& elements) {
  DataSet subset = {data.name, {}, {}, data.column_names, data.up_axis, data.provenance};
  subset.points = {data.points.type, data.points.dim, data.points.payload_words, {}};
  const auto add_point = [&](std::size_t point) {
    const auto first = data.points.words.begin() + static_cast<std::ptrdiff_t>(point * data.points.stride());
    subset.points.words.insert(subset.points.words.end(), first, first + data.points.stride());
  };
  if (data.triangles.empty()) {
    for (const std::uint32_t element : elements) add_point(element);
    return subset;
  }
  Elements vertices;
  for (const std::uint32_t element : elements)
    for (std::size_t corner = 0; corner < 3; ++corner)
      vertices.push_back(data.triangles[std::size_t(3) * element + corner]);
  subset.triangles = vertices;
  std::ranges::sort(vertices);
  vertices.erase(std::ranges::unique(vertices).begin(), vertices.end());
  for (const std::uint32_t vertex : vertices) add_point(vertex);
  for (std::uint32_t& corner : subset.triangles)
    corner = static_cast<std::uint32_t>(std::ranges::lower_bound(vertices, corner) - vertices.begin());
  return subset;
}

Result<Shrunk> shrink(const DataSet& data, const FailureTest& fails, const ShrinkOptions& options) try {
  if (size_of(data) == 0)
    return Error{ErrorKind::bad_input, "the data set is empty", data.name, "choose one with points or triangles"};
  Search search(data, fails, options);
  try {
    search.run();
    search.confirm();
  } catch (const Ended&) {
    if (!search.found())
      return Error{
          ErrorKind::cancelled,
          options.stop.stop_requested() ? "stopped on request before a test failed" : "no test failed within the time",
          data.name, options.stop.stop_requested() ? "" : "allow more time, or use fewer points"};
  }
  return std::move(search).result();
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the subsets do not fit in memory", data.name, "use fewer points"};
}

}  // namespace kdscope::variants
