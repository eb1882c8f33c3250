#include "algorithms/checks/bucket_tree_checks.hpp"

#include <algorithm>
#include <string>

#include "algorithms/core/middle_split.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string node_name(std::uint32_t node) { return "node " + number(node); }

/// Orders points by the coordinate of one dimension, then original index.
struct ByCoordinate {
  PointsView points;
  std::uint32_t dim;
  bool operator()(PointId a, PointId b) const {
    const std::uint32_t x = points.key(a.value, dim), y = points.key(b.value, dim);
    return x != y ? x < y : a < b;
  }
};

/// The smallest box of points, as ordered keys: k lower, then k upper ends.
std::vector<std::uint32_t> key_box(std::span<const PointId> of, const PointsView& points) {
  const std::uint32_t k = points.dim;
  std::vector<std::uint32_t> box(2 * std::size_t(k), 0);
  std::fill_n(box.begin(), k, 0xffffffffu);
  for (const PointId point : of)
    for (std::uint32_t d = 0; d < k; ++d) {
      const std::uint32_t key = points.key(point.value, d);
      box[d] = std::min(box[d], key);
      box[k + d] = std::max(box[k + d], key);
    }
  return box;
}

/// The words that stand at a box's sides: of the first and the last point in each dimension's order, so that of equal
/// coordinates 0.0 and -0.0 the same one is taken as a sorted sequence has at its ends.
std::vector<std::uint32_t> word_box(std::span<const PointId> of, const PointsView& points) {
  std::vector<std::uint32_t> box(2 * std::size_t(points.dim));
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    const auto [low, high] = std::minmax_element(of.begin(), of.end(), ByCoordinate{points, d});
    box[d] = points.word(low->value, d);
    box[points.dim + d] = points.word(high->value, d);
  }
  return box;
}

bool sound(const BucketTree& tree, const PointSet& input, Finding& found) {
  const std::size_t m = tree.size(), n = input.size();
  if (tree.left_child.size() != m || tree.split_dim.size() != m || tree.split_value.size() != m || tree.first.size() != m || tree.count.size() != m ||
      tree.box.size() != m * 2 * input.dim)
    found.fail("its arrays differ in length");
  else if (tree.point_of_position.size() != n) found.fail("it holds " + number(tree.point_of_position.size()) + " points, the input " + number(n));
  else if ((m == 0) != (n == 0)) found.fail("it has " + number(m) + " nodes for " + number(n) + " points");
  if (found.passed && m > 0 && (tree.first[0] != 0 || tree.count[0] != n)) found.fail("the root does not hold all points");
  for (std::uint32_t i = 0; i < m && found.passed; ++i) {
    const std::uint32_t left = tree.left_child[i], up = tree.parent[i];
    if (std::uint64_t(tree.first[i]) + tree.count[i] > n || tree.count[i] == 0) found.fail(node_name(i) + " has no points that exist");
    else if ((i == 0) != (up == no_id) || (up != no_id && up >= i)) found.fail(node_name(i) + " has parent " + number(up));
    else if (left != no_id && (left <= i || left + 1 >= m || tree.parent[left] != i || tree.parent[left + 1] != i)) found.fail(node_name(i) + " and its children do not name each other");
    else if (left == no_id && (tree.split_dim[i] != no_id || tree.split_value[i] != 0)) found.fail(node_name(i) + " is a leaf with a split");
    else if (left != no_id && tree.split_dim[i] >= input.dim) found.fail(node_name(i) + " splits a dimension that points do not have");
    else if (up != no_id && (tree.left_child[up] == no_id || i - tree.left_child[up] > 1)) found.fail(node_name(i) + " is no child of its parent");
  }
  return found.passed;
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
    const auto right = std::stable_partition(range.begin(), range.end(), [&](PointId p) { return view.key(p.value, dim) < value_key; });
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

std::vector<Finding> verify_bucket_tree(const BucketTree& tree, const PointSet& input, std::uint32_t leaf_size) {
  Finding nodes{"nodes", "every node has points, its parent precedes it, and children follow one another", true, ""},
      points{"same points", "each point of the input stands at one position, its record unchanged", true, ""},
      parts{"children partition their parent", "the left child's points stand in front of the right child's, and both are the parent's", true, ""},
      sides{"split sides", "coordinates below the split value are on the left, the others on the right, and neither side is empty", true, ""},
      boxes{"tight boxes", "a node's box is the smallest that holds its points", true, ""},
      leaves{"leaves", "nodes of more than leaf_size points are split unless their points coincide, no others", true, ""};
  if (!sound(tree, input, nodes)) return {nodes};
  const PointsView view = view_of(input);
  const std::uint32_t k = view.dim;
  std::vector<bool> seen(view.n);
  for (std::uint32_t i = 0; i < view.n && points.passed; ++i) {
    const std::uint32_t point = tree.point_of_position[i].value;
    if (point >= view.n || seen[point]) points.fail("position " + number(i) + " holds point " + number(point) + (point < view.n ? " once more" : ""));
    else seen[point] = true;
  }
  const PointsView held = view_of(*tree.points);
  if (held.n != view.n || held.dim != k || held.type != view.type || tree.points->words.size() != input.words.size()) points.fail("the tree's points are of another kind");
  for (std::uint32_t i = 0; i < view.n && points.passed; ++i)
    for (std::uint32_t d = 0; d < k; ++d)
      if (held.word(i, d) != view.word(i, d)) points.fail("point " + number(i) + " has changed");
  std::vector<Finding> found{nodes, points};
  if (!points.passed) return found;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const auto range = std::span<const PointId>(tree.point_of_position).subspan(tree.first[i], tree.count[i]);
    const std::vector<std::uint32_t> tight = key_box(range, view);
    const std::uint32_t* box = tree.box.data() + std::size_t(i) * 2 * k;
    bool extent = false;
    for (std::uint32_t d = 0; d < k; ++d) {
      extent = extent || tight[d] != tight[k + d];
      if (ordered_key(box[d], view.type) != tight[d] || ordered_key(box[k + d], view.type) != tight[k + d])
        boxes.fail(node_name(i) + "'s box differs from its points' in dimension " + number(d));
    }
    if (tree.is_leaf(i)) {
      if (leaf_size > 0 && tree.count[i] > leaf_size && extent) leaves.fail(node_name(i) + " keeps " + number(tree.count[i]) + " distinct points");
      continue;
    }
    if (leaf_size > 0 && tree.count[i] <= leaf_size) leaves.fail(node_name(i) + " was split with " + number(tree.count[i]) + " points");
    const std::uint32_t left = tree.left_child[i];
    if (tree.first[left] != tree.first[i] || tree.first[left + 1] != tree.first[left] + tree.count[left] || tree.count[left] + tree.count[left + 1] != tree.count[i])
      parts.fail(node_name(i) + "'s children do not share its points");
    const std::uint32_t value = ordered_key(tree.split_value[i], view.type);
    for (std::uint32_t at = 0; at < range.size() && sides.passed; ++at) {
      const bool right = view.key(range[at].value, tree.split_dim[i]) >= value;
      if (right != (at >= tree.count[left])) sides.fail("point " + number(range[at].value) + " is on the wrong side of " + node_name(i));
    }
  }
  found.insert(found.end(), {parts, sides, boxes});
  if (leaf_size > 0) found.push_back(leaves);
  return found;
}

