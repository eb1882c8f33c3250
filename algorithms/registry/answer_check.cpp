#include "algorithms/registry/answer_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/core/all_threads.hpp"
#include "algorithms/core/two_doubles.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {
namespace {

constexpr double no_reach = std::numeric_limits<double>::infinity();

/// An interval that holds what a search may compute for an exact number.
struct Allowed {
  double least = 0, most = 0;
  bool is_exact() const { return least == most; }
};

/// The numbers in which a search computes.
struct SearchNumbers {
  bool floats;
  double rounding() const { return floats ? 0x1p-24 : 0x1p-53; }
  /// Whether the search's number type holds a sum without rounding.
  bool holds(TwoDoubles exact) const {
    return exact.low == 0 && (!floats || static_cast<double>(static_cast<float>(exact.high)) == exact.high);
  }
};

/// The distances of one query, computed apart from the searches: squared ones, but for other metrics than the
/// Euclidean.
class SquaredDistances {
 public:
  SquaredDistances(const SearchRequest& request, std::size_t query, const PointSet& points)
      : points_(points),
        takes_largest_(is_about_boxes(request.question) || request.measure.metric == Metric::maximum),
        squares_(request.measure.metric == Metric::euclidean),
        numbers_{points.type == ScalarType::float32} {
    for (std::uint32_t d = 0; d < points.dim; ++d) query_.push_back(request.queries->points.value(query, d));
    for (const double side : request.measure.period)
      period_.push_back(numbers_.floats ? double{static_cast<float>(side)} : side);
  }
  /// Returns a distance in double, off by less than 2^-48 of it and of the periods.
  double near(std::uint32_t point) const {
    double sum = 0;
    for (std::uint32_t d = 0; d < points_.dim; ++d) {
      double size = std::abs(query_[d] - points_.value(point, d));
      if (!period_.empty()) size = std::min(size, period_[d] - size);
      const double term = squares_ ? size * size : size;
      sum = takes_largest_ ? std::max(sum, term) : sum + term;
    }
    return sum;
  }
  /// Returns what a search may compute. Sums of fewer than 64 terms without any rounding allow one number alone.
  Allowed allowed(std::uint32_t point) const {
    TwoDoubles sum, least, most;
    bool exact = points_.dim < 64 || takes_largest_;
    const auto add = [&](TwoDoubles& to, TwoDoubles size) {
      const TwoDoubles term = squares_ ? size * size : size;
      if (!takes_largest_)
        to = to + term;
      else if (term.high > to.high)
        to = term;
      return term;
    };
    for (std::uint32_t d = 0; d < points_.dim; ++d) {
      TwoDoubles size = TwoDoubles::sum(query_[d], -points_.value(point, d));
      if (size.high < 0) size = {-size.high, -size.low};
      exact = exact && numbers_.holds(size);
      // The other way around, a rounded difference is taken from a period that may be much longer than the rest.
      double rounded = 0;
      if (!period_.empty()) {
        rounded = size.high * numbers_.rounding();
        const TwoDoubles around = TwoDoubles{period_[d], 0} - size;
        if (around.high < size.high) size = around;
        exact = exact && numbers_.holds(size);
      }
      const TwoDoubles term = add(sum, size);
      exact = exact && numbers_.holds(term) && numbers_.holds(sum);
      add(least, {std::max(0.0, size.high - rounded), 0});
      add(most, {size.high + rounded, 0});
    }
    if (exact) return {sum.high, sum.high};
    const double share = (points_.dim + 3) * numbers_.rounding();
    // Below the normal numbers, roundings are absolute.
    const double least_step = numbers_.floats ? points_.dim * 0x1p-148 : 0;
    return {std::min(sum.high, least.high) * (1 - share) - least_step,
            std::max(sum.high, most.high) * (1 + share) + least_step};
  }
  /// Whether two points differ from the query alike in every dimension, so that their distances are the same numbers.
  bool are_alike(std::uint32_t one, std::uint32_t other) const {
    for (std::uint32_t d = 0; d < points_.dim; ++d)
      if (std::abs(query_[d] - points_.value(one, d)) != std::abs(query_[d] - points_.value(other, d))) return false;
    return true;
  }
  double size_of_query() const {
    double size = 0;
    for (const double coordinate : query_) size = std::max(size, std::abs(coordinate));
    return size;
  }
  /// Returns the squared reach of a radius by the rule of queries/radius.hpp, as an interval.
  Allowed reach_of(std::optional<double> radius) const {
    if (!radius) return {no_reach, no_reach};
    if (*radius == 0) return {0, 0};
    const double rounded = std::min((size_of_query() + *radius) * 0x1p-22, *radius * 0x1p-10);
    const double reach = numbers_.floats ? *radius + rounded : *radius, most = squares_ ? reach * reach : reach,
                 share = numbers_.floats ? 0x1p-21 : 0x1p-50;
    return {most * (1 - share), most * (1 + share)};
  }
  bool floats() const { return numbers_.floats; }
  /// Returns the distance of which a search reports this number.
  double unsquared(double reported) const { return squares_ ? std::sqrt(reported) : reported; }

