// A variant of wald with another update_tags. Change it, then run kdscope-cli variant build one-level-short.cu
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
    const std::uint32_t pivot = segment_begin_of(s) + subtree_size_of(left_child(s));
    if (i < pivot) tags[i] = tag_of_child(left_child(s), tag, pivot);
    if (i > pivot) tags[i] = tag_of_child(right_child(s), tag, pivot);
  }

 private:
  /// L: number of levels of the tree (§2).
  KDSCOPE_HD int levels() const { return 31 - leading_zeros(n + 2); }

  /// ss(s): the full inner levels, and the nodes there are on the lowest (§4.1).
  KDSCOPE_HD std::uint32_t subtree_size_of(NodeId s) const {
    if (s.value >= n) return 0;
    const int below = levels() - level_of(s) - 1;
    const std::uint32_t width = 1u << below, first_lowest = ~((~s.value) << below);
    const std::uint32_t there = first_lowest >= n ? 0 : n - first_lowest;
    return (width - 1) + (there < width ? there : width);
  }
  /// sb(s, l): settled nodes, then the subtrees to the left (§4.2).
  KDSCOPE_HD std::uint32_t segment_begin_of(NodeId s) const {
    const int level = level_of(s), below = levels() - level - 1;
    const std::uint32_t left_siblings = s.value - full_tree_size(level);
    const std::uint32_t wanted = left_siblings << below, there = n - full_tree_size(levels() - 1);
    return full_tree_size(level) + left_siblings * ((1u << below) - 1) + (wanted < there ? wanted : there);
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
