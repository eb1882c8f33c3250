// Tests that the responsible check reports every planted fault.
#include "algorithms/checks/left_balanced_checks.hpp"

#include <functional>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/left_balanced/reference.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/left_balanced/verify.hpp"
#include "algorithms/trees/permutation.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::left_balanced_checks_test {

namespace {

PointSet some_points(std::uint32_t n, std::uint32_t dim, ScalarType type) {
  PointSet set;
  set.type = type;
  set.dim = dim;
  for (std::uint32_t i = 0; i < n * dim; ++i) {
    const std::int32_t value = static_cast<std::int32_t>(mix64(i) % 50);
    set.words.push_back(type == ScalarType::int32 ? word_of(value) : word_of(0.5f * static_cast<float>(value)));
  }
  return set;
}

std::string failed_checks(const std::vector<CheckResult>& findings) {
  std::string names;
  for (const CheckResult& f : findings)
    if (!f.passed) names += (names.empty() ? "" : ", ") + f.name;
  return names;
}

}  // namespace

TEST_CASE("the verifier accepts reference trees") {
  for (std::uint32_t n : {0u, 1u, 2u, 3u, 10u, 100u, 127u, 128u})
    for (std::uint32_t dim : {1u, 2u, 3u, 8u})
      for (ScalarType type : {ScalarType::float32, ScalarType::int32})
        for (Split split : {Split::round_robin, Split::widest}) {
          const PointSet points = some_points(n, dim, type);
          CHECK(failed_checks(verify_left_balanced_tree(reference_left_balanced_tree(points, split), points, split)) ==
                "");
        }
}

TEST_CASE("the verifier finds every planted corruption") {
  const PointSet points = some_points(100, 3, ScalarType::float32);
  for (Split split : {Split::round_robin, Split::widest}) {
    const LeftBalancedTree good = reference_left_balanced_tree(points, split);
    const auto found = [&](const std::function<void(LeftBalancedTree&)>& corrupt) {
      LeftBalancedTree tree = good;
      corrupt(tree);
      return failed_checks(verify_left_balanced_tree(tree, points, split));
    };
    const auto swap_nodes = [](LeftBalancedTree& tree, std::uint32_t a, std::uint32_t b) {
      std::swap(tree.point_of_node[a], tree.point_of_node[b]);
      for (std::uint32_t d = 0; d < 3; ++d) std::swap(tree.points.words[a * 3 + d], tree.points.words[b * 3 + d]);
    };
    CHECK(found([](LeftBalancedTree& t) { t.point_of_node.pop_back(), t.split_dim.pop_back(); }) == "size");
    CHECK(found([](LeftBalancedTree& t) { t.points.dim = 1; }) == "size");
    CHECK(found([](LeftBalancedTree& t) { t.point_of_node[7] = t.point_of_node[8]; }) == "permutation");
    CHECK(found([](LeftBalancedTree& t) { t.point_of_node[7] = {100}; }) == "permutation");
    CHECK(found([](LeftBalancedTree& t) { std::swap(t.point_of_node[7], t.point_of_node[8]); }).find("records") !=
          std::string::npos);
    CHECK(found([](LeftBalancedTree& t) { t.points.words[50] ^= 1; }).find("records") != std::string::npos);
    CHECK(found([](LeftBalancedTree& t) { t.split_dim[0] = 9; }).find("split dimensions") != std::string::npos);
    for (std::uint32_t node : {0u, 5u, 40u, 99u})
      CHECK(found([&](LeftBalancedTree& t) {
              t.split_dim[node] = static_cast<std::uint8_t>((t.split_dim[node] + 1) % 3);
            }).find("split dimensions") != std::string::npos);
    // Swap a parent with its child, and the children of two siblings, so that each is on the wrong side.
    for (std::uint32_t node : {1u, 2u, 6u, 20u, 49u})
      CHECK(found([&](LeftBalancedTree& t) { swap_nodes(t, node, 2 * node + 1); }).find("kd-order") !=
            std::string::npos);
    CHECK(found([&](LeftBalancedTree& t) { swap_nodes(t, 63, 99); }).find("kd-order") != std::string::npos);
  }
}

TEST_CASE("ties are part of the order: equal points in the wrong order are found") {
  const PointSet points = points_from_rows<std::int32_t>(1, {4, 4, 4});
  LeftBalancedTree tree = reference_left_balanced_tree(points, Split::round_robin);
  CHECK(tree.point_of_node == std::vector<PointId>{{1}, {0}, {2}});
  std::swap(tree.point_of_node[1], tree.point_of_node[2]);
  CHECK(failed_checks(verify_left_balanced_tree(tree, points, Split::round_robin)) == "kd-order");
}

