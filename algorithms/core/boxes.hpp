#pragma once
// Axis-aligned boxes of three float sides, for builders that split volumes. All functions round identically on every
// processor.

#include <cstdint>
#include <limits>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// A box in space. Points of fewer dimensions leave the other sides at [0, 0]. In an empty box, lower ends are above
/// upper ends.
struct Box3 {
  float lo[3], hi[3];
};

/// Returns the identity of united().
KDSCOPE_HD inline Box3 empty_box() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  return {{inf, inf, inf}, {-inf, -inf, -inf}};
}

/// Returns the smallest box around both. The result is exact, so the order in which many boxes are united does not
/// matter, unless a coordinate is -0.0.
KDSCOPE_HD inline Box3 united(const Box3& a, const Box3& b) {
  Box3 box;
  for (int d = 0; d < 3; ++d) {
    box.lo[d] = a.lo[d] < b.lo[d] ? a.lo[d] : b.lo[d];
    box.hi[d] = a.hi[d] > b.hi[d] ? a.hi[d] : b.hi[d];
  }
  return box;
}

KDSCOPE_HD inline double extent(const Box3& box, std::uint32_t d) {
  return static_cast<double>(box.hi[d]) - static_cast<double>(box.lo[d]);
}

KDSCOPE_HD inline double surface_area(const Box3& box) {
  const double x = extent(box, 0), y = extent(box, 1), z = extent(box, 2);
  return 2 * (x * y + y * z + z * x);
}

/// below() returns the part of a box below a plane across dimension d, above() the part above it. No side is indexed by
/// d, which would force the box out of registers.
KDSCOPE_HD inline Box3 below(Box3 box, std::uint32_t d, float value) {
  for (std::uint32_t i = 0; i < 3; ++i) box.hi[i] = i == d && value < box.hi[i] ? value : box.hi[i];
  return box;
}
KDSCOPE_HD inline Box3 above(Box3 box, std::uint32_t d, float value) {
  for (std::uint32_t i = 0; i < 3; ++i) box.lo[i] = i == d && value > box.lo[i] ? value : box.lo[i];
  return box;
}
/// Returns an end of the box along d, also without indexing.
KDSCOPE_HD inline float end_along(const float (&ends)[3], std::uint32_t d) {
  return d == 0 ? ends[0] : d == 1 ? ends[1] : ends[2];
}

/// Returns the smallest float above `value`; infinity for the largest float and for infinity. Never returns -0.0.
/// `value` must not be NaN.
KDSCOPE_HD inline float next_above(float value) {
  if (value == std::numeric_limits<float>::infinity()) return value;
  return float_of(word_of_ordered_key(ordered_key(word_of(value), ScalarType::float32) + 1, ScalarType::float32)) +
         0.0f;
}
/// Returns the greatest float below `value`, correspondingly. Ordered keys have a gap for -0.0 below 0; the negation
/// avoids it.
KDSCOPE_HD inline float next_below(float value) { return -next_above(-value) + 0.0f; }

}  // namespace kdscope
