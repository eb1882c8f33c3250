#pragma once
// Distances of queries to axis-aligned boxes and to points of any number of dimensions.

#include <cstdint>

#include "algorithms/queries/query_point.hpp"

namespace kdscope::queries {

/// From this many dimensions on, a sum over dimensions consists of the partial sums of 32 lanes: lane i adds the terms
/// i, i + 32, ..., and halves of the lanes are then added to one another. So a thread and a warp compute the same bits.
inline constexpr std::uint32_t least_dimensions_in_lanes = 64;
inline constexpr int lanes_of_sums = 32;

/// Returns whether sums over `dim` dimensions have partial sums.
constexpr bool sums_in_lanes(std::uint32_t dim) { return dim >= least_dimensions_in_lanes; }

/// Returns the sum of term(0), ..., term(dim - 1) by the norm of the collector.
template <class Number, class Found, class Term>
KDSCOPE_HD Number sum_over_dimensions(const Found& found, std::uint32_t dim, Term term) {
  if (!sums_in_lanes(dim)) {
    Number sum = 0;
    for (std::uint32_t d = 0; d < dim; ++d) sum = found.with(sum, term(d));
    return sum;
  }
  Number partial[lanes_of_sums] = {};
  std::uint32_t first = 0;
  for (; first + lanes_of_sums <= dim; first += lanes_of_sums)
    for (int lane = 0; lane < lanes_of_sums; ++lane) partial[lane] = found.with(partial[lane], term(first + lane));
  for (int lane = 0; lane < lanes_of_sums; ++lane)
    if (first + lane < dim) partial[lane] = found.with(partial[lane], term(first + lane));
  for (int half = lanes_of_sums / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) partial[lane] = found.combined(partial[lane], partial[lane + half]);
  return partial[0];
}

/// The coordinates of a query that stay in memory.
template <class Number>
struct Words {
  const std::uint32_t* words;
  KDSCOPE_HD Number operator[](std::uint32_t d) const { return number_of<Number>(words[d]); }
};

/// A query whose coordinates stay in memory, because there may be too many for a thread's registers.
template <class Number>
struct QueryWords {
  Words<Number> at;

  KDSCOPE_HD static QueryWords of(const std::uint32_t* words, std::uint32_t) { return {{words}}; }
  KDSCOPE_HD Number operator[](std::uint32_t d) const { return at[d]; }
};

/// A query that all lanes of a warp serve together: each lane has its share of the dimensions, and all get the sums.
/// Precondition: sums_in_lanes() of the dimensions.
template <class Number, class Warp>
struct QueryOfWarp {
  Words<Number> at;
  Warp* warp;

  KDSCOPE_HD Number operator[](std::uint32_t d) const { return at[d]; }
};

/// How many points a query is compared with at once. A warp has that many loads on their way together.
template <class Query>
inline constexpr int points_at_once = 1;
template <class Number, class Warp>
inline constexpr int points_at_once<QueryOfWarp<Number, Warp>> = 4;

// These compute sum[i], for all i, of term(own, d, i) over all dimensions d by the norm of the collector; own is the
// query's coordinate d.

template <class Number, int dims, class Found, class Term, int count>
KDSCOPE_HD void sums_over_dimensions(const Found& found, const Coordinates<Number, dims>& query, std::uint32_t dim,
                                     Term term, Number (&sum)[count]) {
  const int dimensions = dims > 0 ? dims : static_cast<int>(dim);
  for (int i = 0; i < count; ++i) {
    sum[i] = 0;
    for (int d = 0; d < dimensions; ++d)
      sum[i] = found.with(sum[i], term(query.at[d], static_cast<std::uint32_t>(d), i));
  }
}

template <class Number, class Found, class Term, int count>
KDSCOPE_HD void sums_over_dimensions(const Found& found, const QueryWords<Number>& query, std::uint32_t dim, Term term,
                                     Number (&sum)[count]) {
  for (int i = 0; i < count; ++i)
    sum[i] = sum_over_dimensions<Number>(found, dim, [&](std::uint32_t d) { return term(query[d], d, i); });
}

template <class Number, class Warp, class Found, class Term, int count>
KDSCOPE_HD void sums_over_dimensions(const Found& found, const QueryOfWarp<Number, Warp>& query, std::uint32_t dim,
                                     Term term, Number (&sum)[count]) {
  static_assert(Warp::lane_count == lanes_of_sums);
  typename Warp::template PerLane<Number> partial[count];
  query.warp->lanes([&](int lane) {
    for (int i = 0; i < count; ++i) partial[i][lane] = 0;
    for (std::uint32_t d = static_cast<std::uint32_t>(lane); d < dim; d += lanes_of_sums) {
      const Number own = query[d];
      for (int i = 0; i < count; ++i) partial[i][lane] = found.with(partial[i][lane], term(own, d, i));
    }
  });
  for (int half = lanes_of_sums / 2; half > 0; half /= 2)
    for (int i = 0; i < count; ++i) {
      auto other = query.warp->shuffle(partial[i], [&](int lane) { return lane ^ half; });
      query.warp->lanes([&](int lane) { partial[i][lane] = found.combined(partial[i][lane], other[lane]); });
    }
  for (int i = 0; i < count; ++i) sum[i] = partial[i][0];
}

/// Computes the squared distances of a query to `count` points that follow one another, by the norm of the collector.
/// point: [count * dim] words.
template <class Number, class Found, class Query, int count>
KDSCOPE_HD void distances_to_points(const Found& found, const Query& query, std::uint32_t dim,
                                    const std::uint32_t* point, Number (&distance)[count]) {
  sums_over_dimensions(
      found, query, dim,
      [=](Number own, std::uint32_t d, int i) {
        return own - number_of<Number>(point[static_cast<std::size_t>(i) * dim + d]);
      },
      distance);
}

/// Computes the squared distances of a query to `count` boxes that follow one another, in the same order. A distance
/// never exceeds the computed distance of a point in the box: no excess exceeds the point's difference, and rounded
/// sums grow with their terms. box: [count * 2 dim] words, the lower ends of a box first.
template <class Number, class Found, class Query, int count>
KDSCOPE_HD void distances_to_boxes(const Found& found, const Query& query, std::uint32_t dim, const std::uint32_t* box,
                                   Number (&distance)[count]) {
  sums_over_dimensions(
      found, query, dim,
      [=](Number own, std::uint32_t d, int i) {
        const std::uint32_t* ends = box + static_cast<std::size_t>(i) * 2 * dim;
        const Number low = number_of<Number>(ends[d]), high = number_of<Number>(ends[dim + d]);
        return own < low ? low - own : own > high ? own - high : Number(0);
      },
      distance);
}

/// Returns the distance to one point, or to one box.
template <class Number, class Found, class Query>
KDSCOPE_HD Number distance_to_point(const Found& found, const Query& query, std::uint32_t dim,
                                    const std::uint32_t* point) {
  Number distance[1];
  distances_to_points(found, query, dim, point, distance);
  return distance[0];
}
template <class Number, class Found, class Query>
KDSCOPE_HD Number distance_to_box(const Found& found, const Query& query, std::uint32_t dim, const std::uint32_t* box) {
  Number distance[1];
  distances_to_boxes(found, query, dim, box, distance);
  return distance[0];
}

}  // namespace kdscope::queries
