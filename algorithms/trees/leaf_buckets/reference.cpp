#include "algorithms/trees/leaf_buckets/reference.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "algorithms/core/middle_split.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/trees/leaf_buckets/point_boxes.hpp"

namespace kdscope {
namespace {

using leaf_buckets::ByCoordinate, leaf_buckets::key_box;

/// Returns the words at a box's sides: those of the first and the last point in each dimension's order. If 0.0 and -0.0
/// are equal at a side, this is the word that a sorted sequence has at its end.
std::vector<std::uint32_t> word_box(std::span<const PointId> of, const PointsView& points) {
  std::vector<std::uint32_t> box(2 * std::size_t(points.dim));
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    const auto [low, high] = std::minmax_element(of.begin(), of.end(), ByCoordinate{points, d});
    box[d] = points.word(low->value, d);
    box[points.dim + d] = points.word(high->value, d);
  }
  return box;
}

}  // namespace

BucketTree reference_middle_split_tree(std::shared_ptr<const PointSet> points, std::uint32_t leaf_size) {
  const PointsView view = view_of(*points);
  const std::uint32_t k = view.dim;
  BucketTree tree;
  tree.points = points;
  for (std::uint32_t i = 0; i < view.n; ++i) tree.point_of_position.push_back({i});
  std::sort(tree.point_of_position.begin(), tree.point_of_position.end(), ByCoordinate{view, 0});
  const auto add = [&](std::uint32_t parent, std::uint32_t first, std::uint32_t count) {
    tree.parent.push_back(parent);
    tree.left_child.push_back(no_id);
    tree.split_dim.push_back(no_id);
    tree.split_value.push_back(0);
    tree.first.push_back(first);
    tree.count.push_back(count);
    const auto box = word_box(std::span(tree.point_of_position).subspan(first, count), view);
    tree.box.insert(tree.box.end(), box.begin(), box.end());
  };
  if (view.n > 0) add(no_id, 0, view.n);
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    if (tree.count[node] <= leaf_size) continue;
    const std::span<PointId> range = std::span(tree.point_of_position).subspan(tree.first[node], tree.count[node]);
    const std::vector<std::uint32_t> keys = key_box(range, view);
    const std::uint32_t dim = widest_dimension(keys.data(), keys.data() + k, k, view.type);
    if (keys[dim] == keys[k + dim]) continue;
    const std::uint32_t* box = tree.box.data() + std::size_t(node) * 2 * k;
    const std::uint32_t value = middle_of(box[dim], box[k + dim], view.type), value_key = ordered_key(value, view.type);
    const auto right = std::stable_partition(range.begin(), range.end(),
                                             [&](PointId p) { return view.key(p.value, dim) < value_key; });
    const std::uint32_t on_left = static_cast<std::uint32_t>(right - range.begin());
    tree.split_dim[node] = dim;
    tree.split_value[node] = value;
    tree.left_child[node] = tree.size();
    const std::uint32_t first = tree.first[node], count = tree.count[node];
    add(node, first, on_left);
    add(node, first + on_left, count - on_left);
  }
  return tree;
}

}  // namespace kdscope
