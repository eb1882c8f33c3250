#include "algorithms/trees/leaf_buckets/verify.hpp"

#include <span>
#include <string>

#include "algorithms/trees/leaf_buckets/point_boxes.hpp"

namespace kdscope {
namespace {

using leaf_buckets::key_box;

std::string node_name(std::uint32_t node) { return "node " + std::to_string(node); }

bool sound(const BucketTree& tree, const PointSet& input, CheckResult& found) {
  const std::size_t m = tree.size(), n = input.size();
  if (tree.left_child.size() != m || tree.split_dim.size() != m || tree.split_value.size() != m ||
      tree.first.size() != m || tree.count.size() != m || tree.box.size() != m * 2 * input.dim)
    found.fail("its arrays differ in length");
  else if (tree.point_of_position.size() != n)
    found.fail("it holds " + std::to_string(tree.point_of_position.size()) + " points, the input " + std::to_string(n));
  else if ((m == 0) != (n == 0))
    found.fail("it has " + std::to_string(m) + " nodes for " + std::to_string(n) + " points");
  if (found.passed && m > 0 && (tree.first[0] != 0 || tree.count[0] != n))
    found.fail("the root does not hold all points");
  for (std::uint32_t i = 0; i < m && found.passed; ++i) {
    const std::uint32_t left = tree.left_child[i], up = tree.parent[i];
    if (std::uint64_t(tree.first[i]) + tree.count[i] > n || tree.count[i] == 0)
      found.fail(node_name(i) + " has no points that exist");
    else if ((i == 0) != (up == no_id) || (up != no_id && up >= i))
      found.fail(node_name(i) + " has parent " + std::to_string(up));
    else if (left != no_id && (left <= i || left + 1 >= m || tree.parent[left] != i || tree.parent[left + 1] != i))
      found.fail(node_name(i) + " and its children do not name each other");
    else if (left == no_id && (tree.split_dim[i] != no_id || tree.split_value[i] != 0))
      found.fail(node_name(i) + " is a leaf with a split");
    else if (left != no_id && tree.split_dim[i] >= input.dim)
      found.fail(node_name(i) + " splits a dimension that points do not have");
    else if (up != no_id && (tree.left_child[up] == no_id || i - tree.left_child[up] > 1))
      found.fail(node_name(i) + " is no child of its parent");
  }
  return found.passed;
}

}  // namespace

std::vector<CheckResult> verify_bucket_tree(const BucketTree& tree, const PointSet& input, std::uint32_t leaf_size) {
  CheckResult nodes{"nodes", "every node has points, its parent precedes it, and children follow one another", true,
                    ""},
      points{"same points", "each point of the input stands at one position, its record unchanged", true, ""},
      parts{"children partition their parent",
            "the left child's points stand in front of the right child's, and both are the parent's", true, ""},
      sides{"split sides",
            "coordinates below the split value are on the left, the others on the right, and neither side is empty",
            true, ""},
      boxes{"tight boxes", "a node's box is the smallest that holds its points", true, ""},
      leaves{"leaves", "nodes of more than leaf_size points are split unless their points coincide, no others", true,
             ""};
  if (!sound(tree, input, nodes)) return {nodes};
  const PointsView view = view_of(input);
  const std::uint32_t k = view.dim;
  std::vector<bool> seen(view.n);
  for (std::uint32_t i = 0; i < view.n && points.passed; ++i) {
    const std::uint32_t point = tree.point_of_position[i].value;
    if (point >= view.n || seen[point])
      points.fail("position " + std::to_string(i) + " holds point " + std::to_string(point) +
                  (point < view.n ? " once more" : ""));
    else
      seen[point] = true;
  }
  const PointsView held = view_of(*tree.points);
  if (held.n != view.n || held.dim != k || held.type != view.type || tree.points->words.size() != input.words.size())
    points.fail("the tree's points are of another kind");
  for (std::uint32_t i = 0; i < view.n && points.passed; ++i)
    for (std::uint32_t d = 0; d < k; ++d)
      if (held.word(i, d) != view.word(i, d)) points.fail("point " + std::to_string(i) + " has changed");
  std::vector<CheckResult> found{nodes, points};
  if (!points.passed) return found;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const auto range = std::span<const PointId>(tree.point_of_position).subspan(tree.first[i], tree.count[i]);
    const std::vector<std::uint32_t> tight = key_box(range, view);
    const std::uint32_t* box = tree.box.data() + std::size_t(i) * 2 * k;
    bool extent = false;
    for (std::uint32_t d = 0; d < k; ++d) {
      extent = extent || tight[d] != tight[k + d];
      if (ordered_key(box[d], view.type) != tight[d] || ordered_key(box[k + d], view.type) != tight[k + d])
        boxes.fail(node_name(i) + "'s box differs from its points' in dimension " + std::to_string(d));
    }
    if (tree.is_leaf(i)) {
      if (leaf_size > 0 && tree.count[i] > leaf_size && extent)
        leaves.fail(node_name(i) + " keeps " + std::to_string(tree.count[i]) + " distinct points");
      continue;
    }
    if (leaf_size > 0 && tree.count[i] <= leaf_size)
      leaves.fail(node_name(i) + " was split with " + std::to_string(tree.count[i]) + " points");
    const std::uint32_t left = tree.left_child[i];
    if (tree.first[left] != tree.first[i] || tree.first[left + 1] != tree.first[left] + tree.count[left] ||
        tree.count[left] + tree.count[left + 1] != tree.count[i])
      parts.fail(node_name(i) + "'s children do not share its points");
    const std::uint32_t value = ordered_key(tree.split_value[i], view.type);
    for (std::uint32_t at = 0; at < range.size() && sides.passed; ++at) {
      const bool right = view.key(range[at].value, tree.split_dim[i]) >= value;
      if (right != (at >= tree.count[left]))
        sides.fail("point " + std::to_string(range[at].value) + " is on the wrong side of " + node_name(i));
    }
  }
  found.insert(found.end(), {parts, sides, boxes});
  if (leaf_size > 0) found.push_back(leaves);
  return found;
}

}  // namespace kdscope
