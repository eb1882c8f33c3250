#pragma once
// Distances of queries to axis-aligned boxes and to points of any number of dimensions.

#include <cstdint>

#include "algorithms/queries/query_point.hpp"

namespace kdscope::queries {

/// A query whose coordinates stay in memory, because there may be too many for a thread's registers.
template <class Number>
struct QueryWords {
  struct Words {
    const std::uint32_t* words;
    KDSCOPE_HD Number operator[](int d) const { return number_of<Number>(words[d]); }
  };
  Words at;

  KDSCOPE_HD static QueryWords of(const std::uint32_t* words, std::uint32_t) { return {{words}}; }
  KDSCOPE_HD Number operator[](std::uint32_t d) const { return at[static_cast<int>(d)]; }
};

/// Number of dimensions of a type of queries; 0 if it is known only at run time.
template <class Query>
inline constexpr int dimensions_of = 0;
template <class Number, int dims>
inline constexpr int dimensions_of<Coordinates<Number, dims>> = dims;

/// Returns the squared distance of a query to a point, added from the first dimension on by the norm of the collector.
/// point: [dim] words.
template <class Number, class Found, class Query>
KDSCOPE_HD Number distance_to_point(const Found& found, const Query& query, std::uint32_t dim,
                                    const std::uint32_t* point) {
  const int count = dimensions_of<Query> > 0 ? dimensions_of<Query> : static_cast<int>(dim);
  Number sum = 0;
  for (int d = 0; d < count; ++d) sum = found.with(sum, query.at[d] - number_of<Number>(point[d]));
  return sum;
}

/// Returns the squared distance of a query to a box in the same order. It never exceeds the computed distance of a
/// point in the box: no excess exceeds the point's difference, and rounded sums grow with their terms. box: [2 dim]
/// words, lower ends first.
template <class Number, class Found, class Query>
KDSCOPE_HD Number distance_to_box(const Found& found, const Query& query, std::uint32_t dim, const std::uint32_t* box) {
  const int count = dimensions_of<Query> > 0 ? dimensions_of<Query> : static_cast<int>(dim);
  Number sum = 0;
  for (int d = 0; d < count; ++d) {
    const Number at = query.at[d], low = number_of<Number>(box[d]), high = number_of<Number>(box[count + d]);
    sum = found.with(sum, at < low ? low - at : at > high ? at - high : Number(0));
  }
  return sum;
}

}  // namespace kdscope::queries
