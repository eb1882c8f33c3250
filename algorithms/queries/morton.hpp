#pragma once
// Sorts queries along a Morton curve. Neighbouring threads then serve neighbouring queries, which visit mostly the same
// nodes: fewer lanes of a warp wait for others, and more reads come from the caches.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/points_on_device.hpp"
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

/// The order of queries along the curve, in a back end's memory.
template <class Exec>
class MortonOrder {
 public:
  /// Takes the memory for `count` queries.
  MortonOrder(Exec& exec, std::uint32_t count)
      : keys_(exec.template array<std::uint32_t>("Morton keys", count)),
        order_(exec.template array<std::uint32_t>("order of queries", count)),
        other_keys_(exec.template array<std::uint32_t>("Morton keys", Exec::sorts_in_one_buffer ? 0 : count)),
        other_order_(exec.template array<std::uint32_t>("order of queries", Exec::sorts_in_one_buffer ? 0 : count)) {}

  /// Sorts the queries and returns their indices along the curve: [count], valid until the next call. Work O(n).
  template <class Number>
  const std::uint32_t* sort(Exec& exec, const PointsOnDevice<Exec>& queries) {
    constexpr int key_bits = 30;
    QueryBox<Number> nothing;
    for (int d = 0; d < most_curve_dimensions; ++d) {
      nothing.low[d] = std::numeric_limits<Number>::max();
      nothing.high[d] = std::numeric_limits<Number>::lowest();
    }
    // The first dimensions tell where queries of many dimensions lie; those of a ray are its origin.
    const std::uint32_t dim = std::min<std::uint32_t>(queries.dim, most_curve_dimensions);
    const int bits = key_bits / static_cast<int>(dim);
    const QueryBox<Number> box =
        exec.reduce("box of queries", queries.n, BoxOfQuery<Number>{queries.words.data(), queries.stride, dim},
                    JoinBoxes{}, nothing);
    exec.for_each(
        "Morton keys", queries.n,
        MortonKeys<Number>{queries.words.data(), queries.stride, dim, bits, box, keys_.data(), order_.data()});
    DoubleBuffer<std::uint32_t> keys{keys_.data(), other_keys_.data()}, order{order_.data(), other_order_.data()};
    exec.sort_pairs("sort queries", keys, order, queries.n, bits * static_cast<int>(dim));
    return order.current;
  }

 private:
  Array<std::uint32_t, Exec> keys_, order_, other_keys_, other_order_;
};

}  // namespace kdscope::queries