 private:
  const PointSet& points_;
  bool takes_largest_, squares_;
  SearchNumbers numbers_;
  std::vector<double> query_, period_;
};

/// The answer to one query.
struct Answer {
  std::span<const std::uint32_t> found;
  std::span<const double> distances;
};
Answer answer_to(const SearchReport& report, std::size_t query) {
  const auto from = report.offsets[query], count = report.offsets[query + 1] - from;
  return {std::span(report.found).subspan(from, count), std::span(report.distances).subspan(from, count)};
}

/// The judgement on one query.
struct Judgement {
  std::string difference;
  std::uint64_t found = 0, expected = 0;
};

std::string text_of(std::uint32_t item, double distance) {
  return std::to_string(item) + " at squared distance " + shortest(distance);
}
std::string wrong_result(std::size_t query, std::size_t rank, const std::string& is, const std::string& should_be) {
  return "result " + std::to_string(rank + 1) + " of query " + std::to_string(query) + " is " + is +
         ", and should be " + should_be;
}

/// Judges the answers about points.
class PointJudge {
 public:
  PointJudge(const SearchRequest& request, const SearchReport& report, const PointSet& points)
      : request_(request), report_(report), points_(points), is_in_tree_(points.size(), true) {
    for (const std::uint32_t point : request.tree->kind().left_out(*request.tree)) is_in_tree_[point] = false;
    held_ = static_cast<std::uint64_t>(std::ranges::count(is_in_tree_, true));
  }

