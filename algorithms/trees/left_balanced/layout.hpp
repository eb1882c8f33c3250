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

/// Returns the number of nodes of the left subtree of a node whose subtree has `size` nodes: the largest on the next
/// level.
KDSCOPE_HD constexpr std::uint32_t left_size(std::uint32_t size) {
  if (size <= 1) return 0;
  const std::uint32_t lowest = 1u << (31 - leading_zeros(size)), half = lowest / 2;  // nodes of a full lowest level
  const std::uint32_t there = size - (lowest - 1);
  return half - 1 + (there < half ? there : half);
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

/// Returns the position where subtree s begins if the points are stored in order: the left subtree, the node, the right
/// subtree. The subtree's points are the subtree_size(s, n) positions from there, at every stage of a build.
KDSCOPE_HD constexpr std::uint32_t in_order_begin(NodeId s, std::uint32_t n) {
  const std::uint32_t first_of_level = full_tree_size(level_of(s));  // nodes above, all before the level's segments
  return segment_begin(s, n) - first_of_level + (s.value - first_of_level);
}
/// Returns the position of node s itself in that order.
KDSCOPE_HD constexpr std::uint32_t in_order_position(NodeId s, std::uint32_t n) {
  return in_order_begin(s, n) + subtree_size(left_child(s), n);
}
/// Returns the node at a position in that order: the inverse of in_order_position().
KDSCOPE_HD constexpr NodeId node_in_order(std::uint32_t position, std::uint32_t n) {
  const int full_levels = num_levels(n) - 1;
  const std::uint32_t lowest = n - full_tree_size(full_levels);
  // Up to the last node of the lowest level, positions are those of a full tree with this level, then those of one
  // without it.
  const bool among_lowest = position < 2 * lowest;
  const std::uint32_t rank = among_lowest ? position + 1 : position - lowest + 1;  // from 1 on
  const int above = 31 - leading_zeros(rank & (0u - rank));                        // levels above the lowest one
  const int level = full_levels - above - (among_lowest ? 0 : 1);
  return {full_tree_size(level) + (rank >> (above + 1))};
}

}  // namespace kdscope
