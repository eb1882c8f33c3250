// A variant of textbook with another split_nodes. Change it, then run kdscope-cli variant build one-too-many.cu
#include "algorithms/builders/textbook/textbook.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::textbook {
// [region textbook/split_nodes]
/// Thread i splits node i of a level. index: [n] position -> point; first: [n] node -> its first position;
/// point_of_node: [n].
struct MySplitNodes : SplitNodes {
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const NodeId node{full_tree_size(level) + i}, left = left_child(node), right = right_child(node);
    const std::uint32_t begin = first[node.value], end = begin + subtree_size(node, points.n),
                        median = begin + subtree_size(left, points.n);
    find_median(index, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(median),
                static_cast<std::int32_t>(end), points, static_cast<std::uint32_t>(level) % points.dim);
    point_of_node[node.value] = index[median];
    if (left.value < points.n) first[left.value] = begin;
    if (right.value < points.n) first[right.value] = median + 1;
  }
};
// [endregion]
}  // namespace kdscope::textbook

template <>
struct kdscope::ReplacementOf<kdscope::textbook::SplitNodes> {
  using type = textbook::MySplitNodes;
  static constexpr const char* stage = "split_nodes";
};
KDSCOPE_VARIANT_OF(textbook)
