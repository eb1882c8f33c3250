#include "algorithms/trees/left_balanced/verify.hpp"

#include <algorithm>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/left_balanced/domain.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope {

std::vector<CheckResult> verify_left_balanced_tree(const LeftBalancedTree& tree, const PointSet& input, Split split) {
  CheckResult size{"size", "the tree has as many nodes as the input has points", true, ""};
  CheckResult records{"records", "each node holds its point's record, unchanged", true, ""};
  CheckResult dims{"split dimensions",
                   split == Split::round_robin ? "node i splits dimension level(i) mod k"
                                               : "node i splits the widest side of its domain",
                   true, ""};
  CheckResult order{"kd-order", "every point lies on its side of all of its ancestors' planes, ties by original index",
                    true, ""};
  const PointsView original = view_of(input), nodes = view_of(tree.points);
  const std::uint32_t n = tree.size();
  if (n != original.n || nodes.n != n || tree.split_dim.size() != n || nodes.dim != original.dim ||
      nodes.stride != original.stride || nodes.type != original.type ||
      tree.points.words.size() != input.words.size()) {
    size.fail(std::to_string(n) + " nodes of " + std::to_string(nodes.dim) + " dimensions, " +
              std::to_string(original.n) + " points of " + std::to_string(original.dim));
    return {size};
  }
  CheckResult permutation = check_permutation(tree.point_of_node);
  if (!permutation.passed) return {size, permutation};

  for (std::uint32_t i = 0; i < n && records.passed; ++i)
    if (!std::equal(nodes.words + std::size_t(i) * nodes.stride, nodes.words + std::size_t(i + 1) * nodes.stride,
                    original.words + std::size_t(tree.point_of_node[i].value) * nodes.stride))
      records.fail("node " + std::to_string(i) + " differs from point " + std::to_string(tree.point_of_node[i].value));

  const left_balanced::KeyBox domain = left_balanced::domain_of(original);
  left_balanced::KeyBox box = domain;
  for (std::uint32_t i = 0; i < n && (dims.passed || order.passed); ++i) {
    box = domain;
    for (NodeId below{i}; below.value != 0;) {
      const NodeId above = parent_of(below);
      const std::uint32_t dim = tree.split_dim[above.value] < nodes.dim ? tree.split_dim[above.value] : 0;
      const std::uint32_t plane = nodes.key(above.value, dim), own = nodes.key(i, dim);
      const bool is_left = below == left_child(above);
      const bool precedes = own != plane ? own < plane : tree.point_of_node[i] < tree.point_of_node[above.value];
      if (precedes != is_left)
        order.fail("node " + std::to_string(i) + " lies on the wrong side of node " + std::to_string(above.value) +
                   " in dimension " + std::to_string(dim));
      if (is_left)
        box.hi[dim] = std::min(box.hi[dim], plane);
      else
        box.lo[dim] = std::max(box.lo[dim], plane);
      below = above;
    }
    const std::uint32_t wanted = left_balanced::split_dimension(split, level_of(NodeId{i}), box, original);
    if (tree.split_dim[i] != wanted)
      dims.fail("node " + std::to_string(i) + " splits dimension " + std::to_string(tree.split_dim[i]) + ", not " +
                std::to_string(wanted));
  }
  return {size, permutation, records, dims, order};
}

}  // namespace kdscope
