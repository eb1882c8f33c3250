#pragma once
// The keys of queries along a Morton curve, and how they are sorted. Only the units that compile sort_along_curve()
// include this header.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "algorithms/exec/scans.hpp"
#include "algorithms/queries/morton.hpp"
#include "algorithms/queries/query_point.hpp"

namespace kdscope::queries {

/// Most dimensions of the curve: a key has 30 bits.
inline constexpr int most_curve_dimensions = 8;

/// The smallest box around some queries.
template <class Number>
struct QueryBox {
  Number low[most_curve_dimensions], high[most_curve_dimensions];
};

template <class Number>
struct BoxOfQuery {
  const std::uint32_t* words;
  std::uint32_t stride, dim;
  KDSCOPE_HD QueryBox<Number> operator()(std::uint32_t i) const {
    QueryBox<Number> box{};
    for (std::uint32_t d = 0; d < dim; ++d)
      box.low[d] = box.high[d] = number_of<Number>(words[std::size_t(i) * stride + d]);
    return box;
  }
};

struct JoinBoxes {
  template <class Number>
  KDSCOPE_HD QueryBox<Number> operator()(QueryBox<Number> a, const QueryBox<Number>& b) const {
    for (int d = 0; d < most_curve_dimensions; ++d) {
      if (b.low[d] < a.low[d]) a.low[d] = b.low[d];
      if (a.high[d] < b.high[d]) a.high[d] = b.high[d];
    }
    return a;
  }
};

/// Writes each query's key: the upper bits of its coordinates within the box, interleaved.
template <class Number>
struct MortonKeys {
  const std::uint32_t* words;
  std::uint32_t stride, dim;
  int bits;  ///< per dimension
  QueryBox<Number> box;
  std::uint32_t *keys, *order;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const auto cells = static_cast<Number>(1u << bits);
    std::uint32_t key = 0;
    for (std::uint32_t d = 0; d < dim; ++d) {
      const Number side = box.high[d] - box.low[d];
      // Halves keep the difference of huge coordinates finite; a box without extent has one cell.
      const Number place = side > 0 ? (number_of<Number>(words[std::size_t(i) * stride + d]) / 2 - box.low[d] / 2) /
                                          (box.high[d] / 2 - box.low[d] / 2) * cells
                                    : Number(0);
      const std::uint32_t cell = place < cells ? place > 0 ? static_cast<std::uint32_t>(place) : 0u : (1u << bits) - 1;
      for (int bit = 0; bit < bits; ++bit) key |= (cell >> bit & 1u) << (static_cast<std::uint32_t>(bit) * dim + d);
    }
    keys[i] = key;
    order[i] = i;
  }
};

template <class Number, class Exec>
const std::uint32_t* sort_along_curve(Exec& exec, KeyOrder<Exec>& order, const PointsOnDevice<Exec>& queries) {
  constexpr int key_bits = 30;
  QueryBox<Number> nothing;
  for (int d = 0; d < most_curve_dimensions; ++d) {
    nothing.low[d] = std::numeric_limits<Number>::max();
    nothing.high[d] = std::numeric_limits<Number>::lowest();
  }
  // The first dimensions tell where queries of many dimensions lie; those of a ray are its origin.
  const std::uint32_t dim = std::min<std::uint32_t>(queries.dim, most_curve_dimensions);
  const int bits = key_bits / static_cast<int>(dim);
  const QueryBox<Number> box = exec.reduce(
      "box of queries", queries.n, BoxOfQuery<Number>{queries.words.data(), queries.stride, dim}, JoinBoxes{}, nothing);
  exec.for_each(
      "Morton keys", queries.n,
      MortonKeys<Number>{queries.words.data(), queries.stride, dim, bits, box, order.keys(), order.indices()});
  return order.sort(exec, bits * static_cast<int>(dim));
}

}  // namespace kdscope::queries
