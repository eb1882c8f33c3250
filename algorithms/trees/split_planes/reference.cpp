#include "algorithms/trees/split_planes/reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "algorithms/trees/split_planes/exact_triangles.hpp"

namespace kdscope {
namespace {

constexpr std::uint32_t most_bad_refines = 6;
constexpr float infinite = std::numeric_limits<float>::infinity();

/// A primitive and the box of its part in a node.
struct Part {
  std::uint32_t primitive;
  ExactBox box;
};

struct Plane {
  std::size_t dim;
  float value;
};

double length(const ExactBox& box, std::size_t d) {
  return static_cast<double>(box.hi[d]) - static_cast<double>(box.lo[d]);
}

ExactBox left_of(ExactBox box, const Plane& plane) {
  box.hi[plane.dim] = std::min(box.hi[plane.dim], plane.value);
  return box;
}
ExactBox right_of(ExactBox box, const Plane& plane) {
  box.lo[plane.dim] = std::max(box.lo[plane.dim], plane.value);
  return box;
}
bool is_left(const Part& part, const Plane& plane) { return part.box.lo[plane.dim] < plane.value; }
bool is_right(const Part& part, const Plane& plane) {
  return part.box.hi[plane.dim] > plane.value || part.box.lo[plane.dim] >= plane.value;
}

class Reference {
 public:
  Reference(std::shared_ptr<const DataSet> data, Primitive primitive, const SplitPlaneRules& rules) : rules_(rules) {
    SplitPlaneTree& tree = reasoned_.tree;
    tree.data = std::move(data);
    tree.primitive = primitive;
    std::vector<Part> all;
    ExactBox scene{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
    for (std::uint32_t p = 0; p < tree.primitives(); ++p) {
      all.push_back({p, {{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}}});
      ExactBox& box = all.back().box;
      for (const auto& corner : corners_of(p))
        for (std::size_t d = 0; d < 3; ++d)
          box.lo[d] = std::min(box.lo[d], corner[d]), box.hi[d] = std::max(box.hi[d], corner[d]);
      for (std::size_t d = 0; d < 3; ++d)
        scene.lo[d] = std::min(scene.lo[d], box.lo[d]), scene.hi[d] = std::max(scene.hi[d], box.hi[d]);
    }
    if (all.empty()) scene = {};
    double longest = 0;
    for (std::size_t d = 0; d < 3; ++d) longest = std::max(longest, length(scene, d));
    radius_ = longest * rules.radius / 1000;
    node(scene, std::move(all), {0, 0, no_id});
  }
  ReasonedTree take() { return std::move(reasoned_); }

 private:
  const SplitPlaneTree& tree() const { return reasoned_.tree; }
  bool of_points() const { return tree().primitive == Primitive::point; }
  bool whole_numbers() const { return tree().data->points.type == ScalarType::int32; }
  float coordinate(std::uint32_t point, std::uint32_t d) const {
    return d < tree().data->points.dim ? static_cast<float>(tree().data->points.value(point, d)) + 0.0f : 0.0f;
  }
  /// Returns the primitive's corners, with -0.0 as 0.0; all corners of a point are equal.
  ExactTriangle corners_of(std::uint32_t primitive) const {
    ExactTriangle corners;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::uint32_t d = 0; d < 3; ++d)
        corners[c][d] = coordinate(of_points() ? primitive : tree().data->triangles[3 * std::size_t(primitive) + c], d);
    return corners;
  }
  float next_coordinate(float value) const {
    return whole_numbers() ? value + 1 : std::nextafter(value, infinite) + 0.0f;
  }
  std::uint32_t word(float value) const {
    return whole_numbers() ? static_cast<std::uint32_t>(static_cast<std::int32_t>(value))
                           : std::bit_cast<std::uint32_t>(value);
  }

  double measure(const ExactBox& box) const {
    if (!of_points())
      return 2 *
             ((length(box, 0) * length(box, 1) + length(box, 1) * length(box, 2)) + length(box, 2) * length(box, 0));
    double volume = 1;
    for (std::uint32_t d = 0; d < tree().data->points.dim; ++d) volume *= length(box, d) + 2 * radius_;
    return volume;
  }
  double cost(const ExactBox& volume, const Plane& plane, std::size_t left, std::size_t right) const {
    return rules_.traversal_cost * measure(volume) + (static_cast<double>(left) * measure(left_of(volume, plane)) +
                                                      static_cast<double>(right) * measure(right_of(volume, plane)));
  }
  double leaf_cost(const ExactBox& volume, std::size_t count) const {
    return static_cast<double>(count) * measure(volume);
  }

