#pragma once
// The kernels of the algorithm itself: they initialise and update tags (Wald 2023, §3.2 and §6) and read the split
// dimensions.

#include "algorithms/builders/wald/split_rule.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::wald {

// [region wald/initialise_tags]
/// Places every point in the root's subtree. With split=widest, the tag also holds the widest side of the domain. tags:
/// [n]. Work O(n).
struct InitialiseTags {
  std::uint32_t* tags;
  std::uint32_t root_tag;
  KDSCOPE_HD void operator()(std::uint32_t i) const { tags[i] = root_tag; }
};
// [endregion]

// [region wald/update_tags]
/// Moves each unsettled point's tag to its child subtree. The pivot keeps its tag and is settled (§3.2). tags: [n],
/// in/out, in the order of step `level`'s sort. Work O(1) per point, O(level) with split=widest; no extra memory.
struct UpdateTags {
  std::uint32_t* tags;
  PointAt points;
  SplitRule rule;
  std::uint32_t n;
  int level;

  KDSCOPE_HD void operator()(std::uint32_t unsettled) const {
    // The first F(level) positions hold the settled nodes (observation 3.2): no thread is launched for them
    const std::uint32_t i = full_tree_size(level) + unsettled;
    const std::uint32_t tag = tags[i];
    // Subtree s is one sorted segment, so the place of its pivot follows from n and s: p(s) = sb(s) + ss(lChild(s))
    const NodeId s = rule.node_of(tag);
    const std::uint32_t pivot = pivot_position(s, n);
    // The pivot is node s and keeps its tag. No thread reads a tag that another writes: no barrier is needed.
    if (i < pivot) tags[i] = tag_of_child(left_child(s), tag, pivot);
    if (i > pivot) tags[i] = tag_of_child(right_child(s), tag, pivot);
  }

 protected:
  KDSCOPE_HD std::uint32_t tag_of_child(NodeId child, std::uint32_t tag, std::uint32_t pivot) const {
    return rule.tag_of(child, rule.split == Split::widest ? widest_side_of(child, tag, pivot) : 0);
  }

  /// Returns the widest side of a child's domain: follows the child's path up to the root and clips the domain by each
  /// ancestor's plane (§6). The child's parent is still at its pivot position; the ancestors above are settled, each at
  /// the position of its own index, where no thread of the launch writes.
  KDSCOPE_HD std::uint32_t widest_side_of(NodeId child, std::uint32_t parent_tag, std::uint32_t pivot) const {
    std::uint32_t lo[max_dim], hi[max_dim];
    for (std::uint32_t d = 0; d < rule.k; ++d) lo[d] = rule.lo[d], hi[d] = rule.hi[d];
    std::uint32_t ancestor_tag = parent_tag, position = pivot;
    // From a left child, the ancestor's plane bounds the domain above; from a right child, below
    for (NodeId below = child;;) {
      const NodeId ancestor = parent_of(below);
      const std::uint32_t dim = rule.dim_of(ancestor_tag, 0), plane = points.key(position, dim);
      if (below == left_child(ancestor))
        hi[dim] = plane < hi[dim] ? plane : hi[dim];
      else
        lo[dim] = plane > lo[dim] ? plane : lo[dim];
      if (ancestor.value == 0) break;
      // Go up: the next ancestor's point and tag are at its own index
      below = ancestor;
      position = parent_of(ancestor).value;
      ancestor_tag = tags[position];
    }
    return widest_dimension(lo, hi, rule.k, rule.type);
  }
};
// [endregion]

// [region wald/split_dimensions]
/// Sets the dimension that each node splits. tags: [n] in final order.
struct SplitDimensions {
  const std::uint32_t* tags;
  std::uint8_t* split_dim;
  SplitRule rule;
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    split_dim[node] = static_cast<std::uint8_t>(rule.dim_of(tags[node], level_of(NodeId{node})));
  }
};
// [endregion]

}  // namespace kdscope::wald
