// A variant of wald with another update_tags. Change it, then run kdscope-cli variant build stale-box.cu
#include "algorithms/builders/wald/wald.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::wald {
// [region wald/update_tags]
/// Moves each unsettled point's tag to its child subtree; the pivot keeps its tag and is settled (§3.2). tags: [n],
/// in/out, in the order of step `level`'s sort. Work O(1) per point, O(level) with split=widest; no extra memory.
struct MyUpdateTags : UpdateTags {
  KDSCOPE_HD void operator()(std::uint32_t unsettled) const {
    const std::uint32_t i = full_tree_size(level) + unsettled;
    const std::uint32_t tag = tags[i];
    const NodeId s = rule.node_of(tag);
    const std::uint32_t pivot = pivot_position(s, n);
    if (i < pivot) tags[i] = tag_of_child(left_child(s), tag);
    if (i > pivot) tags[i] = tag_of_child(right_child(s), tag);
  }

 private:
  KDSCOPE_HD std::uint32_t tag_of_child(NodeId child, std::uint32_t tag) const {
    return rule.tag_of(child, rule.split == Split::widest ? widest_side_of(child, tag) : 0);
  }

  /// Follows the child's path up to the root and clips the domain by each ancestor's plane (§6).
  KDSCOPE_HD std::uint32_t widest_side_of(NodeId child, std::uint32_t parent_tag) const {
    std::uint32_t lo[max_dim], hi[max_dim];
    for (std::uint32_t d = 0; d < rule.k; ++d) lo[d] = rule.lo[d], hi[d] = rule.hi[d];
    std::uint32_t ancestor_tag = parent_tag, position = parent_of(child).value;
    for (NodeId below = child;;) {
      const NodeId ancestor = parent_of(below);
      const std::uint32_t dim = rule.dim_of(ancestor_tag, 0), plane = points.key(position, dim);
      if (below == left_child(ancestor))
        hi[dim] = plane < hi[dim] ? plane : hi[dim];
      else
        lo[dim] = plane > lo[dim] ? plane : lo[dim];
      if (ancestor.value == 0) break;
      below = ancestor;
      position = parent_of(ancestor).value;
      ancestor_tag = tags[position];
    }
    return widest_dimension(lo, hi, rule.k, rule.type);
  }
};
// [endregion]
}  // namespace kdscope::wald

template <>
struct kdscope::ReplacementOf<kdscope::wald::UpdateTags> {
  using type = wald::MyUpdateTags;
  static constexpr const char* stage = "update_tags";
};
KDSCOPE_VARIANT_OF(wald)
