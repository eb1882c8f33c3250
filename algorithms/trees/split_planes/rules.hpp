#pragma once
// What decides a tree of split planes: data alone, which builder, reference and checks share.

#include <cstdint>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// What decides a tree of split planes. The defaults are the source's for triangles; it names no C_ts.
struct SplitPlaneRules {
  std::uint32_t small = 64;          ///< T: nodes of at most so many primitives are small, 1 to 64
  std::uint32_t empty_percent = 25;  ///< C_e: more empty space than that at one side of a node is cut off
  double traversal_cost = 1;         ///< C_ts, in tests of one primitive
  std::uint32_t depth = 64;          ///< nodes at this depth are not split
  ScalarType type = ScalarType::float32;
  std::uint32_t radius = 0;  ///< R in thousandths of the longest side of all points' box; trees over points only
};

}  // namespace kdscope
