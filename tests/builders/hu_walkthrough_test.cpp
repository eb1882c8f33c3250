// Everything that Hu et al. 2015 say of their example with ten points, and the points that were made to satisfy it.

#include "algorithms/checks/bucket_tree_checks.hpp"
#include "tests/builders/best_bin_first.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

using Ids = std::vector<std::uint32_t>;

const std::vector<double> query{16, 21};

std::shared_ptr<const PointSet> ten_points() {
  const auto data = test::data("hu-10");
  return {data, &data->points};
}

BucketTree reference() { return reference_middle_split_tree(ten_points(), 2); }

/// The points of a leaf, ascending.
Ids bucket(const BucketTree& tree, std::uint32_t node) {
  Ids points;
  for (std::uint32_t i = 0; i < tree.count[node]; ++i) points.push_back(tree.point_of_position[tree.first[node] + i].value);
  std::sort(points.begin(), points.end());
  return points;
}

double split_value(const BucketTree& tree, std::uint32_t node) { return std::bit_cast<float>(tree.split_value[node]); }

/// Splits and leaves of the example, whoever built the tree.
void check_tree(const BucketTree& tree) {
  REQUIRE(tree.size() == 11);
  CHECK(tree.parent == Ids{no_id, 0, 0, 1, 1, 2, 2, 3, 3, 6, 6});
  CHECK(tree.left_child == Ids{1, 3, 5, 7, no_id, no_id, 9, no_id, no_id, no_id, no_id});
  const struct {
    std::uint32_t node, dim;
    double value;
  } splits[] = {{0, 0, 21.5}, {1, 1, 18.5}, {2, 1, 15.5}, {3, 1, 11.5}, {6, 0, 31.5}};
  for (const auto& split : splits) {
    INFO("node " << split.node);
    CHECK(tree.split_dim[split.node] == split.dim);
    CHECK(split_value(tree, split.node) == split.value);
  }
  const std::pair<std::uint32_t, Ids> leaves[] = {{4, {4, 9}}, {5, {2, 7}}, {7, {5, 8}}, {8, {3}}, {9, {0, 6}}, {10, {1}}};
  for (const auto& [node, points] : leaves) {
    INFO("leaf " << node);
    CHECK(tree.is_leaf(node));
    CHECK(bucket(tree, node) == points);
  }
  CHECK(test::first_failure(verify_bucket_tree(tree, *ten_points(), 2)) == "");
}

/// §III: the search of the query of Figure 1 (b).
void check_search(const BucketTree& tree) {
  const test::BestBinFirst search = test::best_bin_first(tree, query);
  REQUIRE(search.leaves.size() == 2);
  CHECK(search.leaves[0].node == 4);
  CHECK(search.leaves[0].best_point == 4);
  CHECK(search.leaves[0].best_square == 122);
  // Both nodes that were passed by are nearer than point 4, and node 3 is the nearest.
  CHECK(search.leaves[0].waiting == std::vector<test::BestBinFirst::Entry>{{25, 3}, {64, 2}});
  CHECK(search.starts == Ids{3});
  CHECK(search.leaves[1].node == 8);
  CHECK(search.leaves[1].best_point == 3);
  CHECK(search.leaves[1].best_square == 50);
  // The two entries that are left lie further away than point 3, so the search ends.
  CHECK(search.leaves[1].waiting == std::vector<test::BestBinFirst::Entry>{{64, 2}, {100, 7}});
}

}  // namespace

TEST_CASE("the ten points satisfy all that the text of Hu et al. says of them before the first split") {
  const auto points = ten_points();
  REQUIRE(points->size() == 10);
  REQUIRE(points->dim == 2);
  const auto extreme = [&](std::uint32_t d, auto better) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < 10; ++i)
      if (better(points->value(i, d), points->value(best, d))) best = i;
    return best;
  };
  CHECK(extreme(0, std::less<>()) == 9);
  CHECK(extreme(0, std::greater<>()) == 1);
  CHECK(extreme(1, std::less<>()) == 2);
  CHECK((points->value(9, 0) + points->value(1, 0)) / 2 == 21.5);
  for (std::uint32_t d = 0; d < 2; ++d)  // no two coordinates are equal, so each sequence is the only sorted one
    for (std::uint32_t i = 0; i < 10; ++i)
      for (std::uint32_t j = 0; j < i; ++j) CHECK(points->value(i, d) != points->value(j, d));
}

TEST_CASE("the reference splits the ten points as the example does, and its query ends where the text says") {
  check_tree(reference());
  check_search(reference());
}

TEST_CASE("the search of the example gives the nearest point for any query") {
  const BucketTree tree = reference();
  for (int x = 0; x <= 44; ++x)
    for (int y = 0; y <= 34; ++y) {
      double nearest = INFINITY;
      for (std::uint32_t i = 0; i < 10; ++i)
        nearest = std::min(nearest, std::pow(tree.points->value(i, 0) - x, 2) + std::pow(tree.points->value(i, 1) - y, 2));
      CHECK(test::best_bin_first(tree, {double(x), double(y)}).leaves.back().best_square == nearest);
    }
}