  Judgement judge(std::size_t query) const {
    const SquaredDistances distances(request_, query, points_);
    if (request_.question == SearchQuestion::count) return judge_count(query, distances);
    const Answer answer = answer_to(report_, query);
    const bool nearest = request_.question == SearchQuestion::nearest, chose = !report_.reaches.empty();
    const Allowed reach =
        chose ? Allowed{report_.reaches[query], report_.reaches[query]} : distances.reach_of(request_.radius);
    Judgement judged;
    std::vector<std::uint32_t> sorted(answer.found.begin(), answer.found.end());
    std::ranges::sort(sorted);
    const auto wrong = [&](std::size_t rank, const std::string& should_be) {
      judged.difference = wrong_result(query, rank, text_of(answer.found[rank], answer.distances[rank]), should_be);
    };
    // Every result is a point of the tree within the reach, at its distance, after those that are nearer.
    for (std::size_t rank = 0; rank < answer.found.size() && judged.difference.empty(); ++rank) {
      const std::uint32_t point = answer.found[rank];
      if (point >= points_.size() || !is_in_tree_[point]) {
        wrong(rank, "a point of the tree");
        continue;
      }
      const Allowed allowed = distances.allowed(point);
      const double distance = answer.distances[rank];
      if (!(distance >= allowed.least && distance <= allowed.most))
        wrong(rank, "at " + shortest(distances.near(point)));
      else if (!is_within(distance, distances, reach))
        wrong(rank, "nothing: the point is beyond the radius");
      else if (nearest && !chose && rank >= request_.k)
        wrong(rank, "nothing: there are only " + std::to_string(request_.k) + " results");
      else if (rank > 0 && std::pair(distance, point) <= std::pair(answer.distances[rank - 1], answer.found[rank - 1]))
        wrong(rank, "after the result before it, by distance and then by index");
    }
    // No other point is nearer than the last result, or within the reach.
    const bool is_full = nearest && !chose && answer.found.size() >= request_.k;
    const double last = is_full ? answer.distances.back() : no_reach, certain = std::min(last, reach.most);
    std::uint64_t missing = 0, wanted = 0;
    const Allowed radius = distances.reach_of(request_.radius);
    for (std::uint32_t point = 0; point < points_.size(); ++point) {
      if (!is_in_tree_[point]) continue;
      const double near = distances.near(point);
      if (near * (1 + 0x1p-20) <= radius.least) ++wanted;
      if (near * (1 - 0x1p-40) > certain) continue;
      if (std::ranges::binary_search(sorted, point)) continue;
      const Allowed allowed = distances.allowed(point);
      if (!surely_within(allowed, distances, reach)) continue;
      if (is_full && !is_before_last(point, allowed, answer, distances)) continue;
      ++missing;
      if (!judged.difference.empty()) continue;
      std::size_t rank = 0;
      while (rank < answer.found.size() &&
             std::pair(answer.distances[rank], answer.found[rank]) < std::pair(allowed.most, point))
        ++rank;
      judged.difference = wrong_result(
          query, rank,
          rank < answer.found.size() ? text_of(answer.found[rank], answer.distances[rank]) : std::string("nothing"),
          text_of(point, distances.near(point)));
    }
    judged.expected = is_full ? answer.found.size() : answer.found.size() + missing;
    if (nearest && !chose) judged.expected = std::min<std::uint64_t>({judged.expected, request_.k, held_});
    judged.found = judged.expected - std::min(judged.expected, missing);
    wanted = std::min<std::uint64_t>(wanted, request_.k);
    if (chose && answer.found.size() < wanted && judged.difference.empty())
      judged.difference = "query " + std::to_string(query) + " has " + std::to_string(answer.found.size()) +
                          " results, and should have at least " + std::to_string(wanted);
    return judged;
  }

 private:
  /// Judges a number of points: all that surely lie in the box are counted, and none that surely does not.
  Judgement judge_count(std::size_t query, const SquaredDistances& distances) const {
    const Allowed reach = distances.reach_of(request_.radius);
    std::uint64_t least = 0, most = 0;
    for (std::uint32_t point = 0; point < points_.size(); ++point) {
      if (!is_in_tree_[point]) continue;
      const Allowed allowed = distances.allowed(point);
      if (!is_within(allowed.least, distances, reach)) continue;
      ++most;
      if (surely_within(allowed, distances, reach)) ++least;
    }
    const std::uint64_t counted = report_.counts.at(query);
    Judgement judged;
    judged.expected = least, judged.found = std::min(counted, least);
    if (counted < least || counted > most)
      judged.difference = "query " + std::to_string(query) + " counts " + std::to_string(counted) +
                          " points, and should count " + std::to_string(least) +
                          (least == most ? "" : " to " + std::to_string(most));
    return judged;
  }
  /// Whether a reported squared distance may lie within the reach.
  bool is_within(double squared, const SquaredDistances& distances, const Allowed& reach) const {
    if (!distances.floats() && request_.radius && report_.reaches.empty())
      return distances.unsquared(squared) <= *request_.radius;
    return squared <= reach.most;
  }
  bool surely_within(const Allowed& allowed, const SquaredDistances& distances, const Allowed& reach) const {
    if (!distances.floats() && request_.radius && report_.reaches.empty() && allowed.is_exact())
      return distances.unsquared(allowed.most) <= *request_.radius;
    return allowed.most <= reach.least;
  }
  /// Whether a point surely comes before the last result.
  static bool is_before_last(std::uint32_t point, const Allowed& allowed, const Answer& answer,
                             const SquaredDistances& distances) {
    const double last = answer.distances.back();
    if (allowed.most < last) return true;
    if (allowed.least > last || point > answer.found.back()) return false;
    // At the same distance, the lower index comes first.
    return (allowed.is_exact() && allowed.least == last) || distances.are_alike(point, answer.found.back());
  }

