#pragma once
// Measures what a builder loses by sorting integer keys instead of coordinates (Wehr & Radkowski 2018, section III-A).

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// The loss of keys. Distinct coordinates are counted separately per dimension; -0.0 and 0.0 are one coordinate.
struct KeyLoss {
  std::uint64_t distinct = 0;  ///< distinct coordinates; 0 if nothing had to be counted
  std::uint64_t sharing = 0;   ///< coordinates that share their key with another one
  bool ordered = true;         ///< keys never decrease as coordinates grow; equal coordinates have equal keys
};

/// Adds dimension `dim`. keys: [n] keys of that dimension, in the order of the points. Work O(n log n); 8 n bytes of
/// extra memory.
void add_dimension(KeyLoss& loss, std::span<const std::uint32_t> keys, const PointsView& points, std::uint32_t dim);
/// Returns the loss over all dimensions. keys: [k][n], in the order of the points.
KeyLoss key_loss(std::span<const std::uint32_t> keys, const PointsView& points);

/// Returns "distinct coordinates have distinct keys", or how many of all coordinates share a key.
std::string text_of(const KeyLoss& loss);

/// Checks that keys order the points as their coordinates do. Exact keys must not be shared. For other keys, the
/// statement contains the number of coordinates that share one.
CheckResult check_keys(const KeyLoss& loss, bool exact);

}  // namespace kdscope
