#pragma once
// The contents of a tag, and the dimension that a tagged subtree splits (Wald 2023, §3 and §6).

#include <bit>
#include <cstdint>

#include "algorithms/builders/wald/options.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope::wald {

/// Reads and makes tags. With split=widest, the low dim_bits of a tag hold the dimension that its subtree splits.
struct SplitRule {
  Split split = Split::round_robin;
  std::uint32_t dim_bits = 0;  ///< ceil(log2 k) for widest, 0 for round-robin
  std::uint32_t k = 1;
  ScalarType type = ScalarType::float32;
  std::uint32_t lo[max_dim] = {}, hi[max_dim] = {};  ///< widest: box of all points, as ordered keys

  KDSCOPE_HD NodeId node_of(std::uint32_t tag) const { return {tag >> dim_bits}; }
  KDSCOPE_HD std::uint32_t tag_of(NodeId node, std::uint32_t dim) const { return node.value << dim_bits | dim; }
  /// Returns the dimension that the tag's subtree splits. The root of the subtree lies on `level`.
  KDSCOPE_HD std::uint32_t dim_of(std::uint32_t tag, int level) const {
    return split == Split::widest ? tag & ((1u << dim_bits) - 1) : static_cast<std::uint32_t>(level) % k;
  }
};

inline std::uint32_t dim_bits_for(Split split, std::uint32_t k) {
  return split == Split::widest ? static_cast<std::uint32_t>(std::bit_width(k - 1)) : 0;
}

/// Reads the point at an array position: through the permuted indices, or in place if the sort moves the records
/// themselves.
struct PointAt {
  const std::uint32_t* words;
  const PointId* point_of_position;  ///< null if the sort moves records
  std::uint32_t stride;
  ScalarType type;
  KDSCOPE_HD std::uint32_t key(std::uint32_t position, std::uint32_t dim) const {
    const std::size_t record = point_of_position ? point_of_position[position].value : position;
    return ordered_key(words[record * stride + dim], type);
  }
};

/// Sets the indices before any sort: position i holds point i. Every sort starts from this state.
struct Identity {
  PointId* ids;
  KDSCOPE_HD void operator()(std::uint32_t i) const { ids[i] = {i}; }
};

/// Returns the position at which the sort of step `level` begins. Earlier sorts have settled all positions before it.
/// The roots of level-1 still have to move to their places there (§7.1).
KDSCOPE_HD constexpr std::uint32_t sort_begin(int level) { return level == 0 ? 0 : full_tree_size(level - 1); }

}  // namespace kdscope::wald
