// Compares the reference of median stores with a tree derived by hand, and tests the checks: sound trees pass, and the
// responsible check reports every planted fault.
#include <functional>

#include "algorithms/checks/super_key_checks.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/median_stores/verify.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::median_store_checks_test {

namespace {

std::shared_ptr<const PointSet> some_points() {
  // Point 3 duplicates point 1, point 6 duplicates point 0.
  return std::make_shared<PointSet>(
      points_from_rows<std::int32_t>(2, {5, 1, 2, 7, 9, 4, 2, 7, 7, 7, 2, 3, 5, 1, 4, 4}));
}

std::string failed(const std::vector<CheckResult>& findings) {
  for (const CheckResult& f : findings)
    if (!f.passed) return f.name;
  return "";
}

}  // namespace

TEST_CASE("addresses halve an array at its lower median") {
  CHECK(store_levels(0) == 0);
  CHECK(store_levels(6) == 3);
  CHECK(store_slots(6) == 7);
  const auto is = [](PositionRange r, std::uint32_t begin, std::uint32_t end) {
    return r.begin == begin && r.end == end;
  };
  CHECK(is(array_at(6, 0, 0), 0, 6));
  CHECK(is(array_at(6, 1, 0), 0, 2));
  CHECK(is(array_at(6, 1, 1), 3, 6));
  CHECK(is(array_at(6, 2, 0), 0, 0));
  CHECK(is(array_at(6, 2, 1), 1, 2));
  CHECK(is(array_at(6, 2, 3), 5, 6));
  for (std::uint32_t n : {1u, 2u, 6u, 31u, 32u, 100u, 1025u}) {
    std::vector<int> taken(n, -1);
    for (int level = 0; level < store_levels(n); ++level) {
      std::uint32_t longest = 0, shortest = n;
      for (std::uint32_t a = 0; a < 1u << level; ++a) {
        const PositionRange range = array_at(n, level, a);
        longest = std::max(longest, range.size()), shortest = std::min(shortest, range.size());
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
          const std::uint32_t median = median_position(range);
          CHECK(side_of_position(n, level, i) == (i < median ? -1 : i > median));
        }
        if (range.size() > 0) taken[median_position(range)] = level;
      }
      CHECK(longest == longest_array(n, level));
      CHECK(longest - shortest <= 1);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      CHECK(taken[i] >= 0);
      if (taken[i] + 1 < store_levels(n)) CHECK(side_of_position(n, taken[i] + 1, i) == settled);
    }
  }
}

TEST_CASE("the reference drops duplicates and orders ties by the next coordinate") {
  const MedianStoreTree tree = reference_median_store_tree(some_points());
  CHECK(tree.removed == std::vector<PointId>{{3}, {6}});
  // By (x, y): 5 (2,3), 1 (2,7), 7 (4,4), 0 (5,1), 4 (7,7), 2 (9,4). The lower median is point 7.
  CHECK(tree.stores == std::vector<PointId>{{7}, {5}, {2}, {no_id}, {1}, {0}, {4}});
  CHECK(tree.less[7] == 5);
  CHECK(tree.greater[7] == 2);
  CHECK(tree.greater[5] == 1);
  CHECK(tree.less[5] == no_id);
  CHECK(failed(verify_median_store_tree(tree, *some_points())) == "");
}

TEST_CASE("the verifier finds planted corruption of a tree") {
  const auto points = some_points();
  const MedianStoreTree sound = reference_median_store_tree(points);
  const auto verdict = [&](const std::function<void(MedianStoreTree&)>& plant) {
    MedianStoreTree tree = sound;
    plant(tree);
    return failed(verify_median_store_tree(tree, *points));
  };
  CHECK(verdict([](MedianStoreTree&) {}) == "");
  CHECK(verdict([](MedianStoreTree& t) { t.stores[1] = {7}; }) == "same points");
  CHECK(verdict([](MedianStoreTree& t) { t.stores[1] = {99}; }) == "same points");
  CHECK(verdict([](MedianStoreTree& t) { t.stores[4] = {no_id}; }) == "same points");
  CHECK(verdict([](MedianStoreTree& t) { t.removed.pop_back(); }) == "same points");
  CHECK(verdict([](MedianStoreTree& t) {
          auto moved = std::make_shared<PointSet>(*t.points);
          moved->words[3] = word_of(5);
          t.points = moved;
        }) == "same points");
  CHECK(verdict([](MedianStoreTree& t) { t.removed[0] = {1}, t.stores[4] = {3}; }) == "duplicates");
  CHECK(verdict([](MedianStoreTree& t) { t.removed[0] = {0}, t.stores[5] = {3}; }) == "duplicates");
  CHECK(verdict([](MedianStoreTree& t) { std::swap(t.stores[3], t.stores[4]); }) == "balanced");
  CHECK(verdict([](MedianStoreTree& t) { t.stores.push_back({no_id}); }) == "balanced");
  CHECK(verdict([](MedianStoreTree& t) { std::swap(t.stores[1], t.stores[2]); }) == "super keys");
  CHECK(verdict([](MedianStoreTree& t) { std::swap(t.stores[5], t.stores[2]); }) == "super keys");
  CHECK(verdict([](MedianStoreTree& t) { t.less[5] = 1; }) == "references");
  CHECK(verdict([](MedianStoreTree& t) { t.greater[7] = no_id; }) == "references");
  CHECK(verdict([](MedianStoreTree& t) { t.greater.pop_back(); }) == "references");
  CHECK(verdict([](MedianStoreTree& t) { t.less.clear(), t.greater.clear(); }) == "");  // the stores alone are a tree
}

TEST_CASE("super-key order is checked with its ties") {
  const auto points = some_points();
  const PointsView view = view_of(*points);
  const std::vector<PointId> by_x{{5}, {1}, {3}, {7}, {0}, {6}, {4}, {2}};
  CHECK(check_super_key_order(by_x, view, 0, false).passed);
  CHECK_FALSE(check_super_key_order(by_x, view, 0, true).passed);
  CHECK_FALSE(check_super_key_order(by_x, view, 1, false).passed);
  CHECK_FALSE(check_super_key_order(std::vector<PointId>{{3}, {1}}, view, 0, false).passed);
  CHECK_FALSE(check_super_key_order(std::vector<PointId>{{1}, {5}}, view, 0, false).passed);
}

}  // namespace kdscope::median_store_checks_test
