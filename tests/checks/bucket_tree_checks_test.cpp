// Compares the reference of the middle split with a tree derived by hand, and tests the checks: sound trees pass, and
// the responsible check reports every planted fault.
#include <algorithm>
#include <functional>
#include <map>

#include "algorithms/checks/sequence_checks.hpp"
#include "algorithms/trees/leaf_buckets/reference.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/leaf_buckets/verify.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::bucket_tree_checks_test {

namespace {

std::shared_ptr<const PointSet> ten_points() {
  return std::make_shared<PointSet>(
      points_from_rows<float>(2, {24, 27, 39, 28, 29, 3, 11, 16, 5, 20, 18, 7, 26, 23, 35, 8, 14, 11, 4, 30}));
}

std::string failed(const std::vector<CheckResult>& findings) {
  for (const CheckResult& f : findings)
    if (!f.passed) return f.name;
  return "";
}

}  // namespace

TEST_CASE("the reference splits the widest side in the middle, breadth first") {
  const BucketTree tree = reference_middle_split_tree(ten_points(), 2);
  CHECK(tree.parent == std::vector<std::uint32_t>{no_id, 0, 0, 1, 1, 2, 2, 3, 3, 6, 6});
  CHECK(tree.split_dim == std::vector<std::uint32_t>{0, 1, 1, 1, no_id, no_id, 0, no_id, no_id, no_id, no_id});
  const std::map<std::uint32_t, float> splits{{0, 21.5f}, {1, 18.5f}, {2, 15.5f}, {3, 11.5f}, {6, 31.5f}};
  for (const auto& [node, value] : splits) CHECK(tree.split_value[node] == word_of(value));
  CHECK(tree.count == std::vector<std::uint32_t>{10, 5, 5, 3, 2, 2, 3, 2, 1, 2, 1});
  CHECK(failed(verify_bucket_tree(tree, *ten_points(), 2)) == "");
}

TEST_CASE("the reference makes one leaf of points that coincide, and of few points") {
  const auto equal = std::make_shared<PointSet>(points_from_rows<float>(2, {1, 2, 1, 2, 1, 2}));
  CHECK(reference_middle_split_tree(equal, 1).size() == 1);
  const auto zeros = std::make_shared<PointSet>(points_from_rows<float>(1, {0.0f, -0.0f, 0.0f}));
  CHECK(reference_middle_split_tree(zeros, 1).size() == 1);
  CHECK(reference_middle_split_tree(ten_points(), 10).size() == 1);
  CHECK(reference_middle_split_tree(std::make_shared<PointSet>(points_from_rows<float>(3, {})), 1).size() == 0);
}

TEST_CASE("the verifier finds planted faults of a tree") {
  const auto points = ten_points();
  const BucketTree sound = reference_middle_split_tree(points, 2);
  const auto verdict = [&](const std::function<void(BucketTree&)>& plant, std::uint32_t leaf_size = 2) {
    BucketTree tree = sound;
    plant(tree);
    return failed(verify_bucket_tree(tree, *points, leaf_size));
  };
  CHECK(verdict([](BucketTree&) {}) == "");
  CHECK(verdict([](BucketTree& t) { t.parent.pop_back(); }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.parent[3] = 2; }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.left_child[1] = 900; }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.left_child[0] = no_id; }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.split_dim[0] = 2; }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.count[4] = 0; }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.first[10] = 4000000000u; }) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.point_of_position.pop_back(); }) == "nodes");
  // Plant a root that leaves the last point to no child but is otherwise sound: point 1, the only point at the right
  // and the upper end.
  CHECK(verdict(
            [](BucketTree& t) {
              const std::uint32_t last = t.point_of_position.back().value;
              BucketTree one{t.points, t.point_of_position, {no_id}, {no_id}, {no_id}, {0}, {0}, {9}, {}};
              for (const bool high : {false, true})
                for (std::uint32_t d = 0; d < 2; ++d) {
                  float end = high ? -1e9f : 1e9f;
                  for (std::uint32_t i = 0; i < 10; ++i)
                    if (i != last)
                      end = high ? std::max(end, static_cast<float>(t.points->value(i, d)))
                                 : std::min(end, static_cast<float>(t.points->value(i, d)));
                  one.box.push_back(word_of(end));
                }
              t = one;
            },
            0) == "nodes");
  CHECK(verdict([](BucketTree& t) { t.point_of_position[0] = t.point_of_position[1]; }) == "same points");
  CHECK(verdict([](BucketTree& t) { t.point_of_position[0] = {10}; }) == "same points");
  CHECK(verdict([](BucketTree& t) {
          auto moved = std::make_shared<PointSet>(*t.points);
          moved->words[3] = word_of(5.0f);
          t.points = moved;
        }) == "same points");
  CHECK(verdict([](BucketTree& t) { std::swap(t.point_of_position[0], t.point_of_position[9]); }) == "split sides");
  CHECK(verdict([](BucketTree& t) { t.split_value[0] = word_of(25.0f); }) == "split sides");
  CHECK(verdict([](BucketTree& t) { --t.first[2], ++t.count[2]; }) == "children partition their parent");
  CHECK(verdict([](BucketTree& t) { t.box[4] = word_of(3.0f); }) == "tight boxes");
  CHECK(verdict([](BucketTree&) {}, 3) == "leaves");
  CHECK(verdict([](BucketTree&) {}, 1) == "leaves");
  CHECK(verdict([](BucketTree&) {}, 0) == "");
}

TEST_CASE("the checks of a build find planted faults of its sequences") {
  const auto points = ten_points();
  std::vector<std::uint32_t> owner{1, 1, 1, 1, 1, 2, 2, 2, 2, 2};
  std::vector<PointId> x{{9}, {4}, {3}, {8}, {5}, {0}, {6}, {2}, {7}, {1}},
      y{{5}, {8}, {3}, {4}, {9}, {2}, {7}, {6}, {0}, {1}};
  const auto state = [&] { return SequenceState{owner, {x, y}, view_of(*points)}; };
  CHECK(check_sequences_agree(state()).passed);
  CHECK(check_sequences_sorted(state()).passed);
  std::swap(y[0], y[1]);
  CHECK(check_sequences_agree(state()).passed);
  CHECK_FALSE(check_sequences_sorted(state()).passed);
  std::swap(y[0], y[1]);
  std::swap(y[4], y[5]);
  CHECK_FALSE(check_sequences_agree(state()).passed);
  std::swap(y[4], y[5]);
  std::fill(owner.begin() + 5, owner.end(), no_id);  // the check requires nothing of settled leaves
  std::fill(y.begin() + 5, y.end(), PointId{77});
  CHECK(check_sequences_agree(state()).passed);
  y[0] = y[1];
  CHECK_FALSE(check_sequences_agree(state()).passed);
}

}  // namespace kdscope::bucket_tree_checks_test