  std::uint32_t add(const ExactBox& volume, std::uint32_t parent, NodeRule rule) {
    SplitPlaneTree& t = reasoned_.tree;
    const std::uint32_t node = t.size();
    t.parent.push_back(parent);
    t.right_child.push_back(no_id);
    t.split_dim.push_back(no_id);
    t.split_value.push_back(0);
    t.first.push_back(static_cast<std::uint32_t>(t.primitive_of_position.size()));
    t.count.push_back(0);
    for (const auto& ends : {volume.lo, volume.hi})
      for (std::uint32_t d = 0; d < t.data->points.dim; ++d) t.box.push_back(word(ends[d]));
    reasoned_.rule.push_back(rule);
    return node;
  }
  void leaf(const ExactBox& volume, const std::vector<Part>& parts, std::uint32_t parent, NodeRule rule) {
    SplitPlaneTree& t = reasoned_.tree;
    t.count[add(volume, parent, rule)] = static_cast<std::uint32_t>(parts.size());
    for (const Part& part : parts) t.primitive_of_position.push_back(part.primitive);
    t.depth_bounded += rule == NodeRule::at_depth || rule == NodeRule::bad_refines || rule == NodeRule::indivisible;
  }
  /// Adds a split. left(volume, node) and right(...) add the children and their subtrees.
  template <class Left, class Right>
  void split(const ExactBox& volume, const Plane& plane, std::uint32_t parent, NodeRule rule, Left left, Right right) {
    SplitPlaneTree& t = reasoned_.tree;
    const std::uint32_t node = add(volume, parent, rule);
    t.split_dim[node] = static_cast<std::uint32_t>(plane.dim);
    t.split_value[node] = word(plane.value);
    left(left_of(volume, plane), node);
    t.right_child[node] = t.size();
    right(right_of(volume, plane), node);
    t.count[node] = static_cast<std::uint32_t>(t.primitive_of_position.size()) - t.first[node];
  }

  /// Where a node hangs: below `parent`, after `bad_refines` splits in a row that did not pay.
  struct Place {
    std::uint32_t depth, bad_refines, parent;
  };

  void node(const ExactBox& volume, std::vector<Part> parts, const Place& at) {
    if (parts.size() <= rules_.small) return small_node(volume, parts, at.depth, at.parent);
    if (at.bad_refines >= most_bad_refines) return leaf(volume, parts, at.parent, NodeRule::bad_refines);
    if (at.depth >= rules_.depth) return leaf(volume, parts, at.parent, NodeRule::at_depth);
    ExactBox tight = parts[0].box;
    for (const Part& part : parts)
      for (std::size_t d = 0; d < 3; ++d)
        tight.lo[d] = std::min(tight.lo[d], part.box.lo[d]), tight.hi[d] = std::max(tight.hi[d], part.box.hi[d]);
    cut(volume, tight, 0, parts, at);
  }

  /// Cuts off empty space, starting at `side`, at the lower and the upper side of each dimension in turn. Then halves
  /// the remaining volume.
  void cut(const ExactBox& volume, const ExactBox& tight, std::size_t side, const std::vector<Part>& parts,
           const Place& at) {
    for (; side < 6; ++side) {
      const std::size_t d = side / 2;
      const bool upper = side % 2 == 1;
      const double empty = upper ? static_cast<double>(volume.hi[d]) - static_cast<double>(tight.hi[d])
                                 : static_cast<double>(tight.lo[d]) - static_cast<double>(volume.lo[d]);
      const Plane plane{d, upper ? next_coordinate(tight.hi[d]) : tight.lo[d]};
      const bool inside = volume.lo[d] < plane.value && plane.value < volume.hi[d];
      if (!inside || at.depth + 1 >= rules_.depth || !(100 * empty > length(volume, d) * rules_.empty_percent))
        continue;
      const auto rest = [&](const ExactBox& box, std::uint32_t above) {
        cut(box, tight, side + 1, parts, {at.depth + 1, at.bad_refines, above});
      };
      const auto nothing = [&](const ExactBox& box, std::uint32_t above) {
        leaf(box, {}, above, NodeRule::empty_space);
      };
      if (upper)
        split(volume, plane, at.parent, NodeRule::cut_off, rest, nothing);
      else
        split(volume, plane, at.parent, NodeRule::cut_off, nothing, rest);
      return;
    }
    halve(volume, parts, at);
  }

