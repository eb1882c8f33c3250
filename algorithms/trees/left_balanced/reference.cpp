#include "algorithms/trees/left_balanced/reference.hpp"

#include <algorithm>
#include <span>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/left_balanced/domain.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope {
namespace {

using left_balanced::domain_of, left_balanced::KeyBox, left_balanced::split_dimension;

struct Recursion {
  const PointsView& points;
  Split split;
  LeftBalancedTree& tree;

  void build(std::span<PointId> segment, NodeId node, const KeyBox& box) const {
    if (segment.empty()) return;
    const std::uint32_t dim = split_dimension(split, level_of(node), box, points);
    const std::uint32_t pivot = subtree_size(left_child(node), points.n);
    const auto less = [&](PointId a, PointId b) {
      const std::uint32_t x = points.key(a.value, dim), y = points.key(b.value, dim);
      return x != y ? x < y : a < b;
    };
    std::nth_element(segment.begin(), segment.begin() + pivot, segment.end(), less);
    const PointId point = segment[pivot];
    tree.point_of_node[node.value] = point;
    tree.split_dim[node.value] = static_cast<std::uint8_t>(dim);
    std::copy_n(points.words + std::size_t(point.value) * points.stride, points.stride,
                tree.points.words.begin() + std::size_t(node.value) * points.stride);
    KeyBox left = box, right = box;
    left.hi[dim] = right.lo[dim] = points.key(point.value, dim);
    build(segment.first(pivot), left_child(node), left);
    build(segment.subspan(pivot + 1), right_child(node), right);
  }
};

}  // namespace

LeftBalancedTree reference_left_balanced_tree(const PointSet& points, Split split) {
  LeftBalancedTree tree;
  tree.points = {points.type, points.dim, points.payload_words, std::vector<std::uint32_t>(points.words.size())};
  tree.point_of_node.resize(points.size());
  tree.split_dim.resize(points.size());
  const PointsView view = view_of(points);
  std::vector<PointId> ids(points.size());
  for (std::uint32_t i = 0; i < view.n; ++i) ids[i] = {i};
  Recursion{view, split, tree}.build(ids, NodeId{0}, domain_of(view));
  return tree;
}

}  // namespace kdscope
