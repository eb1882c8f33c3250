#include "algorithms/applications/ray_tracing/median_tree.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/triangles.hpp"

namespace kdscope {
namespace {

constexpr std::size_t leaf_size = 8;
constexpr int deepest = 40;
constexpr double most_listed = 1.5;

class MedianBuilder {
 public:
  MedianBuilder(std::shared_ptr<const DataSet> data, std::stop_token stop)
      : mesh_(mesh_of(*data)), stop_(std::move(stop)) {
    tree_.data = std::move(data);
    boxes_.reserve(tree_.primitives());
    for (std::uint32_t t = 0; t < tree_.primitives(); ++t) boxes_.push_back(box_of(mesh_.triangle(t)));
  }

  SplitPlaneTree build() {
    std::vector<std::uint32_t> all(boxes_.size());
    std::iota(all.begin(), all.end(), 0u);
    Box3 scene = boxes_.empty() ? Box3{{0, 0, 0}, {0, 0, 0}} : empty_box();
    for (const Box3& box : boxes_) scene = united(scene, box);
    add(no_id, scene, std::move(all), 0);
    return std::move(tree_);
  }

 private:
  /// Adds a node and all below it, in pre-order.
  void add(std::uint32_t parent, const Box3& volume, std::vector<std::uint32_t> triangles, int depth) {
    if (stop_.stop_requested())
      throw ErrorException({ErrorKind::cancelled, "the build was stopped", "median tree", ""});
    const std::uint32_t node = tree_.size();
    tree_.parent.push_back(parent), tree_.right_child.push_back(no_id);
    tree_.split_dim.push_back(no_id), tree_.split_value.push_back(0);
    const auto first = static_cast<std::uint32_t>(tree_.primitive_of_position.size());
    tree_.first.push_back(first), tree_.count.push_back(0);
    for (const auto* ends : {volume.lo, volume.hi})
      for (int d = 0; d < 3; ++d) tree_.box.push_back(word_of(ends[d]));
    if (const std::uint32_t dim = widest(volume); triangles.size() > leaf_size && depth < deepest) {
      const float plane = middle(triangles, dim);
      std::vector<std::uint32_t> left, right;
      for (const std::uint32_t t : triangles) {
        const float lo = boxes_[t].lo[dim], hi = boxes_[t].hi[dim];
        if (lo < plane) left.push_back(t);
        if (hi > plane || lo >= plane) right.push_back(t);
      }
      const bool pays =
          plane > volume.lo[dim] && plane < volume.hi[dim] && left.size() < triangles.size() &&
          right.size() < triangles.size() &&
          static_cast<double>(left.size() + right.size()) < most_listed * static_cast<double>(triangles.size());
      if (pays) {
        triangles = {};
        tree_.split_dim[node] = dim, tree_.split_value[node] = word_of(plane);
        Box3 lower = volume, upper = volume;
        lower.hi[dim] = upper.lo[dim] = plane;
        add(node, lower, std::move(left), depth + 1);
        tree_.right_child[node] = tree_.size();
        add(node, upper, std::move(right), depth + 1);
      }
    }
    tree_.primitive_of_position.insert(tree_.primitive_of_position.end(), triangles.begin(), triangles.end());
    tree_.count[node] = static_cast<std::uint32_t>(tree_.primitive_of_position.size()) - first;
  }

  static std::uint32_t widest(const Box3& box) {
    std::uint32_t dim = 0;
    for (std::uint32_t d = 1; d < 3; ++d)
      if (box.hi[d] - box.lo[d] > box.hi[dim] - box.lo[dim]) dim = d;
    return dim;
  }
  float middle(const std::vector<std::uint32_t>& triangles, std::uint32_t dim) const {
    std::vector<float> centres;
    centres.reserve(triangles.size());
    for (const std::uint32_t t : triangles) centres.push_back(boxes_[t].lo[dim] / 2 + boxes_[t].hi[dim] / 2);
    const auto at = centres.begin() + static_cast<std::ptrdiff_t>(centres.size() / 2);
    std::ranges::nth_element(centres, at);
    return *at;
  }

  MeshView mesh_;
  std::stop_token stop_;
  std::vector<Box3> boxes_;
  SplitPlaneTree tree_;
};

}  // namespace

SplitPlaneTree median_tree(std::shared_ptr<const DataSet> data, std::stop_token stop) {
  return MedianBuilder(std::move(data), std::move(stop)).build();
}

}  // namespace kdscope