  void halve(const ExactBox& volume, const std::vector<Part>& parts, const Place& at) {
    std::size_t widest = 0;
    for (std::size_t d = 1; d < 3; ++d)
      if (length(volume, d) > length(volume, widest)) widest = d;
    const Plane plane{widest, middle(volume.lo[widest], volume.hi[widest])};
    if (!(volume.lo[widest] < plane.value && plane.value < volume.hi[widest]))
      return leaf(volume, parts, at.parent, NodeRule::indivisible);
    std::vector<Part> sides[2];
    for (const Part& part : parts) {
      const bool left = is_left(part, plane), right = is_right(part, plane);
      if (left) sides[0].push_back(part);
      if (right) sides[1].push_back(part);
      if (!left || !right) continue;
      const ExactTriangle corners = corners_of(part.primitive);
      sides[0].back().box = smallest_box_of_part(corners, left_of(volume, plane), left_of(part.box, plane));
      sides[1].back().box = smallest_box_of_part(corners, right_of(volume, plane), right_of(part.box, plane));
    }
    const bool pays = cost(volume, plane, sides[0].size(), sides[1].size()) < leaf_cost(volume, parts.size());
    const bool parts_them = sides[0].size() < parts.size() && sides[1].size() < parts.size();
    const std::uint32_t bad_refines_now = pays && parts_them ? 0 : at.bad_refines + 1;
    split(
        volume, plane, at.parent, NodeRule::halved,
        [&](const ExactBox& box, std::uint32_t above) {
          node(box, std::move(sides[0]), {at.depth + 1, bad_refines_now, above});
        },
        [&](const ExactBox& box, std::uint32_t above) {
          node(box, std::move(sides[1]), {at.depth + 1, bad_refines_now, above});
        });
  }
  float middle(float lo, float hi) const {
    if (whole_numbers()) {
      const auto first = static_cast<std::int64_t>(lo), last = static_cast<std::int64_t>(hi);
      return static_cast<float>(last - (last - first) / 2);
    }
    const float low_half = 0.5f * lo, high_half = 0.5f * hi, sum = low_half + high_half;
    return (sum > lo ? std::min(sum, hi) : std::nextafter(lo, infinite)) + 0.0f;
  }

  void small_node(const ExactBox& volume, const std::vector<Part>& parts, std::uint32_t depth, std::uint32_t parent) {
    double least = std::numeric_limits<double>::infinity();
    Plane best{};
    const auto look_at = [&](const Plane& plane) {
      if (!(volume.lo[plane.dim] < plane.value && plane.value < volume.hi[plane.dim])) return;
      std::size_t left = 0, right = 0;
      for (const Part& part : parts) left += is_left(part, plane), right += is_right(part, plane);
      if (const double now = cost(volume, plane, left, right); now < least) least = now, best = plane;
    };
    for (const Part& part : parts)
      for (std::size_t d = 0; d < 3; ++d) {
        look_at({d, part.box.lo[d]});
        if (!of_points()) look_at({d, std::nextafter(part.box.hi[d], infinite) + 0.0f});
      }
    const bool pays = least < leaf_cost(volume, parts.size());
    if (!pays) return leaf(volume, parts, parent, NodeRule::no_split_pays);
    if (depth >= rules_.depth) return leaf(volume, parts, parent, NodeRule::at_depth);
    std::vector<Part> left, right;
    for (const Part& part : parts) {
      if (is_left(part, best)) left.push_back(part);
      if (is_right(part, best)) right.push_back(part);
    }
    split(
        volume, best, parent, NodeRule::least_cost,
        [&](const ExactBox& box, std::uint32_t above) { small_node(box, left, depth + 1, above); },
        [&](const ExactBox& box, std::uint32_t above) { small_node(box, right, depth + 1, above); });
  }

  SplitPlaneRules rules_;
  double radius_ = 0;
  ReasonedTree reasoned_;
};

}  // namespace

ReasonedTree reasoned_tree(std::shared_ptr<const DataSet> data, Primitive primitive, const SplitPlaneRules& rules) {
  return Reference(std::move(data), primitive, rules).take();
}

SplitPlaneTree reference_sah_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules) {
  return reasoned_tree(std::move(data), Primitive::triangle, rules).tree;
}

SplitPlaneTree reference_vvh_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules) {
  return reasoned_tree(std::move(data), Primitive::point, rules).tree;
}

}  // namespace kdscope
