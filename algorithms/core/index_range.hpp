#pragma once
// A range of indices.

#include <cstdint>

namespace kdscope {

/// Half-open range of indices.
struct IndexRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const IndexRange&) const = default;
};

}  // namespace kdscope