  const SearchRequest& request_;
  const SearchReport& report_;
  const PointSet& points_;
  std::vector<bool> is_in_tree_;
  std::uint64_t held_ = 0;
};

/// The exact sum of doubles, as terms that do not overlap, of ascending size (Shewchuk 1997).
class ReferenceSum {
 public:
  void add(double term) {
    std::size_t kept = 0;
    for (const double each : terms_) {
      const TwoDoubles both = TwoDoubles::sum(term, each);
      term = both.high;
      if (both.low != 0) terms_[kept++] = both.low;
    }
    terms_.resize(kept);
    if (term != 0) terms_.push_back(term);
  }
  /// Adds a * b * c of numbers with at most 32 bits each.
  void add_product(double a, double b, double c) {
    const TwoDoubles ab = TwoDoubles::product(a, b);
    for (const double part : {ab.high, ab.low}) {
      const TwoDoubles abc = TwoDoubles::product(part, c);
      add(abc.high), add(abc.low);
    }
  }
  int sign() const { return terms_.empty() ? 0 : terms_.back() > 0 ? 1 : -1; }
  double value() const { return terms_.empty() ? 0 : terms_.back(); }

 private:
  std::vector<double> terms_;
};

/// A determinant of three rows, each a difference of two vectors.
struct Row {
  double plus[3], minus[3];
};
ReferenceSum exact_determinant(const Row (&rows)[3]) {
  ReferenceSum sum;
  for (int choice = 0; choice < 8; ++choice) {
    const auto term = [&](int row, int d) { return choice >> row & 1 ? -rows[row].minus[d] : rows[row].plus[d]; };
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      sum.add_product(term(0, d), term(1, e), term(2, f));
      sum.add_product(-term(0, d), term(1, f), term(2, e));
    }
  }
  return sum;
}
/// Returns the sign of a determinant. Uses exact arithmetic only if rounding could change the sign.
int sign_of_determinant(const Row (&rows)[3]) {
  double at[3][3], sum = 0, size = 0;
  for (int row = 0; row < 3; ++row)
    for (int d = 0; d < 3; ++d) at[row][d] = rows[row].plus[d] - rows[row].minus[d];
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    const double plus = at[0][d] * at[1][e] * at[2][f], minus = at[0][d] * at[1][f] * at[2][e];
    sum += plus - minus, size += std::abs(plus) + std::abs(minus);
  }
  if (std::abs(sum) > 0x1p-48 * size) return sum > 0 ? 1 : -1;
  return exact_determinant(rows).sign();
}

/// Judges the answers about rays.
class RayJudge {
 public:
  RayJudge(const SearchRequest& request, const SearchReport& report, const DataSet& scene)
      : request_(request), report_(report), scene_(scene) {}

  Judgement judge(std::size_t ray) const {
    Judgement judged;
    const Answer answer = answer_to(report_, ray);
    const std::string name = "ray " + std::to_string(ray);
    if (answer.found.size() > 1) judged.difference = name + " has more than one hit";
    if (!answer.found.empty()) {
      const auto hit = answer.found[0] < scene_.triangles.size() / 3 ? hit_of(ray, answer.found[0]) : std::nullopt;
      if (!hit || !is_near(answer.distances[0], *hit))
        judged.difference = name + " hits triangle " + std::to_string(answer.found[0]) + " at " +
                            shortest(answer.distances[0]) + ", " +
                            (hit ? "and should hit it at " + shortest(*hit) : "which it does not hit");
    }
    // Without a hit, every hit is one too many; of nearest hits, those that are nearer beyond rounding.
    for (std::uint32_t triangle = 0; triangle < scene_.triangles.size() / 3 && judged.difference.empty(); ++triangle) {
      if (!answer.found.empty() && (request_.question == SearchQuestion::any_hit || triangle == answer.found[0]))
        continue;
      const auto hit = hit_of(ray, triangle);
      if (!hit) continue;
      const std::string should = " should hit triangle " + std::to_string(triangle) + " at " + shortest(*hit);
      if (answer.found.empty())
        judged.difference = name + " hits nothing, and" + should;
      else if (*hit < answer.distances[0] && !is_near(answer.distances[0], *hit))
        judged.difference = name + " hits triangle " + std::to_string(answer.found[0]) + " at " +
                            shortest(answer.distances[0]) + ", and" + should;
    }
    judged.expected = answer.found.empty() && judged.difference.empty() ? 0 : 1;
    judged.found = judged.difference.empty() ? judged.expected : 0;
    return judged;
  }

