#pragma once
// What a builder loses by sorting integer keys instead of coordinates (Wehr & Radkowski 2018, section III-A).

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// Counts distinct coordinates separately per dimension; -0.0 and 0.0 are one coordinate.
struct KeyLoss {
  std::uint64_t distinct = 0;  ///< coordinates; 0 if nothing had to be counted
  std::uint64_t sharing = 0;   ///< coordinates that share their key with another one
  bool ordered = true;         ///< keys never fall as coordinates grow, and equal coordinates have equal keys
};

/// Adds dimension `dim`. keys: [n] keys of that dimension in point order. Work O(n log n); 8 n bytes of extra memory.
void add_dimension(KeyLoss& loss, std::span<const std::uint32_t> keys, const PointsView& points, std::uint32_t dim);
/// All dimensions. keys: [k][n] in point order.
KeyLoss key_loss(std::span<const std::uint32_t> keys, const PointsView& points);

/// "distinct coordinates have distinct keys", or how many coordinates of how many share a key.
std::string text_of(const KeyLoss& loss);

/// Checks that keys order the points as their coordinates do. Exact keys must not be shared; for other keys the
/// statement gives the number of coordinates that share one.
CheckResult check_keys(const KeyLoss& loss, bool exact);

}  // namespace kdscope
