// Tests all statements of Hu et al. 2015 about their example of ten points. The points were constructed to satisfy
// them.

#include "algorithms/trees/leaf_buckets/reference.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/leaf_buckets/verify.hpp"
#include "tests/builders/best_bin_first.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::hu_walkthrough_test {

namespace {

using Ids = std::vector<std::uint32_t>;

const std::vector<double> query{16, 21};

std::shared_ptr<const PointSet> ten_points() {
  const auto data = test::data("hu-10");
  return {data, &data->points};
}

BucketTree reference() { return reference_middle_split_tree(ten_points(), 2); }

/// Returns the points of a leaf in ascending order.
Ids bucket(const BucketTree& tree, std::uint32_t node) {
  Ids points;
  for (std::uint32_t i = 0; i < tree.count[node]; ++i)
    points.push_back(tree.point_of_position[tree.first[node] + i].value);
  std::sort(points.begin(), points.end());
  return points;
}

double split_value(const BucketTree& tree, std::uint32_t node) { return std::bit_cast<float>(tree.split_value[node]); }

/// Checks splits and leaves of the example, independently of the builder.
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
  const std::pair<std::uint32_t, Ids> leaves[] = {{4, {4, 9}}, {5, {2, 7}}, {7, {5, 8}},
                                                  {8, {3}},    {9, {0, 6}}, {10, {1}}};
  for (const auto& [node, points] : leaves) {
    INFO("leaf " << node);
    CHECK(tree.is_leaf(node));
    CHECK(bucket(tree, node) == points);
  }
  CHECK(test::first_failure(verify_bucket_tree(tree, *ten_points(), 2)) == "");
}

/// A table of Figure 2, or its counterpart in a later iteration: the rows after a step.
struct Table {
  const char* name;
  const char* step;
  std::vector<std::pair<const char*, const char*>> rows;
};