TEST_CASE("a failed check counts its violations and names the elements, whatever their order") {
  CheckResult f{"tags in range", "every tag names a node", true, ""};
  for (const std::uint64_t i : {7u, 3u, 4u, 9u, 8u, 1u, 4u})
    f.fail_at("tags", i, [&] { return "tags[" + std::to_string(i) + "]"; });
  f.fail_at("index", 2, [] { return std::string("index[2]"); });
  CHECK(f.detail == "tags[7]");
  CHECK(f.array == "tags");
  CHECK(f.violations == 8);
  CHECK(f.elements == std::vector<IndexRange>{{1, 2}, {3, 5}, {7, 10}});

  // The ranges are bounded, but the count is not.
  CheckResult many;
  for (std::uint64_t i = 0; i < 3 * CheckResult::most_ranges; ++i)
    many.fail_at("tags", 2 * i, [] { return std::string("first"); });
  CHECK(many.violations == 3 * CheckResult::most_ranges);
  CHECK(many.elements.size() == CheckResult::most_ranges);

  // A check that stops at the first violation counts none.
  CheckResult stopped;
  stopped.fail("the segments end at 9");
  stopped.fail_at("tags", 1, [] { return std::string("tags[1]"); });
  CHECK(stopped.violations == 0);
  CHECK(stopped.elements.empty());
}

TEST_CASE("step checks name every element that violates them") {
  const PointSet points = points_from_rows<std::int32_t>(1, {10, 20, 30, 40, 50, 60, 70});
  std::vector<std::uint32_t> tags{0, 1, 1, 1, 2, 2, 2};
  std::vector<PointId> ids{{3}, {0}, {1}, {2}, {4}, {5}, {6}};
  const auto state = [&] { return TagState{tags, ids, {}, view_of(points)}; };
  CHECK(check_observation_3_2(state(), 1).passed);
  tags[2] = 2, tags[5] = 1, tags[6] = 1;
  const CheckResult segments = check_observation_3_2(state(), 1);
  CHECK(segments.detail == "tags[2] is 2 in the segment of 1");
  CHECK(segments.violations == 3);
  CHECK(segments.array == "tags");
  CHECK(segments.elements == std::vector<IndexRange>{{2, 3}, {5, 7}});
  tags[5] = tags[6] = 9;
  CHECK(check_tags_in_range(state(), 1).elements == std::vector<IndexRange>{{5, 7}});
  ids[4] = ids[6] = {3};
  const CheckResult permutation = check_permutation(ids);
  CHECK(permutation.elements == std::vector<IndexRange>{{4, 5}, {6, 7}});
  CHECK(permutation.array == "index");
}

TEST_CASE("step checks accept Wald's printed states and find planted faults in them") {
  // Use the state after step 1's sort (section 5).
  const PointSet points = points_from_rows<std::int32_t>(
      2, {10, 15, 46, 63, 68, 21, 40, 33, 25, 54, 15, 43, 44, 58, 45, 40, 62, 69, 53, 67});
  std::vector<std::uint32_t> tags{0, 1, 1, 1, 1, 1, 1, 2, 2, 2};
  std::vector<PointId> ids{{1}, {0}, {3}, {7}, {5}, {4}, {6}, {2}, {9}, {8}};
  const auto state = [&] { return TagState{tags, ids, {}, view_of(points)}; };
  CHECK(check_tags_in_range(state(), 1).passed);
  CHECK(check_observation_3_1(state(), 1).passed);
  CHECK(check_observation_3_2(state(), 1).passed);
  CHECK(check_kd_order_of_prefix(state(), 1).passed);
  CHECK(check_permutation(ids).passed);

  CHECK(!check_tags_in_range(state(), 0).passed);
  CHECK(!check_observation_3_1(state(), 2).passed);
  std::swap(ids[1], ids[2]);  // breaks the order in y
  CHECK(check_observation_3_2(state(), 1).detail == "positions 1 and 2 are out of order in dimension 1");
  std::swap(ids[1], ids[2]);
  tags[6] = 2;  // makes a segment too short
  CHECK(check_observation_3_2(state(), 1).detail == "tags[6] is 2 in the segment of 1");
  CHECK(check_observation_3_2(state(), 1).violations == 1);
  tags[6] = 1, tags[0] = 1;
  CHECK(!check_observation_3_1(state(), 1).passed);
  CHECK(!check_observation_3_2(state(), 1).passed);
  tags[0] = 0;
  ids[0] = {9};
  CHECK(check_permutation(ids).detail == "index[8] is 9, a second time");
  ids[0] = {1};

  // Use the final tree with the points of two subtrees exchanged.
  std::vector<std::uint32_t> final_tags{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<PointId> tree{{1}, {5}, {9}, {3}, {6}, {2}, {8}, {0}, {7}, {4}};
  const auto finished = [&] { return TagState{final_tags, tree, {}, view_of(points)}; };
  CHECK(check_kd_order_of_prefix(finished(), 10).passed);
  CHECK(check_observation_3_2(finished(), 4).passed);
  std::swap(tree[7], tree[9]);
  CHECK(!check_kd_order_of_prefix(finished(), 10).passed);
}

}  // namespace kdscope::left_balanced_checks_test
