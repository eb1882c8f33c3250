#include "algorithms/checks/left_balanced_checks.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace kdscope {
namespace {

/// Ordered-key box of a sub-tree's domain.
struct KeyBox {
  std::vector<std::uint32_t> lo, hi;
};

KeyBox domain_of(const PointsView& points) {
  KeyBox box{std::vector<std::uint32_t>(points.dim, 0xffffffffu), std::vector<std::uint32_t>(points.dim, 0)};
  for (std::uint32_t i = 0; i < points.n; ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      box.lo[d] = std::min(box.lo[d], points.key(i, d));
      box.hi[d] = std::max(box.hi[d], points.key(i, d));
    }
  return box;
}

std::uint32_t split_dimension(Split split, int level, const KeyBox& box, const PointsView& points) {
  return split == Split::round_robin ? static_cast<std::uint32_t>(level) % points.dim
                                     : widest_dimension(box.lo.data(), box.hi.data(), points.dim, points.type);
}

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

std::string at(const char* array, std::uint64_t index) { return std::string(array) + "[" + std::to_string(index) + "]"; }

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

std::vector<Finding> verify_left_balanced_tree(const LeftBalancedTree& tree, const PointSet& input, Split split) {
  Finding size{"size", "the tree has as many nodes as the input has points", true, ""};
  Finding records{"records", "each node holds its point's record, unchanged", true, ""};
  Finding dims{"split dimensions", split == Split::round_robin ? "node i splits dimension level(i) mod k" : "node i splits the widest side of its domain", true, ""};
  Finding order{"kd-order", "every point lies on its side of all of its ancestors' planes, ties by original index", true, ""};
  const PointsView original = view_of(input), nodes = view_of(tree.points);
  const std::uint32_t n = tree.size();
  if (n != original.n || nodes.n != n || tree.split_dim.size() != n || nodes.dim != original.dim || nodes.stride != original.stride ||
      nodes.type != original.type || tree.points.words.size() != input.words.size()) {
    size.fail(std::to_string(n) + " nodes of " + std::to_string(nodes.dim) + " dimensions, " + std::to_string(original.n) + " points of " + std::to_string(original.dim));
    return {size};
  }
  Finding permutation = check_permutation(tree.point_of_node);
  if (!permutation.passed) return {size, permutation};

  for (std::uint32_t i = 0; i < n && records.passed; ++i)
    if (!std::equal(nodes.words + std::size_t(i) * nodes.stride, nodes.words + std::size_t(i + 1) * nodes.stride,
                    original.words + std::size_t(tree.point_of_node[i].value) * nodes.stride))
      records.fail("node " + std::to_string(i) + " differs from point " + std::to_string(tree.point_of_node[i].value));

  const KeyBox domain = domain_of(original);
  KeyBox box = domain;
  for (std::uint32_t i = 0; i < n && (dims.passed || order.passed); ++i) {
    box = domain;
    for (NodeId below{i}; below.value != 0;) {
      const NodeId above = parent_of(below);
      const std::uint32_t dim = tree.split_dim[above.value] < nodes.dim ? tree.split_dim[above.value] : 0;
      const std::uint32_t plane = nodes.key(above.value, dim), own = nodes.key(i, dim);
      const bool is_left = below == left_child(above);
      const bool precedes = own != plane ? own < plane : tree.point_of_node[i] < tree.point_of_node[above.value];
      if (precedes != is_left)
        order.fail("node " + std::to_string(i) + " lies on the wrong side of node " + std::to_string(above.value) + " in dimension " + std::to_string(dim));
      if (is_left) box.hi[dim] = std::min(box.hi[dim], plane);
      else box.lo[dim] = std::max(box.lo[dim], plane);
      below = above;
    }
    const std::uint32_t wanted = split_dimension(split, level_of(NodeId{i}), box, original);
    if (tree.split_dim[i] != wanted)
      dims.fail("node " + std::to_string(i) + " splits dimension " + std::to_string(tree.split_dim[i]) + ", not " + std::to_string(wanted));
  }
  return {size, permutation, records, dims, order};
}

Finding check_tags_in_range(const TagState& state, int level) {
  Finding f{"tags in range", "every tag names a node of the tree on level " + std::to_string(level) + " or above", true, ""};
  const std::uint32_t end = std::min(state.points.n, full_tree_size(level + 1));
  for (std::size_t i = 0; i < state.node_of_position.size(); ++i)
    if (state.node_of_position[i] >= end) f.fail_at("tags", i, [&] { return at("tags", i) + " is " + std::to_string(state.node_of_position[i]); });
  return f;
}

Finding check_observation_3_1(const TagState& state, int level) {
  const std::uint32_t inner = std::min(state.points.n, full_tree_size(level));
  Finding f{"observation 3.1", (inner == 1 ? "the one node" : "each of the " + std::to_string(inner) + " nodes") + " above level " + std::to_string(level) + " is the tag of exactly one point", true, ""};
  std::vector<std::uint32_t> count(inner, 0);
  for (std::uint32_t tag : state.node_of_position)
    if (tag < inner) ++count[tag];
  for (std::uint32_t node = 0; node < inner; ++node)
    if (count[node] != 1)
      f.fail_at("partition.point", node, [&] { return "node " + std::to_string(node) + " is the tag of " + std::to_string(count[node]) + " points"; });
  return f;
}

Finding check_observation_3_2(const TagState& state, int level) {
  const std::uint32_t n = state.points.n, settled = std::min(n, full_tree_size(level));
  Finding f{"observation 3.2", (settled == 1 ? "the first point is settled" : "the first " + std::to_string(settled) + " points are settled") + "; then each segment of level " + std::to_string(level) + " follows, sorted", true, ""};
  const auto wrong_tag = [&](std::uint32_t i, const std::string& where) {
    f.fail_at("tags", i, [&] { return at("tags", i) + " is " + std::to_string(state.node_of_position[i]) + where; });
  };
  for (std::uint32_t i = 0; i < settled; ++i)
    if (state.node_of_position[i] != i) wrong_tag(i, ", not settled");
  std::uint32_t begin = settled;
  for (NodeId s{full_tree_size(level)}; s.value < std::min(n, full_tree_size(level + 1)); ++s.value) {
    const std::uint32_t end = begin + subtree_size(s, n);
    for (std::uint32_t i = begin; i < end; ++i) {
      if (state.node_of_position[i] != s.value) {
        wrong_tag(i, " in the segment of " + std::to_string(s.value));
        continue;
      }
      if (i == begin || state.node_of_position[i - 1] != s.value) continue;
      const std::uint32_t dim = state.dim_of_position.empty() ? static_cast<std::uint32_t>(level) % state.points.dim : state.dim_of_position[i];
      const PointId a = state.point_of_position[i - 1], b = state.point_of_position[i];
      const std::uint32_t x = state.points.key(a.value, dim), y = state.points.key(b.value, dim);
      if (x > y || (x == y && !(a < b)))
        f.fail_at("tags", i, [&] { return "positions " + std::to_string(i - 1) + " and " + std::to_string(i) + " are out of order in dimension " + std::to_string(dim); });
    }
    begin = end;
  }
  if (f.passed && begin != n) f.fail("the segments end at " + std::to_string(begin) + ", not at " + std::to_string(n));
  return f;
}

Finding check_permutation(std::span<const PointId> point_of_position, const std::string& array) {
  Finding f{"permutation", "every point is there exactly once", true, ""};
  std::vector<bool> seen(point_of_position.size());
  for (std::size_t i = 0; i < point_of_position.size(); ++i) {
    const std::uint32_t id = point_of_position[i].value;
    if (id < seen.size() && !seen[id]) seen[id] = true;
    else f.fail_at(array, i, [&] { return at(array.c_str(), i) + " is " + std::to_string(id) + (id < seen.size() ? ", a second time" : ", which is no point"); });
  }
  return f;
}

Finding check_kd_order_of_prefix(const TagState& state, std::uint32_t settled) {
  Finding f{"kd-order", (settled == 1 ? "the settled point" : "each of the " + std::to_string(settled) + " settled points") + " lies on its side of all ancestors' planes", true, ""};
  for (std::uint32_t i = 0; i < settled; ++i)
    for (NodeId below{i}; below.value != 0; below = parent_of(below)) {
      const NodeId above = parent_of(below);
      const std::uint32_t dim = state.dim_of_position.empty() ? static_cast<std::uint32_t>(level_of(above)) % state.points.dim : state.dim_of_position[above.value];
      const PointId own = state.point_of_position[i], pivot = state.point_of_position[above.value];
      const std::uint32_t x = state.points.key(own.value, dim), plane = state.points.key(pivot.value, dim);
      if ((x != plane ? x < plane : own < pivot) == (below == left_child(above))) continue;
      f.fail_at("index", i, [&] { return "position " + std::to_string(i) + " is on the wrong side of node " + std::to_string(above.value); });
      break;
    }
  return f;
}

}  // namespace kdscope
