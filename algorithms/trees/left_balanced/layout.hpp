#pragma once
// Index arithmetic of left-balanced, complete trees in level order, all O(1) (Wald 2023, §4).
// The printed snippets of §4.1 and §4.2 read `1<<(L-l-1)-1` but mean `(1<<(L-l-1))-1`, which is used here.

#include <cstdint>

#include "algorithms/core/level_order.hpp"

namespace kdscope {

/// ss(s) in the paper: the number of nodes of the subtree under s in a tree of n nodes; 0 if s >= n (§4.1).
KDSCOPE_HD constexpr std::uint32_t subtree_size(NodeId s, std::uint32_t n) {
  if (s.value >= n) return 0;
  const int below = num_levels(n) - level_of(s) - 1;          // levels under s
  const std::uint32_t width = 1u << below;                    // nodes of s on a full lowest level
  const std::uint32_t first_lowest = ~((~s.value) << below);  // fllc(s)
  const std::uint32_t there = first_lowest >= n ? 0 : n - first_lowest;
  return (width - 1) + (there < width ? there : width);
}

/// sb(s, l) in the paper, with l = level(s): the position where the segment of subtree s begins in step l's array
/// (§4.2).
KDSCOPE_HD constexpr std::uint32_t segment_begin(NodeId s, std::uint32_t n) {
  const int level = level_of(s);
  const int below = num_levels(n) - level - 1;
  const std::uint32_t left_siblings = s.value - full_tree_size(level);  // nls(s)
  const std::uint32_t lowest_wanted = left_siblings << below;
  const std::uint32_t lowest_there = n - full_tree_size(num_levels(n) - 1);
  return full_tree_size(level) + left_siblings * ((1u << below) - 1) +
         (lowest_wanted < lowest_there ? lowest_wanted : lowest_there);
}

/// p(s) in the paper: the pivot position, sb(s) + ss(lChild(s)) (§3.2).
KDSCOPE_HD constexpr std::uint32_t pivot_position(NodeId s, std::uint32_t n) {
  return segment_begin(s, n) + subtree_size(left_child(s), n);
}

}  // namespace kdscope
