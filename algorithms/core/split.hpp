#pragma once
// The rules by which left-balanced builders choose the dimension that a node splits.

#include <cstdint>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// How a left-balanced tree chooses its split dimension: level mod k (Wald 2023, §3), or the widest side of the node's
/// domain, where ties go to the lowest dimension (§6).
enum class Split : std::uint8_t { round_robin, widest };

/// Returns the dimension of the widest side of a box. Side d runs from low(d) to high(d), which are coordinate words.
/// Extents are compared as doubles; ties go to the lowest dimension. Builders, references and verifiers all use this
/// function.
template <class Low, class High>
KDSCOPE_HD std::uint32_t widest_side(std::uint32_t dim, ScalarType type, Low low, High high) {
  std::uint32_t widest = 0;
  double widest_extent = -1;
  for (std::uint32_t d = 0; d < dim; ++d) {
    const double extent = scalar_value(high(d), type) - scalar_value(low(d), type);
    if (extent > widest_extent) widest = d, widest_extent = extent;
  }
  return widest;
}

/// Returns the same for a box given as ordered keys (core/scalar.hpp).
KDSCOPE_HD inline std::uint32_t widest_dimension(const std::uint32_t* lo, const std::uint32_t* hi, std::uint32_t dim,
                                                 ScalarType type) {
  return widest_side(
      dim, type, [=](std::uint32_t d) { return word_of_ordered_key(lo[d], type); },
      [=](std::uint32_t d) { return word_of_ordered_key(hi[d], type); });
}

}  // namespace kdscope
