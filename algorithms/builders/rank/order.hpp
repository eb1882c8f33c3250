#pragma once
// The total order of points along a dimension, as one 64-bit number: the coordinate's key, then the original index.
// Two points of a set never share a number, so that the point of each rank is unique, and neither partitions nor
// histograms have to be stable.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::rank {

using Order = std::uint64_t;

inline constexpr Order largest_order = ~Order{0};

KDSCOPE_HD constexpr Order order_of(std::uint32_t key, PointId point) { return Order{key} << 32 | point.value; }
KDSCOPE_HD constexpr std::uint32_t key_of(Order order) { return static_cast<std::uint32_t>(order >> 32); }
KDSCOPE_HD constexpr PointId point_of(Order order) { return {static_cast<std::uint32_t>(order)}; }

/// Compares the order (key, point()) with another: -1 if it is smaller, 0 if it is the same, 1 if it is larger. point
/// is only called for equal keys.
template <class Point>
KDSCOPE_HD int compare(std::uint32_t key, const Point& point, Order other) {
  if (key != key_of(other)) return key < key_of(other) ? -1 : 1;
  const std::uint32_t id = point().value, other_id = point_of(other).value;
  return id == other_id ? 0 : id < other_id ? -1 : 1;
}

/// Returns the number of bits of a number; 0 for 0.
KDSCOPE_HD inline int bits_of(Order order) {
#if defined(__CUDA_ARCH__)
  return 64 - __clzll(static_cast<long long>(order));
#else
  return static_cast<int>(std::bit_width(order));
#endif
}

/// Point records in a back end's memory, as the builder moves them: either the input, or one column per dimension and
/// one of original indices.
struct Records {
  const std::uint32_t* words = nullptr;
  const PointId* points = nullptr;  ///< [n] original index; null for the input, whose points are in that order
  std::uint32_t point_stride = 1;
  std::size_t dim_stride = 0;
  ScalarType type = ScalarType::float32;

  /// Returns the coordinates of a dimension, point_stride apart. Loops over points keep the pointer.
  KDSCOPE_HD const std::uint32_t* column(std::uint32_t d) const { return words + d * dim_stride; }
  KDSCOPE_HD std::uint32_t word(const std::uint32_t* column_of_dim, std::uint32_t i) const {
    return column_of_dim[std::uint64_t{i} * point_stride];
  }
  KDSCOPE_HD std::uint32_t word(std::uint32_t i, std::uint32_t d) const { return word(column(d), i); }
  KDSCOPE_HD std::uint32_t key(std::uint32_t i, std::uint32_t d) const { return ordered_key(word(i, d), type); }
  KDSCOPE_HD PointId point(std::uint32_t i) const { return points ? points[i] : PointId{i}; }
  KDSCOPE_HD Order order(std::uint32_t i, std::uint32_t d) const { return order_of(key(i, d), point(i)); }
};

}  // namespace kdscope::rank
