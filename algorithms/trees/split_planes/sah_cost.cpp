#include "algorithms/trees/split_planes/sah_cost.hpp"

#include <algorithm>
#include <vector>

namespace kdscope {

TreeShape shape_of(const SplitPlaneTree& tree) {
  TreeShape shape;
  std::vector<std::uint32_t> depth(tree.size(), 0);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    if (i > 0) depth[i] = depth[tree.parent[i]] + 1;
    if (!tree.is_leaf(i)) continue;
    ++shape.leaves;
    shape.empty_leaves += tree.count[i] == 0;
    shape.fullest_leaf = std::max(shape.fullest_leaf, tree.count[i]);
    shape.deepest_leaf = std::max(shape.deepest_leaf, depth[i]);
    shape.references += tree.count[i];
  }
  return shape;
}

TreeCost sah_cost(const SplitPlaneTree& tree, double traversal_cost) {
  const auto half_surface = [&](std::uint32_t node) {
    const auto extent = [&](std::uint32_t d) {
      const std::uint32_t* box = &tree.box[std::size_t(node) * 6];
      return scalar_value(box[3 + d], tree.data->points.type) - scalar_value(box[d], tree.data->points.type);
    };
    return extent(0) * extent(1) + extent(1) * extent(2) + extent(2) * extent(0);
  };
  TreeCost cost{shape_of(tree)};
  const double whole = half_surface(0);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const double share = whole > 0 ? half_surface(i) / whole : 1;
    if (tree.is_leaf(i))
      cost.tests += tree.count[i] * share;
    else
      cost.traversal += traversal_cost * share;
  }
  return cost;
}

}  // namespace kdscope