static std::string name_of_sequence(const SequenceState& state, std::size_t d) { return d < state.names.size() ? state.names[d] : std::string(); }

Finding check_sequences_agree(const SequenceState& state) {
  Finding f{"sequences agree", "each node holds the same points in every dimension's sequence", true, ""};
  const std::size_t n = state.owner.size();
  std::vector<std::uint32_t> node_of_point(state.points.n, no_id);
  for (std::size_t d = 0; d < state.sequence.size(); ++d) {
    std::vector<bool> seen(state.points.n);
    for (std::size_t i = 0; i < n; ++i) {
      if (state.owner[i] == no_id) continue;
      const std::uint32_t point = state.sequence[d][i].value;
      const auto fail = [&](auto what) { f.fail_at(name_of_sequence(state, d), i, what); };
      if (point >= state.points.n || seen[point])
        fail([&] { return "position " + number(i) + " of dimension " + number(d) + " holds point " + number(point) + ", which does not exist or is there twice"; });
      else if (d > 0 && node_of_point[point] != state.owner[i])
        fail([&] { return "point " + number(point) + " is in " + node_name(state.owner[i]) + " in dimension " + number(d) + ", elsewhere in dimension 0"; });
      if (point >= state.points.n) continue;
      seen[point] = true;
      if (d == 0) node_of_point[point] = state.owner[i];
    }
  }
  return f;
}

Finding check_sequences_sorted(const SequenceState& state) {
  Finding f{"sequences sorted", "within a node each dimension's sequence ascends, equal coordinates by original index", true, ""};
  for (std::uint32_t d = 0; d < state.sequence.size(); ++d) {
    const ByCoordinate before{state.points, d};
    for (std::size_t i = 1; i < state.owner.size(); ++i) {
      if (state.owner[i] == no_id || state.owner[i] != state.owner[i - 1]) continue;
      const PointId a = state.sequence[d][i - 1], b = state.sequence[d][i];
      if (a.value >= state.points.n || b.value >= state.points.n || !before(a, b))
        f.fail_at(name_of_sequence(state, d), i, [&] { return "position " + number(i) + " of dimension " + number(d) + " is out of order"; });
    }
  }
  return f;
}

}  // namespace kdscope
