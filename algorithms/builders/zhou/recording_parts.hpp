#pragma once
// Conversions that all parts of the recording use: boxes and pairs as flat arrays, numbers in words.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "algorithms/builders/zhou/segmented_reduction.hpp"
#include "algorithms/text/counts.hpp"

namespace kdscope::zhou {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Returns k lower ends, then k upper ends per box; +inf and -inf for an empty box, the identities of the source's
/// Table 1.
inline Checked<float> sides_of(std::span<const Box3> boxes, std::uint32_t k) {
  Checked<float> sides;
  for (const Box3& box : boxes)
    for (const float* ends : {box.lo, box.hi}) sides.insert(sides.end(), ends, ends + k);
  return sides;
}

inline bool same(const Box3& a, const Box3& b) {
  for (int d = 0; d < 3; ++d)
    if (a.lo[d] != b.lo[d] || a.hi[d] != b.hi[d]) return false;
  return true;
}

/// Returns two numbers per pair.
inline Checked<std::uint32_t> both_of(std::span<const SideCounts> counts) {
  Checked<std::uint32_t> numbers;
  for (const SideCounts& c : counts) numbers.insert(numbers.end(), {c.left, c.right});
  return numbers;
}

}  // namespace kdscope::zhou
