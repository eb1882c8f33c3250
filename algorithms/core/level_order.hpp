#pragma once
// Index arithmetic of nodes in level order: the children of node i are 2i+1 and 2i+2. All functions are O(1) (Wald
// 2023, §2).

#include <bit>
#include <cstdint>

#include "algorithms/core/ids.hpp"

namespace kdscope {

/// The largest number of points in a tree, because ids and shifts are 32 bits wide.
inline constexpr std::uint32_t max_points_of_tree = 0x7fffffffu;

/// Returns the number of leading zero bits of a 32-bit word; 32 for 0.
KDSCOPE_HD constexpr int leading_zeros(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __clz(static_cast<int>(word));
#else
  return std::countl_zero(word);
#endif
}

KDSCOPE_HD constexpr NodeId left_child(NodeId n) { return {2 * n.value + 1}; }
KDSCOPE_HD constexpr NodeId right_child(NodeId n) { return {2 * n.value + 2}; }
/// Returns the parent of a node other than the root.
KDSCOPE_HD constexpr NodeId parent_of(NodeId n) { return {(n.value - 1) / 2}; }

/// level(n) in the paper: the level of a node, 0 for the root (§2).
KDSCOPE_HD constexpr int level_of(NodeId n) { return 31 - leading_zeros(n.value + 1); }
/// L in the paper: the number of levels of a tree of n nodes, 0 for n = 0 (§2; the revision notes' 32 - clz(N)).
KDSCOPE_HD constexpr int num_levels(std::uint32_t n) { return 32 - leading_zeros(n); }
/// F(l) in the paper: the number of nodes in a full tree of l levels, which is also the first node of level l (§2).
KDSCOPE_HD constexpr std::uint32_t full_tree_size(int levels) { return (1u << levels) - 1; }

/// lla(n) in the paper: the level-l ancestor of n, or n itself if it lies on level l or above (§2.2; the paper gives no
/// formula).
KDSCOPE_HD constexpr NodeId level_ancestor(NodeId n, int level) {
  const int own = level_of(n);
  if (own <= level) return n;
  return {((n.value + 1) >> (own - level)) - 1};
}

}  // namespace kdscope
