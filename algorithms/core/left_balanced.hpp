#pragma once
// Index arithmetic of left-balanced, complete trees in level order, all O(1) (Wald 2023, §2 and §4).
// The printed snippets of §4.1 and §4.2 read `1<<(L-l-1)-1` where `(1<<(L-l-1))-1` is meant; here it is as meant.

#include <bit>
#include <cstdint>

#include "algorithms/core/ids.hpp"

namespace kdscope {

/// Largest number of points a left-balanced tree may have here: ids and shifts are 32 bits wide.
inline constexpr std::uint32_t max_left_balanced_points = 0x7fffffffu;

/// Number of leading zero bits of a 32-bit word; 32 for 0.
KDSCOPE_HD constexpr int leading_zeros(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __clz(static_cast<int>(word));
#else
  return std::countl_zero(word);
#endif
}

KDSCOPE_HD constexpr NodeId left_child(NodeId n) { return {2 * n.value + 1}; }
KDSCOPE_HD constexpr NodeId right_child(NodeId n) { return {2 * n.value + 2}; }
/// Parent of a node other than the root.
KDSCOPE_HD constexpr NodeId parent_of(NodeId n) { return {(n.value - 1) / 2}; }

/// level(n): 0 for the root (§2).
KDSCOPE_HD constexpr int level_of(NodeId n) { return 31 - leading_zeros(n.value + 1); }
/// L: number of levels of a tree of n nodes; 0 for n = 0 (§2; the revision notes' 32 - clz(N)).
KDSCOPE_HD constexpr int num_levels(std::uint32_t n) { return 32 - leading_zeros(n); }
/// F(l): number of nodes in a full tree of l levels, which is also the first node of level l (§2).
KDSCOPE_HD constexpr std::uint32_t full_tree_size(int levels) { return (1u << levels) - 1; }

/// ss(s): number of nodes of the sub-tree under s in a tree of n nodes; 0 when s >= n (§4.1).
KDSCOPE_HD constexpr std::uint32_t subtree_size(NodeId s, std::uint32_t n) {
  if (s.value >= n) return 0;
  const int below = num_levels(n) - level_of(s) - 1;                // levels under s
  const std::uint32_t width = 1u << below;                          // nodes s would have on the lowest level
  const std::uint32_t first_lowest = ~((~s.value) << below);        // fllc(s)
  const std::uint32_t there = first_lowest >= n ? 0 : n - first_lowest;
  return (width - 1) + (there < width ? there : width);
}

/// sb(s, l) with l = level(s): where the segment of sub-tree s begins in step l's array (§4.2).
KDSCOPE_HD constexpr std::uint32_t segment_begin(NodeId s, std::uint32_t n) {
  const int level = level_of(s);
  const int below = num_levels(n) - level - 1;
  const std::uint32_t left_siblings = s.value - full_tree_size(level);  // nls(s)
  const std::uint32_t lowest_wanted = left_siblings << below;
  const std::uint32_t lowest_there = n - full_tree_size(num_levels(n) - 1);
  return full_tree_size(level) + left_siblings * ((1u << below) - 1) +
         (lowest_wanted < lowest_there ? lowest_wanted : lowest_there);
}

/// p(s): the pivot position, sb(s) + ss(lChild(s)) (§3.2).
KDSCOPE_HD constexpr std::uint32_t pivot_position(NodeId s, std::uint32_t n) {
  return segment_begin(s, n) + subtree_size(left_child(s), n);
}

/// lla(n): the level-l ancestor of n, n itself when it lies on level l or above (§2.2; the paper gives no formula).
KDSCOPE_HD constexpr NodeId level_ancestor(NodeId n, int level) {
  const int own = level_of(n);
  if (own <= level) return n;
  return {((n.value + 1) >> (own - level)) - 1};
}

}  // namespace kdscope
