#pragma once
// The rules of a tree of split planes as plain data, which the builder, the reference and the checks share.

#include <cstdint>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// The parameters of the rules. The defaults are the source's for triangles; the source gives no C_ts.
struct SplitPlaneRules {
  std::uint32_t small = 64;          ///< T: nodes of at most this many primitives are small, 1 to 64
  std::uint32_t empty_percent = 25;  ///< C_e: empty space above this percentage at one side of a node is cut off
  double traversal_cost = 1;         ///< C_ts, in tests of one primitive
  std::uint32_t depth = 64;          ///< nodes at this depth are not split
  ScalarType type = ScalarType::float32;
  std::uint32_t radius = 0;  ///< R in thousandths of the longest side of all points' box; only for points
};

}  // namespace kdscope