// The tables were derived by hand from the points, not taken from the builder.
const std::vector<Table> tables{
    {"a",
     "initialise sequences",
     {{"sequence(x)", "0 1 2 3 4 5 6 7 8 9"},
      {"sequence(y)", "0 1 2 3 4 5 6 7 8 9"},
      {"value(x)", "24 39 29 11 5 18 26 35 14 4"},
      {"value(y)", "27 28 3 16 20 7 23 8 11 30"}}},
    {"b",
     "sort dimensions",
     {{"sequence(x)", "9 4 3 8 5 0 6 2 7 1"},
      {"value(x)", "4 5 11 14 18 24 26 29 35 39"},
      {"sequence(y)", "2 5 7 8 3 4 6 0 1 9"},
      {"value(y)", "3 7 8 11 16 20 23 27 28 30"}}},
    {"c", "bounding box", {{"aabbMin", "4 3"}, {"aabbMax", "39 30"}}},
    {"d", "level 0 / split nodes", {{"split_dim", "0"}, {"split_value", "21.5"}}},
    {"d", "level 0 / number children", {{"parent", "- 0 0"}, {"child", "1 2 - - - -"}}},
    {"f, in x",
     "level 0 / relocation / pass 0 / mark",
     {{"left_right_mark(x)", "0 0 0 0 0 1 1 1 1 1"},
      {"owner(x)", "1 1 1 1 1 2 2 2 2 2"},
      {"owner", "0 0 0 0 0 0 0 0 0 0"}}},
    {"g", "level 0 / relocation / pass 0 / left counter", {{"left_counter(x)", "0 1 2 3 4 5 5 5 5 5"}}},
    {"h", "level 0 / relocation / pass 0 / relocate", {{"new_index(x)", "9 4 3 8 5 0 6 2 7 1"}}},
    {"f, in y",
     "level 0 / relocation / pass 1 / mark",
     {{"left_right_mark(y)", "1 0 1 0 0 0 1 1 1 0"}, {"owner(y)", "2 1 2 1 1 1 2 2 2 1"}}},
    {"j", "level 0 / relocation / pass 1 / left counter", {{"left_counter(y)", "0 0 1 1 2 3 4 4 4 4"}}},
    {"k",
     "level 0 / relocation / pass 1 / relocate",
     {{"new_index(y)", "5 8 3 4 9 2 7 6 0 1"}, {"sequence(y)", "2 5 7 8 3 4 6 0 1 9"}}},
    {"i",
     "level 0 / new owners",
     {{"new_owner", "1 1 1 1 1 2 2 2 2 2"},
      {"owner", "1 1 1 1 1 2 2 2 2 2"},
      {"sequence(x)", "9 4 3 8 5 0 6 2 7 1"},
      {"sequence(y)", "5 8 3 4 9 2 7 6 0 1"},
      {"value(y)", "7 11 16 20 30 3 8 23 27 28"}}},
    {"l to n", "level 0 / bounding boxes", {{"aabbMin", "4 3 4 7 24 3"}, {"aabbMax", "39 30 18 30 39 28"}}},
    {"second iteration", "level 1 / split nodes", {{"split_dim", "0 1 1"}, {"split_value", "21.5 18.5 15.5"}}},
    {"second iteration",
     "level 1 / number children",
     {{"child", "1 2 3 4 5 6 - - - - - - - -"}, {"parent", "- 0 0 1 1 2 2"}}},
    {"second iteration",
     "level 1 / relocation / pass 0 / relocate",
     {{"left_right_mark(x)", "1 1 0 0 0 1 1 0 0 1"},
      {"owner(x)", "4 4 3 3 3 6 6 5 5 6"},
      {"left_counter(x)", "0 0 0 1 2 3 3 3 4 5"},
      {"new_index(x)", "3 8 5 9 4 2 7 0 6 1"}}},
    {"second iteration",
     "level 1 / relocation / pass 1 / relocate",
     {{"left_right_mark(y)", "0 0 0 1 1 0 0 1 1 1"},
      {"owner(y)", "3 3 3 4 4 5 5 6 6 6"},
      {"left_counter(y)", "0 1 2 3 3 3 4 5 5 5"},
      {"new_index(y)", "5 8 3 4 9 2 7 6 0 1"}}},
    {"second iteration", "level 1 / new owners", {{"new_owner", "3 3 3 4 4 5 5 6 6 6"}}},
    {"second iteration",
     "level 1 / bounding boxes",
     {{"aabbMin", "4 3 4 7 24 3 11 7 4 20 29 3 24 23"}, {"aabbMax", "39 30 18 30 39 28 18 16 5 30 35 8 39 28"}}},
    {"third iteration",
     "level 2 / settle leaves",
     {{"bucket", "- - - 9 4 2 7 - - -"}, {"split_dim", "0 1 1 1 - - 0 - - - -"}}},
    {"third iteration",
     "level 2 / relocation / pass 0 / relocate",
     {{"left_right_mark(x)", "1 0 0 - - - - 0 0 1"},
      {"owner(x)", "8 7 7 - - - - 9 9 10"},
      {"left_counter(x)", "0 0 1 - - - - 2 3 4"},
      {"new_index(x)", "8 5 3 9 4 2 7 0 6 1"}}},
    {"third iteration",
     "level 2 / relocation / pass 1 / relocate",
     {{"left_right_mark(y)", "0 0 1 - - - - 0 0 1"},
      {"owner(y)", "7 7 8 - - - - 9 9 10"},
      {"left_counter(y)", "0 1 2 - - - - 2 3 4"},
      {"new_index(y)", "5 8 3 4 9 2 7 6 0 1"}}},
    {"third iteration", "level 2 / new owners", {{"new_owner", "7 7 8 4 4 5 5 9 9 10"}}},
    {"third iteration",
     "level 2 / bounding boxes",
     {{"aabbMin", "4 3 4 7 24 3 11 7 4 20 29 3 24 23 14 7 11 16 24 23 39 28"},
      {"aabbMax", "39 30 18 30 39 28 18 16 5 30 35 8 39 28 18 11 11 16 26 27 39 28"}}},
    {"the end",
     "level 3 / settle leaves",
     {{"bucket", "8 5 3 9 4 2 7 0 6 1"}, {"first", "0 0 5 0 3 5 7 0 2 7 9"}, {"count", "10 5 5 3 2 2 3 2 1 2 1"}}},
};

