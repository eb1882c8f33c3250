#pragma once
// What a builder loses that sorts by integer keys in place of coordinates (Wehr & Radkowski 2018, section III-A).

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// Distinct coordinates are counted in each dimension apart; -0.0 and 0.0 are one.
struct KeyLoss {
  std::uint64_t distinct = 0;  ///< coordinates; 0 where nothing had to be counted
  std::uint64_t sharing = 0;   ///< those whose key another one has too
  bool ordered = true;         ///< keys never fall as coordinates grow, and equal coordinates have equal keys
};

/// Adds dimension `dim`. keys: [n] its keys in point order. Work O(n log n), 8 n bytes beside them.
void add_dimension(KeyLoss& loss, std::span<const std::uint32_t> keys, const PointsView& points, std::uint32_t dim);
/// All dimensions. keys: [k][n] in point order.
KeyLoss key_loss(std::span<const std::uint32_t> keys, const PointsView& points);

/// "distinct coordinates have distinct keys", or how many of how many share one.
std::string text_of(const KeyLoss& loss);

/// Keys order the points as coordinates do. Exact keys must share none; of others the statement counts those that do.
CheckResult check_keys(const KeyLoss& loss, bool exact);

}  // namespace kdscope
