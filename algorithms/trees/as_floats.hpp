#pragma once
// Converts integer coordinates to floats, for trees that were read from CSV files of whole numbers.

#include <cstdint>
#include <vector>

#include "algorithms/core/points.hpp"

namespace kdscope {

inline void make_float(std::vector<std::uint32_t>& words) {
  for (std::uint32_t& word : words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
}

/// Returns the points with float coordinates. Precondition: points without payload.
inline PointSet as_floats(PointSet points) {
  make_float(points.words);
  points.type = ScalarType::float32;
  return points;
}

}  // namespace kdscope
