#pragma once
// Queries, and coordinates as searches compute with them.

#include <cstdint>

#include "algorithms/core/points.hpp"

namespace kdscope::queries {

/// Most dimensions of a query in a thread's registers or local memory.
inline constexpr int most_dimensions = 16;

/// Returns a coordinate as a number: a float as it is, an integer as a double, as its differences need more bits than a
/// float has.
template <class Number>
KDSCOPE_HD Number number_of(std::uint32_t word) {
  if constexpr (sizeof(Number) == sizeof(float))
    return float_of(word);
  else
    return static_cast<double>(static_cast<std::int32_t>(word));
}

/// Coordinates of a query or of a corner. `dims` is the number of dimensions, or 0 if it is known only at run time.
/// Where it is known, no address depends on data, so a GPU keeps the coordinates in registers.
template <class Number, int dims>
struct Coordinates {
  static constexpr int dimensions = dims, places = dims > 0 ? dims : most_dimensions;
  Number at[places];

  /// Reads coordinates from words.
  KDSCOPE_HD static Coordinates of(const std::uint32_t* words, std::uint32_t dim) {
    const int count = dims > 0 ? dims : static_cast<int>(dim);
    Coordinates read{};
    for (int d = 0; d < count; ++d) read.at[d] = number_of<Number>(words[d]);
    return read;
  }
  KDSCOPE_HD Number operator[](std::uint32_t d) const {
    if constexpr (dims == 0) return at[d];
    Number chosen = at[0];
    for (int i = 1; i < places; ++i)
      if (d == static_cast<std::uint32_t>(i)) chosen = at[i];
    return chosen;
  }
  KDSCOPE_HD void set(std::uint32_t d, Number value) {
    if constexpr (dims == 0)
      at[d] = value;
    else
      for (int i = 0; i < places; ++i) at[i] = d == static_cast<std::uint32_t>(i) ? value : at[i];
  }
};

/// Returns the squared distance of a query to coordinate(d), d = 0, 1, ..., dim - 1, added in this order by the norm of
/// the collector; if that measures otherwise (measured_list.hpp), its distance.
template <class Found, class Number, int dims, class Coordinate>
KDSCOPE_HD Number squared_distance(const Found& found, const Coordinates<Number, dims>& query, std::uint32_t dim,
                                   Coordinate coordinate) {
  const int count = dims > 0 ? dims : static_cast<int>(dim);
  if constexpr (requires { found.along(Number(0), 0u); }) {
    Number sum = 0;
    for (int d = 0; d < count; ++d) {
      const auto axis = static_cast<std::uint32_t>(d);
      sum = found.with(sum, found.along(query.at[d] - coordinate(axis), axis));
    }
    return sum;
  }
  const Number first = query.at[0] - coordinate(0);
  Number sum = first * first;  // what with(0, first) returns for every norm
  for (int d = 1; d < count; ++d) sum = found.with(sum, query.at[d] - coordinate(static_cast<std::uint32_t>(d)));
  return sum;
}

/// Queries in a back end's memory.
struct QueryView {
  const std::uint32_t* words;  ///< [n * stride]
  const std::uint32_t* order;  ///< the query that each thread serves; null: its own
  std::uint32_t stride, dim;

  /// Returns the query that thread i serves.
  template <class Query>
  KDSCOPE_HD Query served_by(std::uint32_t i) const {
    return Query::of(words_served_by(i), dim);
  }
  /// Returns its coordinate words.
  KDSCOPE_HD const std::uint32_t* words_served_by(std::uint32_t i) const {
    const std::size_t served = order ? order[i] : i;
    return words + served * stride;
  }
};

}  // namespace kdscope::queries
