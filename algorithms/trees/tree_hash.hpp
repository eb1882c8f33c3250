#pragma once
// The parts of 64-bit tree hashes. Each kind of tree has its own tree_hash().

#include <cstdint>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// Returns the share of one node in a tree's hash. It mixes, in this order, the node index, the original index, the
/// split dimension and the k coordinate words (-0.0 as 0.0) of the record at `row`. Shares are added modulo 2^64, so
/// the sum depends neither on the order nor on the processor.
KDSCOPE_HD inline std::uint64_t node_hash(NodeId node, PointId point, std::uint32_t split_dim,
                                          const PointsView& records, std::uint32_t row) {
  std::uint64_t h = mix64(0x9e3779b97f4a7c15ull + node.value);
  h = mix64(h ^ point.value);
  h = mix64(h ^ (split_dim + 0x100000000ull));
  for (std::uint32_t d = 0; d < records.dim; ++d)
    h = mix64(h ^ (word_of_ordered_key(records.key(row, d), records.type) + 0x200000000ull));
  return h;
}

/// Returns the hash of a tree from the sum of its nodes' shares. The hash includes n, k and the coordinate type.
KDSCOPE_HD constexpr std::uint64_t finish_tree_hash(std::uint64_t sum, std::uint64_t n, std::uint32_t dim,
                                                    ScalarType type) {
  return mix64(sum + mix64(n * 1024 + dim * 2 + static_cast<std::uint32_t>(type)));
}

}  // namespace kdscope
