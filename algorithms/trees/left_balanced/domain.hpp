#pragma once
// The boxes of subtrees' domains, from which the verifier and the reference both derive split dimensions.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope::left_balanced {

/// The box of a subtree's domain, as ordered keys.
struct KeyBox {
  std::vector<std::uint32_t> lo, hi;
};

inline KeyBox domain_of(const PointsView& points) {
  KeyBox box{std::vector<std::uint32_t>(points.dim, 0xffffffffu), std::vector<std::uint32_t>(points.dim, 0)};
  for (std::uint32_t i = 0; i < points.n; ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      box.lo[d] = std::min(box.lo[d], points.key(i, d));
      box.hi[d] = std::max(box.hi[d], points.key(i, d));
    }
  return box;
}

inline std::uint32_t split_dimension(Split split, int level, const KeyBox& box, const PointsView& points) {
  return split == Split::round_robin ? static_cast<std::uint32_t>(level) % points.dim
                                     : widest_dimension(box.lo.data(), box.hi.data(), points.dim, points.type);
}

}  // namespace kdscope::left_balanced
