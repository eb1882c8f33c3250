// A variant of zhou-sah with another down_pass. Change it, then run kdscope-cli variant build forgotten-parent.cu
#include "algorithms/builders/zhou-sah/zhou_sah.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::zhou {
// [region zhou/down_pass]
/// The left child follows its parent; the right child follows the left child's subtree.
struct MyDownPass : DownPass {
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    group.each(block, [&](const PassNodes& pass, std::uint32_t i) {
      std::uint32_t node = pass.level[i], left = nodes.left_child[node];
      if (left == no_id) return;
      for (std::uint32_t pairs = pass.pairs ? pass.pairs[i] : 1; pairs > 0; --pairs, left += 2) {
        address[left] = address[node] + extent_of(1, 0);
        address[left + 1] = address[node] + size[left];
        node = nodes.left_child[left] == left + 2 ? left : left + 1;
      }
    });
  }
};
// [endregion]
}  // namespace kdscope::zhou

template <>
struct kdscope::ReplacementOf<kdscope::zhou::DownPass> {
  using type = zhou::MyDownPass;
  static constexpr const char* stage = "down_pass";
};
KDSCOPE_VARIANT_OF(zhou_sah)
