// Tests every state that Wald 2023, §5 prints, for all sorts, on both back ends.

#include "algorithms/trees/left_balanced/tree.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::wald_walkthrough_test {

namespace {

struct PrintedState {
  const char* step;
  const char* tags;
  const char* x;
  const char* y;
};

const std::vector<PrintedState> printed{
    {"initialise tags", "0 0 0 0 0 0 0 0 0 0", "10 46 68 40 25 15 44 45 62 53", "15 63 21 33 54 43 58 40 69 67"},
    {"level 0 / sort", "0 0 0 0 0 0 0 0 0 0", "10 15 25 40 44 45 46 53 62 68", "15 43 54 33 58 40 63 67 69 21"},
    {"level 0 / update tags", "1 1 1 1 1 1 0 2 2 2", "10 15 25 40 44 45 46 53 62 68", "15 43 54 33 58 40 63 67 69 21"},
    {"level 1 / sort", "0 1 1 1 1 1 1 2 2 2", "46 10 40 45 15 25 44 68 53 62", "63 15 33 40 43 54 58 21 67 69"},
    {"level 1 / update tags", "0 3 3 3 1 4 4 5 2 6", "46 10 40 45 15 25 44 68 53 62", "63 15 33 40 43 54 58 21 67 69"},
    {"level 2 / sort", "0 1 2 3 3 3 4 4 5 6", "46 15 53 10 40 45 25 44 68 62", "63 43 67 15 33 40 54 58 21 69"},
    {"level 2 / update tags", "0 1 2 7 3 8 9 4 5 6", "46 15 53 10 40 45 25 44 68 62", "63 43 67 15 33 40 54 58 21 69"},
    {"final sort", "0 1 2 3 4 5 6 7 8 9", "46 15 53 40 44 68 62 10 45 25", "63 43 67 33 58 21 69 15 40 54"},
};

std::string row_text(const Cursor& cursor, const char* row) {
  std::string text;
  for (std::uint64_t i = 0; i < cursor.row_size(row); ++i) text += (i ? " " : "") + cursor.text(row, i);
  return text;
}

void check_walkthrough(Backend backend) {
  for (const char* sort : {"radix", "comparator", "bitonic"}) {
    INFO(sort);
    const auto trace = record(test::wald_request(test::data("wald-10"), "round-robin", sort, backend)).value();
    CHECK(test::first_failure(*trace) == "");
    CHECK(trace->header.backend == name_of(backend));
    Cursor cursor(trace);
    for (const PrintedState& state : printed) {
      INFO(state.step);
      const auto steps = steps_matching(*trace, state.step);
      REQUIRE(steps.size() == 1);
      cursor.seek(steps[0]);
      CHECK(row_text(cursor, "tags") == state.tags);
      CHECK(row_text(cursor, "data[i].x") == state.x);
      CHECK(row_text(cursor, "data[i].y") == state.y);
    }
    // The printed states end with the final sort; the layout of the records follows it.
    CHECK(cursor.current().ordinal + 2 == cursor.step_count());
    CHECK(trace->steps.back().name == "lay out");
  }
}

}  // namespace

TEST_CASE("the ten-point walkthrough goes as printed, on the CPU") { check_walkthrough(Backend::cpu); }

DEVICE_CASE("the ten-point walkthrough goes as printed, on CUDA", "[sanitize]") { check_walkthrough(Backend::cuda); }

TEST_CASE("pivots and segments of the ten points are highlighted where the paper has them") {
  const auto trace = record(test::wald_request(test::data("wald-10"), "round-robin", "radix", Backend::cpu)).value();
  const auto highlight = [&](const char* step, Role role) {
    for (const Highlight& h : trace->steps[steps_matching(*trace, step).at(0)].highlights)
      if (h.role == role) return h;
    FAIL("no highlight");
    return Highlight{};
  };
  CHECK(highlight("level 0 / sort", Role::pivot).ranges == std::vector<IndexRange>{{6, 7}});
  CHECK(highlight("level 1 / sort", Role::segment).ranges == std::vector<IndexRange>{{1, 7}, {7, 10}});
  CHECK(highlight("level 1 / sort", Role::segment).nodes == std::vector<std::uint32_t>{1, 2});
  CHECK(highlight("level 1 / sort", Role::pivot).ranges == std::vector<IndexRange>{{4, 5}, {8, 9}});
  CHECK(highlight("level 2 / sort", Role::settled).ranges == std::vector<IndexRange>{{0, 3}});
}

/// The points of Figure 1 in the order of its tree.
const std::vector<std::pair<double, double>> figure{{7, 2}, {5, 4}, {9, 6}, {2, 3}, {4, 7}, {8, 1}};

TEST_CASE("the six points of Figure 1 give the figure's tree") {
  const auto report = build(test::wald_request(test::data("wald-6"), "round-robin", "radix", Backend::cpu)).value();
  const auto& tree = report.tree.as<LeftBalancedTree>();
  REQUIRE(tree.size() == figure.size());
  for (std::size_t i = 0; i < figure.size(); ++i) {
    CHECK(tree.points.value(i, 0) == figure[i].first);
    CHECK(tree.points.value(i, 1) == figure[i].second);
  }
}

TEST_CASE("a recording of the bitonic sort holds the records that it moves, and other sorts move none") {
  const auto of_sort = [](const char* sort) {
    return record(test::wald_request(test::data("wald-6"), "round-robin", sort, Backend::cpu)).value();
  };
  for (const char* sort : {"radix", "comparator"}) CHECK_FALSE(of_sort(sort)->find("record[i].x"));
  const auto trace = of_sort("bitonic");
  REQUIRE(trace->find("record[i].x"));
  REQUIRE(trace->find("record[i].y"));
  Cursor cursor(trace);
  cursor.seek(cursor.step_count() - 1);
  // The finished tree of the figure, in memory
  REQUIRE(cursor.row_size("record[i].x") == figure.size());
  for (std::size_t i = 0; i < figure.size(); ++i) {
    CHECK(cursor.number("record[i].x", i) == figure[i].first);
    CHECK(cursor.number("record[i].y", i) == figure[i].second);
  }
}

TEST_CASE("the recorded partition of the ten points is that of its tree") {
  const auto trace = record(test::wald_request(test::data("wald-10"), "round-robin", "bitonic", Backend::cpu)).value();
  Cursor cursor(trace);
  cursor.seek(steps_matching(*trace, "level 0 / update tags").at(0));
  CHECK(cursor.row_size(partition_arrays::parent) == 3);
  CHECK(cursor.number(partition_arrays::split_value, 0) == 46);
  CHECK(cursor.number(partition_arrays::split_dim, 0) == 0);
  CHECK(cursor.number(partition_arrays::split_dim, 1) == no_id);
  CHECK(cursor.number(partition_arrays::box, 1 * 4 + 2) == 46);  // node 1 ends in x where node 0 splits
  CHECK(cursor.number(partition_arrays::box, 2 * 4 + 0) == 46);
  CHECK(cursor.number(partition_arrays::node_of_point, 1) == 0);  // (46, 63) is the root
  cursor.seek(cursor.step_count() - 1);
  CHECK(cursor.row_size(partition_arrays::parent) == 10);
  CHECK(cursor.number(partition_arrays::split_dim, 4) == 0);
  CHECK(cursor.number(partition_arrays::split_dim, 5) == no_id);  // a leaf has no split
}

}  // namespace kdscope::wald_walkthrough_test