 private:
  static bool is_near(double reported, double exact) { return std::abs(reported - exact) <= 0x1p-22 * std::abs(exact); }

  /// Returns the multiple of the direction at which a ray hits a triangle.
  std::optional<double> hit_of(std::size_t ray, std::uint32_t triangle) const {
    const PointSet& rays = request_.queries->points;
    Row to_corner[3], along{};
    for (std::uint32_t d = 0; d < 3; ++d) {
      along.plus[d] = rays.value(ray, 3 + d);
      for (std::uint32_t c = 0; c < 3; ++c)
        to_corner[c].plus[d] = scene_.points.value(scene_.triangles[3 * std::size_t(triangle) + c], d),
        to_corner[c].minus[d] = rays.value(ray, d);
    }
    bool positive = false, negative = false;
    for (int c = 0; c < 3; ++c) {
      const int sign = sign_of_determinant({along, to_corner[(c + 1) % 3], to_corner[(c + 2) % 3]});
      (sign > 0 ? positive : negative) |= sign != 0;
      if (positive && negative) return std::nullopt;
    }
    if (!positive && !negative) return std::nullopt;  // the ray runs in the triangle's plane
    const Row(&corners)[3] = to_corner;
    const ReferenceSum height = exact_determinant(corners);
    if (height.sign() == 0) return 0;
    if ((height.sign() > 0) != positive) return std::nullopt;
    Row edges[2];
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 2; ++e) edges[e].plus[d] = to_corner[e + 1].plus[d], edges[e].minus[d] = to_corner[0].plus[d];
    return height.value() / exact_determinant({along, edges[0], edges[1]}).value();
  }

  const SearchRequest& request_;
  const SearchReport& report_;
  const DataSet& scene_;
};

template <class Judge>
AnswerCheck judge_all(const Judge& judge, std::size_t queries, const RunControl& control) {
  AnswerCheck check;
  std::mutex adding;
  std::size_t first = queries;
  std::uint64_t found = 0, expected = 0;
  for_each_on_all_threads(queries, control.stop, [&](std::size_t query, bool is_caller) {
    if (is_caller && control.progress) control.progress(double(query) / double(queries), "compare");
    Judgement judged = judge.judge(query);
    const std::scoped_lock lock(adding);
    found += judged.found, expected += judged.expected;
    if (judged.difference.empty() || query >= first) return;
    first = query;
    check.difference = std::move(judged.difference);
  });
  if (control.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "the search was cancelled", "", ""});
  if (expected > 0) check.recall = static_cast<double>(found) / static_cast<double>(expected);
  return check;
}

}  // namespace

Result<AnswerCheck> check_answer(const SearchRequest& request, const SearchReport& found, const PointSet& points,
                                 const RunControl& control) try {
  const std::size_t queries = request.queries->points.size();
  if (is_about_rays(request.question))
    return judge_all(RayJudge(request, found, *request.tree->as<SplitPlaneTree>().data), queries, control);
  return judge_all(PointJudge(request, found, points), queries, control);
} catch (const ErrorException& e) {
  return e.error();
}

std::string compared_with(const Tree& tree) {
  if (tree.kind().over_triangles(tree)) return "every triangle";
  const std::size_t left_out = tree.kind().left_out(tree).size();
  if (left_out == 0) return "every point";
  return "each of the " + std::to_string(tree.kind().points(tree).size() - left_out) + " points in the tree";
}

}  // namespace kdscope
