// A variant of wald with another update_tags. Change it, then run kdscope-cli variant build less-or-equal.cu
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
    if (i <= pivot) tags[i] = tag_of_child(left_child(s), tag, pivot);
    if (i > pivot) tags[i] = tag_of_child(right_child(s), tag, pivot);
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
