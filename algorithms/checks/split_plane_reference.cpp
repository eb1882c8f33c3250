#include "algorithms/checks/split_plane_reference.hpp"

#include <limits>
#include <optional>

#include "algorithms/core/triangle_clipping.hpp"

namespace kdscope {
namespace {

/// A primitive and the box of its part in a node.
struct Part {
  std::uint32_t primitive;
  Box3 box;
};

/// All primitives of a data set with their boxes, and the box of them all.
struct Primitives {
  std::vector<Part> all;
  Box3 scene;
};
Primitives primitives_of(const DataSet& data, Primitive kind) {
  Primitives p{{}, empty_box()};
  const std::size_t n = kind == Primitive::triangle ? data.triangles.size() / 3 : data.points.size();
  for (std::uint32_t i = 0; i < n; ++i) {
    p.all.push_back({i, kind == Primitive::triangle ? box_of(mesh_of(data).triangle(i)) : box_of_point(view_of(data.points), i)});
    p.scene = united(p.scene, p.all.back().box);
  }
  if (n == 0) p.scene = {{0, 0, 0}, {0, 0, 0}};
  return p;
}

template <class Cost>
class Reference {
 public:
  Reference(std::shared_ptr<const DataSet> data, Primitive primitive, const SplitPlaneRules& rules, const Cost& cost) : rules_(rules), cost_(cost) {
    rules_.type = data->points.type;
    tree_.data = std::move(data);
    tree_.primitive = primitive;
  }

  SplitPlaneTree build(const Box3& scene, const std::vector<Part>& all) {
    all.size() <= rules_.small ? small_node(scene, all, 0, no_id) : large_node(scene, all, 0, 0, no_id);
    return std::move(tree_);
  }

 private:
  std::uint32_t add_node(const Box3& volume, std::uint32_t parent) {
    const std::uint32_t node = tree_.size();
    tree_.parent.push_back(parent);
    tree_.right_child.push_back(no_id);
    tree_.split_dim.push_back(no_id);
    tree_.split_value.push_back(0);
    tree_.first.push_back(static_cast<std::uint32_t>(tree_.primitive_of_position.size()));
    tree_.count.push_back(0);
    for (const float* ends : {volume.lo, volume.hi})
      for (std::uint32_t d = 0; d < tree_.data->points.dim; ++d) tree_.box.push_back(coordinate_word(ends[d], rules_.type));
    return node;
  }
  void leaf(const Box3& volume, const std::vector<Part>& parts, std::uint32_t parent, bool bounded) {
    tree_.count[add_node(volume, parent)] = static_cast<std::uint32_t>(parts.size());
    for (const Part& part : parts) tree_.primitive_of_position.push_back(part.primitive);
    tree_.depth_bounded += bounded;
  }
  /// left() and right() add the children and what is below them.
  template <class Left, class Right>
  void split(const Box3& volume, const SplitPlane& plane, std::uint32_t parent, Left left, Right right) {
    const std::uint32_t node = add_node(volume, parent);
    tree_.split_dim[node] = plane.dim;
    tree_.split_value[node] = coordinate_word(plane.value, rules_.type);
    left(node, below(volume, plane.dim, plane.value));
    tree_.right_child[node] = tree_.size();
    right(node, above(volume, plane.dim, plane.value));
    tree_.count[node] = static_cast<std::uint32_t>(tree_.primitive_of_position.size()) - tree_.first[node];
  }

