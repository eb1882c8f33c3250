#include "algorithms/trees/split_planes/verify.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

#include "algorithms/trees/split_planes/exact_triangles.hpp"
#include "algorithms/trees/split_planes/reference.hpp"

namespace kdscope {
namespace {

std::string node_name(std::uint32_t node) { return "node " + std::to_string(node); }

/// A tree and the queries that checks use.
struct Looked {
  const SplitPlaneTree& tree;
  const PointSet& points;
  std::uint32_t k = points.dim, sides = 2 * k;

  std::uint32_t key(std::uint32_t node, std::uint32_t side) const {
    return ordered_key(tree.box[std::size_t(node) * sides + side], points.type);
  }
  std::uint32_t split_key(std::uint32_t node) const { return ordered_key(tree.split_value[node], points.type); }
  std::span<const std::uint32_t> listed(std::uint32_t leaf) const {
    return std::span(tree.primitive_of_position).subspan(tree.first[leaf], tree.count[leaf]);
  }
  bool lists(std::uint32_t leaf, std::uint32_t primitive) const {
    return std::ranges::binary_search(listed(leaf), primitive);
  }
  std::uint32_t corners() const { return tree.primitive == Primitive::point ? 1 : 3; }
  std::uint32_t vertex(std::uint32_t primitive, std::uint32_t corner) const {
    return tree.primitive == Primitive::point ? primitive : tree.data->triangles[3 * std::size_t(primitive) + corner];
  }
  /// Returns the extent of a primitive along d, as ordered keys.
  std::pair<std::uint32_t, std::uint32_t> reach(std::uint32_t primitive, std::uint32_t d) const {
    std::uint32_t lo = 0xffffffffu, hi = 0;
    for (std::uint32_t c = 0; c < corners(); ++c) {
      const std::uint32_t at = ordered_key(points.word(vertex(primitive, c), d), points.type);
      lo = std::min(lo, at), hi = std::max(hi, at);
    }
    return {lo, hi};
  }
};

/// Checks lengths, links in pre-order, and spans of positions. Other checks may follow a tree only if it passes these.
bool sound(const Looked& on, CheckResult& nodes, CheckResult& positions) {
  const SplitPlaneTree& t = on.tree;
  const std::uint32_t m = t.size();
  if (m == 0)
    nodes.fail("there is no root");
  else if (t.right_child.size() != m || t.split_dim.size() != m || t.split_value.size() != m || t.first.size() != m ||
           t.count.size() != m || t.box.size() != std::size_t(m) * on.sides)
    nodes.fail("its arrays differ in length");
  else if (t.parent[0] != no_id)
    nodes.fail("the root has a parent");
  if (!nodes.passed) return false;

  // In pre-order, the earlier nodes alone determine the next one.
  std::vector<std::uint32_t> right_children;
  std::uint32_t parent = no_id, position = 0;
  for (std::uint32_t i = 0; i < m && nodes.passed; ++i) {
    if (t.parent[i] != parent)
      nodes.fail(node_name(i) + " has parent " + std::to_string(t.parent[i]) + ", in pre-order " +
                 std::to_string(parent) + " comes first");
    else if (!t.is_leaf(i) && t.split_dim[i] >= on.k)
      nodes.fail(node_name(i) + " splits a dimension that there is not");
    else if (t.is_leaf(i) && (t.split_dim[i] != no_id || t.split_value[i] != 0))
      nodes.fail(node_name(i) + " is a leaf with a split");
    if (!t.is_leaf(i)) {
      right_children.push_back(i);
      parent = i;
      continue;
    }
    if (t.first[i] != position || t.count[i] > t.primitive_of_position.size() - position)
      positions.fail(node_name(i) + "'s positions do not follow those of the leaf before it");
    else
      position += t.count[i];
    if (!positions.passed) return false;
    if (right_children.empty()) {
      if (i + 1 < m) nodes.fail(node_name(i + 1) + " belongs to no node");
      break;
    }
    parent = right_children.back();
    right_children.pop_back();
    if (t.right_child[parent] != i + 1)
      nodes.fail(node_name(parent) + "'s right child is not the node after its left subtree");
  }
  const auto leaves = static_cast<std::uint32_t>(std::ranges::count(t.right_child, no_id));
  if (nodes.passed && t.depth_bounded > leaves)
    nodes.fail("it counts " + std::to_string(t.depth_bounded) + " leaves by a bound among " + std::to_string(leaves));
  if (nodes.passed && !right_children.empty()) nodes.fail(node_name(right_children.back()) + " lacks a child");
  if (nodes.passed && position != t.primitive_of_position.size())
    positions.fail(std::to_string(t.primitive_of_position.size() - position) + " positions are of no leaf");
  for (std::uint32_t i = m; i-- > 0 && nodes.passed && positions.passed;)
    if (!t.is_leaf(i) && (t.first[i] != t.first[i + 1] || t.count[i] != t.count[i + 1] + t.count[t.right_child[i]]))
      positions.fail(node_name(i) + "'s positions are not those of its leaves");
  return nodes.passed && positions.passed;
}

void check_boxes(const Looked& on, CheckResult& boxes) {
  const SplitPlaneTree& t = on.tree;
  for (std::uint32_t i = 0; i < t.size() && boxes.passed; ++i) {
    for (std::uint32_t d = 0; d < on.k; ++d)
      if (on.key(i, d) > on.key(i, on.k + d))
        boxes.fail(node_name(i) + "'s box is empty in dimension " + std::to_string(d));
    if (t.is_leaf(i)) continue;
    const std::uint32_t at = on.split_key(i), dim = t.split_dim[i];
    if (at < on.key(i, dim) || at > on.key(i, on.k + dim)) boxes.fail(node_name(i) + " is split outside of its box");
    for (const std::uint32_t child : {i + 1, t.right_child[i]})
      for (std::uint32_t side = 0; side < on.sides; ++side) {
        const bool at_plane = side == (child == i + 1 ? on.k + dim : dim);
        if (on.key(child, side) != (at_plane ? at : on.key(i, side)))
          boxes.fail(node_name(child) + "'s box is not its part of node " + std::to_string(i) + "'s");
      }
  }
  std::vector<bool> reached(on.sides, t.primitives() == 0);
  for (std::uint32_t p = 0; p < t.primitives() && boxes.passed; ++p)
    for (std::uint32_t d = 0; d < on.k; ++d) {
      const auto [lo, hi] = on.reach(p, d);
      if (lo == on.key(0, d)) reached[d] = true;
      if (hi == on.key(0, on.k + d)) reached[on.k + d] = true;
      if (lo < on.key(0, d) || hi > on.key(0, on.k + d))
        boxes.fail("primitive " + std::to_string(p) + " is not in the root's box");
    }
  for (std::uint32_t side = 0; side < on.sides && boxes.passed; ++side)
    if (!reached[side])
      boxes.fail("the root's box is larger than what it holds in dimension " + std::to_string(side % on.k));
}

void check_lists(const Looked& on, CheckResult& lists, CheckResult& strange) {
  const SplitPlaneTree& t = on.tree;
  // Flag the sides made by splits: a primitive that only touches such a side from below is not above it, but one that
  // touches it from above is.
  std::vector<std::uint8_t> cut_above(std::size_t(t.size()) * on.k, 0);
  for (std::uint32_t i = 0; i < t.size(); ++i) {
    if (!t.is_leaf(i)) {
      for (const std::uint32_t child : {i + 1, t.right_child[i]})
        std::copy_n(cut_above.begin() + std::ptrdiff_t(std::size_t(i) * on.k), on.k,
                    cut_above.begin() + std::ptrdiff_t(std::size_t(child) * on.k));
      cut_above[std::size_t(i + 1) * on.k + t.split_dim[i]] = 1;
      continue;
    }
    std::uint32_t before = no_id;
    for (const std::uint32_t p : on.listed(i)) {
      if (p >= t.primitives())
        lists.fail(node_name(i) + " lists primitive " + std::to_string(p) + ", which there is not");
      else if (before != no_id && p <= before)
        lists.fail(node_name(i) + " lists primitive " + std::to_string(p) + " after " + std::to_string(before));
      if (!lists.passed) return;
      before = p;
      for (std::uint32_t d = 0; d < on.k; ++d) {
        const auto [lo, hi] = on.reach(p, d);
        const std::uint32_t top = on.key(i, on.k + d);
        if (hi < on.key(i, d) || (cut_above[std::size_t(i) * on.k + d] ? lo >= top : lo > top))
          strange.fail(node_name(i) + " lists primitive " + std::to_string(p) +
                       ", which is on the other side in dimension " + std::to_string(d));
      }
    }
  }
}

/// Checks that each point is in the leaf on its side of each plane, and in no other leaf.
void check_points(const Looked& on, CheckResult& lost, CheckResult& strange) {
  const SplitPlaneTree& t = on.tree;
  for (std::uint32_t p = 0; p < t.primitives() && lost.passed; ++p) {
    std::uint32_t node = 0;
    while (!t.is_leaf(node))
      node = ordered_key(on.points.word(p, t.split_dim[node]), on.points.type) < on.split_key(node)
                 ? node + 1
                 : t.right_child[node];
    if (!on.lists(node, p)) lost.fail("point " + std::to_string(p) + " is not in " + node_name(node));
  }
  if (lost.passed && t.primitive_of_position.size() != t.primitives()) strange.fail("points are listed more than once");
}

/// Checks that every leaf into which a triangle reaches lists it. A node's cell lies inside the cells of all nodes
/// above. On the way down, the triangle's extent along each split's dimension rules out most nodes. Every few levels,
/// and at leaves, the exact test decides.
void check_triangles(const Looked& on, CheckResult& lost) {
  const SplitPlaneTree& t = on.tree;
  std::vector<bool> listed(t.primitives());
  for (const std::uint32_t p : t.primitive_of_position) listed[p] = true;
  struct Open {
    std::uint32_t node;
    ExactBox cell;
    std::array<bool, 3> closed;  // whether the upper end is closed because no split made it
    std::uint32_t depth;
  };
  constexpr std::uint32_t levels_between = 4;
  // Convert coordinates to floats. A file may hold whole numbers instead, which floats represent exactly.
  const auto coordinate = [&](std::uint32_t word) {
    return static_cast<float>(scalar_value(word, on.points.type)) + 0.0f;
  };
  Open root{0, {}, {true, true, true}, 0};
  for (std::uint32_t d = 0; d < 3; ++d)
    root.cell.lo[d] = coordinate(t.box[d]), root.cell.hi[d] = coordinate(t.box[3 + d]);
  std::vector<Open> open;
  for (std::uint32_t p = 0; p < t.primitives() && lost.passed; ++p) {
    if (!listed[p]) lost.fail("triangle " + std::to_string(p) + " is in no leaf");
    ExactTriangle triangle;
    for (std::uint32_t c = 0; c < 3; ++c)
      for (std::uint32_t d = 0; d < 3; ++d) triangle[c][d] = coordinate(on.points.word(on.vertex(p, c), d));
    for (open.assign(1, root); !open.empty() && lost.passed;) {
      const Open at = open.back();
      open.pop_back();
      if (t.is_leaf(at.node) && on.lists(at.node, p)) continue;
      if ((t.is_leaf(at.node) || at.depth % levels_between == levels_between - 1) &&
          !reaches_into(triangle, at.cell, at.closed))
        continue;
      if (t.is_leaf(at.node)) {
        lost.fail("triangle " + std::to_string(p) + " reaches into " + node_name(at.node) + ", which does not list it");
        continue;
      }
      const std::uint32_t d = t.split_dim[at.node];
      const float value = coordinate(t.split_value[at.node]);
      const auto [lo, hi] = std::minmax({triangle[0][d], triangle[1][d], triangle[2][d]});
      Open left = at, right = at;
      left.depth = right.depth = at.depth + 1;
      left.node = at.node + 1, right.node = t.right_child[at.node];
      left.cell.hi[d] = right.cell.lo[d] = value;
      left.closed[d] = false;
      if (hi > value || lo >= value) open.push_back(right);
      if (lo < value) open.push_back(left);
    }
  }
}

const char* text_of(NodeRule rule) {
  switch (rule) {
    case NodeRule::cut_off:
      return "more than C_e empty space at one of its sides is cut off";
    case NodeRule::empty_space:
      return "a leaf, because it is the empty space that is cut off";
    case NodeRule::halved:
      return "a large node, halved along its widest side";
    case NodeRule::least_cost:
      return "a small node, split where that costs least";
    case NodeRule::no_split_pays:
      return "a leaf, because no split costs less";
    case NodeRule::at_depth:
      return "a leaf at the largest depth";
    case NodeRule::bad_refines:
      return "a leaf, because halvings above it do not pay";
    case NodeRule::indivisible:
      return "a leaf, because no plane goes through its volume";
  }
  return "";
}

/// Returns a text that describes a node's split, or states that it is a leaf.
std::string split_text(const SplitPlaneTree& t, std::uint32_t node) {
  if (t.is_leaf(node)) return "a leaf of " + std::to_string(t.count[node]);
  char text[40];
  const double value = scalar_value(t.split_value[node], t.data->points.type);
  return "split in dimension " + std::to_string(t.split_dim[node]) + " at " +
         std::string(text, std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr);
}

}  // namespace

std::vector<CheckResult> verify_split_plane_tree(const SplitPlaneTree& tree, const PointSet& input,
                                                 const std::optional<SplitPlaneRules>& rules) {
  CheckResult nodes{"nodes", "nodes stand in pre-order and name one another", true, ""},
      same{"same data", "the tree is over the points or vertices of the input, unchanged", true, ""},
      positions{"positions", "the leaves' positions follow one another, an inner node's are those of its leaves", true,
                ""},
      boxes{"boxes",
            "a node's children tile its box at its plane, and the root's box is the smallest around everything", true,
            ""},
      lists{"lists", "a leaf's primitives exist and ascend", true, ""},
      strange{"nothing strange", "a leaf lists only primitives whose box reaches to it", true, ""},
      lost{"nothing lost", "a leaf lists everything that reaches into it", true, ""};
  if (!tree.data) {
    same.fail("it has no data");
    return {same};
  }
  const PointSet& held = tree.data->points;
  if (held.dim != input.dim || held.type != input.type || held.stride() != input.stride())
    same.fail("the tree's points are of another kind");
  else if (held.size() != input.size())
    same.fail("it is over " + std::to_string(held.size()) + " points, the input has " + std::to_string(input.size()));
  else if (held.words != input.words)
    same.fail("points have changed");
  else if (tree.primitive == Primitive::triangle && held.dim != 3)
    same.fail("its triangles are not in three dimensions");
  else if (tree.primitive == Primitive::triangle &&
           std::ranges::any_of(tree.data->triangles, [&](std::uint32_t v) { return v >= held.size(); }))
    same.fail("a triangle has a vertex that there is not");
  if (!same.passed) return {same};
  const Looked on{tree, held};
  if (!sound(on, nodes, positions)) return {same, nodes, positions};
  check_boxes(on, boxes);
  check_lists(on, lists, strange);
  if (lists.passed) {
    if (tree.primitive == Primitive::point)
      check_points(on, lost, strange);
    else
      check_triangles(on, lost);
  }
  std::vector<CheckResult> findings{same, nodes, positions, boxes, lists, strange, lost};
  if (rules && held.dim <= 3) findings.push_back(check_split_plane_rules(tree, *rules));
  return findings;
}

CheckResult check_split_plane_rules(const SplitPlaneTree& tree, const SplitPlaneRules& rules) {
  CheckResult found{"rules",
                    "every node is what T, C_e, C_ts and the bounds make of it: large nodes are cut and halved, small "
                    "ones split at least cost",
                    true, ""};
  const ReasonedTree reference = reasoned_tree(tree.data, tree.primitive, rules);
  const SplitPlaneTree& wanted = reference.tree;
  const Looked on{tree, tree.data->points}, reference_on{wanted, tree.data->points};
  // Both trees agree up to the first differing node, so the rules apply to the same parts there.
  for (std::uint32_t i = 0; i < std::min(tree.size(), wanted.size()) && found.passed; ++i) {
    const bool splits =
        tree.split_dim[i] == wanted.split_dim[i] && (tree.is_leaf(i) || on.split_key(i) == reference_on.split_key(i));
    bool box = true;
    for (std::uint32_t side = 0; side < on.sides; ++side) box = box && on.key(i, side) == reference_on.key(i, side);
    const std::string by_rule = node_name(i) + " is by the rules " + text_of(reference.rule[i]);
    if (!box)
      found.fail(node_name(i) + "'s volume is not that of the rules");
    else if (!splits)
      found.fail(by_rule + " (" + split_text(wanted, i) + "); it is " + split_text(tree, i));
    else if (tree.is_leaf(i) && !std::ranges::equal(on.listed(i), reference_on.listed(i)))
      found.fail(node_name(i) + " lists other primitives than the rules bring there");
  }
  if (tree.size() != wanted.size())
    found.fail("there are " + std::to_string(tree.size()) + " nodes, by the rules " + std::to_string(wanted.size()));
  if (tree.depth_bounded != wanted.depth_bounded)
    found.fail("it counts " + std::to_string(tree.depth_bounded) + " leaves by a bound, by the rules there are " +
               std::to_string(wanted.depth_bounded));
  return found;
}

}  // namespace kdscope
