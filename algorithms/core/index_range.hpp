#pragma once
// Ranges of indices.

#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// A half-open range of indices.
struct IndexRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const IndexRange&) const = default;
};

/// A half-open range of array positions.
struct PositionRange {
  std::uint32_t begin = 0, end = 0;
  KDSCOPE_HD constexpr std::uint32_t size() const { return end - begin; }
};

}  // namespace kdscope