  /// Cuts empty space off from `side` on, then halves what is left. depth: of the node; futile: splits that did not pay above it.
  void cut(const Box3& volume, const Box3& tight, std::uint32_t side, const std::vector<Part>& parts, std::uint32_t depth, std::uint32_t futile, std::uint32_t parent) {
    for (; side < 6; ++side) {
      SplitPlane plane;
      if (depth + 1 >= rules_.depth || !cuts_off(volume, tight, side, rules_.empty_percent, plane, rules_.type)) continue;
      const auto rest = [&](std::uint32_t node, const Box3& box) { cut(box, tight, side + 1, parts, depth + 1, futile, node); };
      const auto empty = [&](std::uint32_t node, const Box3& box) { leaf(box, {}, node, false); };
      side % 2 == 1 ? split(volume, plane, parent, rest, empty) : split(volume, plane, parent, empty, rest);
      return;
    }
    SplitPlane plane;
    if (!halves(volume, plane, rules_.type)) return leaf(volume, parts, parent, true);
    std::vector<Part> sides[2];
    for (const Part& part : parts) {
      const float lo = part.box.lo[plane.dim], hi = part.box.hi[plane.dim];
      const bool left = goes_left(lo, plane.value), right = goes_right(lo, hi, plane.value);
      for (const int to : {0, 1}) {
        if (!(to == 0 ? left : right)) continue;
        Part child = part;
        if (left && right) {
          const Box3 known = to == 0 ? below(part.box, plane.dim, plane.value) : above(part.box, plane.dim, plane.value);
          const Box3 cell = to == 0 ? below(volume, plane.dim, plane.value) : above(volume, plane.dim, plane.value);
          child.box = clipped_box(mesh_of(*tree_.data).triangle(part.primitive), cell, known);
        }
        sides[to].push_back(child);
      }
    }
    const auto count = [&](int to) { return static_cast<std::uint32_t>(sides[to].size()); };
    const bool pays = cost_.split(volume, plane, count(0), count(1)) < cost_.leaf(volume, static_cast<std::uint32_t>(parts.size()));
    const std::uint32_t in_vain = futile_after(futile, pays, static_cast<std::uint32_t>(parts.size()), count(0), count(1));
    const auto child = [&](int to) {
      return [&, to](std::uint32_t node, const Box3& box) {
        if (sides[to].size() <= rules_.small) small_node(box, sides[to], depth + 1, node);
        else if (depth + 1 >= rules_.depth || in_vain >= futile_splits) leaf(box, sides[to], node, true);
        else large_node(box, sides[to], depth + 1, in_vain, node);
      };
    };
    split(volume, plane, parent, child(0), child(1));
  }
  void large_node(const Box3& volume, const std::vector<Part>& parts, std::uint32_t depth, std::uint32_t futile, std::uint32_t parent) {
    Box3 tight = empty_box();
    for (const Part& part : parts) tight = united(tight, part.box);
    cut(volume, tight, 0, parts, depth, futile, parent);
  }

  /// Parts keep the boxes that they have in the small root.
  void small_node(const Box3& volume, const std::vector<Part>& parts, std::uint32_t depth, std::uint32_t parent) {
    double least = std::numeric_limits<double>::infinity();
    SplitPlane best{};
    const auto on_sides = [&](const SplitPlane& plane, auto each) {
      for (const Part& part : parts)
        each(part, goes_left(part.box.lo[plane.dim], plane.value), goes_right(part.box.lo[plane.dim], part.box.hi[plane.dim], plane.value));
    };
    for (const Part& part : parts)
      for (std::uint32_t i = 0; i < (tree_.primitive == Primitive::triangle ? 6 : 3); ++i) {
        const SplitPlane plane = tree_.primitive == Primitive::triangle ? face_of(part.box, i) : SplitPlane{i, part.box.lo[i]};
        if (!inside(volume, plane)) continue;
        std::uint32_t left = 0, right = 0;
        on_sides(plane, [&](const Part&, bool l, bool r) { left += l, right += r; });
        if (const double cost = cost_.split(volume, plane, left, right); cost < least) least = cost, best = plane;
      }
    const bool pays = least < cost_.leaf(volume, static_cast<std::uint32_t>(parts.size()));
    if (!pays || depth >= rules_.depth) return leaf(volume, parts, parent, pays);
    std::vector<Part> left, right;
    on_sides(best, [&](const Part& part, bool l, bool r) {
      if (l) left.push_back(part);
      if (r) right.push_back(part);
    });
    split(volume, best, parent, [&](std::uint32_t node, const Box3& box) { small_node(box, left, depth + 1, node); },
          [&](std::uint32_t node, const Box3& box) { small_node(box, right, depth + 1, node); });
  }

  SplitPlaneRules rules_;
  Cost cost_;
  SplitPlaneTree tree_;
};

}  // namespace

SplitPlaneTree reference_sah_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules) {
  const Primitives p = primitives_of(*data, Primitive::triangle);
  return Reference(std::move(data), Primitive::triangle, rules, SurfaceAreaCost{rules.traversal_cost}).build(p.scene, p.all);
}

SplitPlaneTree reference_vvh_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules, std::uint32_t radius) {
  const Primitives p = primitives_of(*data, Primitive::point);
  const VoxelVolumeCost cost{rules.traversal_cost, search_radius(p.scene, radius), data->points.dim};
  return Reference(std::move(data), Primitive::point, rules, cost).build(p.scene, p.all);
}

}  // namespace kdscope
