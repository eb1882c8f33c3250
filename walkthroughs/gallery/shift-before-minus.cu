// A variant of wald with another update_tags. Change it, then run kdscope-cli variant build shift-before-minus.cu
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
    const std::uint32_t pivot = segment_begin_of(s) + subtree_size(left_child(s), n);
    if (i < pivot) tags[i] = tag_of_child(left_child(s), tag, pivot);
    if (i > pivot) tags[i] = tag_of_child(right_child(s), tag, pivot);
  }

 private:
  /// sb(s, l): settled nodes, then the inner levels of the subtrees to the left, then their lowest nodes (§4.2).
  KDSCOPE_HD std::uint32_t segment_begin_of(NodeId s) const {
    const int L = num_levels(n), l = level_of(s);
    const std::uint32_t nls_s = s.value - full_tree_size(l);
    const std::uint32_t lowest_wanted = nls_s << (L - l - 1), lowest_there = n - full_tree_size(L - 1);
    return full_tree_size(l) + nls_s * (1 << (L - l - 1) - 1) +
           (lowest_wanted < lowest_there ? lowest_wanted : lowest_there);
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
