#include "algorithms/trees/left_balanced/tree.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("a tree's hash depends on everything in it, and not on the sign of zero") {
  LeftBalancedTree tree{points_from_rows<float>(2, {1, 2, 0, 4}), {{1}, {0}}, {0, 1}};
  const std::uint64_t hash = tree_hash(tree);
  LeftBalancedTree other = tree;
  other.points.words[2] = word_of(-0.0f);
  CHECK(tree_hash(other) == hash);
  other = tree, other.point_of_node = {{0}, {1}};
  CHECK(tree_hash(other) != hash);
  other = tree, other.split_dim[1] = 0;
  CHECK(tree_hash(other) != hash);
  other = tree, other.points.words[3] = word_of(5.0f);
  CHECK(tree_hash(other) != hash);
  other = tree, other.points.type = ScalarType::int32;
  CHECK(tree_hash(other) != hash);
  CHECK(tree_hash(LeftBalancedTree{points_from_rows<float>(2, {}), {}, {}}) !=
        tree_hash(LeftBalancedTree{points_from_rows<float>(3, {}), {}, {}}));
  // The hash is fixed here, so that a change of its definition is noticed.
  CHECK(hash == 0xb43c592a5398ad4eull);
}