RunRequest request_for(Backend backend, const char* dimensions_at_once) {
  RunRequest request{{},      "hu",  {{"leaf_size", "2"}, {"dimensions_at_once", dimensions_at_once}},
                     backend, false, test::data("hu-10")};
  return request;
}

/// Returns a row as one line, with - for missing values.
std::string row_text(const Cursor& cursor, const char* row) {
  std::string line;
  for (std::uint64_t i = 0; i < cursor.row_size(row); ++i) {
    const std::string text = cursor.text(row, i);
    line += (i ? " " : "") + (text == std::to_string(no_id) ? "-" : text);
  }
  return line;
}

/// Checks the search of §III for the query of Figure 1 (b).
void check_search(const BucketTree& tree) {
  const test::BestBinFirst search = test::best_bin_first(tree, query);
  REQUIRE(search.leaves.size() == 2);
  CHECK(search.leaves[0].node == 4);
  CHECK(search.leaves[0].best_point == 4);
  CHECK(search.leaves[0].best_square == 122);
  // Both nodes that were skipped are nearer than point 4, and node 3 is the nearest.
  CHECK(search.leaves[0].waiting == std::vector<test::BestBinFirst::Entry>{{25, 3}, {64, 2}});
  CHECK(search.starts == Ids{3});
  CHECK(search.leaves[1].node == 8);
  CHECK(search.leaves[1].best_point == 3);
  CHECK(search.leaves[1].best_square == 50);
  // The two remaining entries are further away than point 3, so the search ends.
  CHECK(search.leaves[1].waiting == std::vector<test::BestBinFirst::Entry>{{64, 2}, {100, 7}});
}

void check_walkthrough(Backend backend) {
  const auto trace = record(request_for(backend, "1")).value();
  CHECK(test::first_failure(*trace) == "");
  CHECK(trace->header.backend == name_of(backend));
  Cursor cursor(trace);
  for (const Table& table : tables) {
    INFO("table " << table.name << ", " << table.step);
    const auto steps = steps_matching(*trace, table.step);
    REQUIRE(steps.size() == 1);
    CHECK((steps[0] == 0 || steps[0] > cursor.step()));
    cursor.seek(steps[0]);
    for (const auto& [row, text] : table.rows) {
      INFO(row);
      CHECK(row_text(cursor, row) == text);
    }
  }
  CHECK(cursor.step() + 1 == cursor.step_count());
  // Three iterations move points.
  CHECK(steps_matching(*trace, "new owners").size() == 3);
  CHECK(trace->header.tree_hash == tree_hash(reference()));

  for (const char* dimensions_at_once : {"1", "2", "auto"}) {
    const auto report = build(request_for(backend, dimensions_at_once)).value();
    const auto& tree = report.tree.as<BucketTree>();
    check_tree(tree);
    check_search(tree);
    CHECK(report.tree_hash == trace->header.tree_hash);
  }
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

TEST_CASE("the tables of the example are those of the ten points, on the CPU") { check_walkthrough(Backend::cpu); }

DEVICE_CASE("the tables of the example are those of the ten points, on CUDA", "[sanitize]") {
  check_walkthrough(Backend::cuda);
}

TEST_CASE("the search of the example gives the nearest point for any query") {
  const BucketTree tree = reference();
  for (int x = 0; x <= 44; ++x)
    for (int y = 0; y <= 34; ++y) {
      double nearest = INFINITY;
      for (std::uint32_t i = 0; i < 10; ++i)
        nearest =
            std::min(nearest, std::pow(tree.points->value(i, 0) - x, 2) + std::pow(tree.points->value(i, 1) - y, 2));
      CHECK(test::best_bin_first(tree, {double(x), double(y)}).leaves.back().best_square == nearest);
    }
}

}  // namespace kdscope::hu_walkthrough_test
