#include "visualizer/model/count_array.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/visualizer/counted_trace.hpp"
#include "visualizer/model/array_table.hpp"

using namespace kdscope;

namespace {

/// Checks that every cell counts as many elements as its number, and that every counted element is in the cell that
/// lists it.
void check_counts(const CountArray& counts, std::uint64_t expected_total) {
  std::uint64_t total = 0;
  for (std::uint64_t flat = 0; flat < counts.size(); ++flat) {
    CAPTURE(flat);
    REQUIRE(counts.flat(counts.cell(flat)) == flat);
    const auto elements = counts.elements(flat);
    CHECK(elements.size() == counts.value(flat));
    for (const std::uint64_t e : elements) CHECK(counts.cell_of(e) == flat);
    total += elements.size();
  }
  CHECK(total == expected_total);
}

}  // namespace

TEST_CASE("arrays whose dimensions name rows can be drawn, others cannot") {
  CHECK(CountArray::names(*counted_trace()) == std::vector<std::string>{"h", "H", "H_sum"});
  const auto early = CountArray::at(counted_at(0), "H");
  REQUIRE_FALSE(early);
  CHECK(early.error().message().find("step 1, build / level 1 / histogram creation") != std::string::npos);
  CHECK_FALSE(CountArray::at(counted_at(2), "unrelated"));
  CHECK_FALSE(CountArray::at(counted_at(2), "no such array"));
}

TEST_CASE("the ragged layout: chunks back to back, neighbours share a block") {
  const Cursor cursor = counted_at(1);
  const auto H = CountArray::at(cursor, "H");
  REQUIRE(H);
  CHECK(H->layers().name == "chunk");
  CHECK(H->rows().name == "digit");
  CHECK(H->columns().name == "block");
  CHECK(H->layer_count() == 2);
  CHECK(H->row_count() == 3);
  CHECK(H->slot_count() == 4);
  CHECK(H->first_column(0) == 0);
  CHECK(H->first_column(1) == 1);
  CHECK(H->flat({1, 2, 1}) == 11);
  CHECK(H->largest() == 2);
  check_counts(*H, 9);
  CHECK(H->elements(H->flat({0, 2, 0})) == std::vector<std::uint64_t>{0, 2});
  CHECK_FALSE(H->cell_of(5));  // the splitting element is not counted
  CHECK_FALSE(H->cell_of(10));
}

TEST_CASE("block-local histograms share the axes, and count relative to their block") {
  const Cursor cursor = counted_at(1);
  const auto h = CountArray::at(cursor, "h");
  REQUIRE(h);
  CHECK(h->layers().name == "chunk_rel");
  CHECK(h->rows().name == "digit");
  CHECK(h->columns().name == "block");
  CHECK(h->layer_count() == 2);
  CHECK(h->row_count() == 3);
  CHECK(h->slot_count() == 6);
  check_counts(*h, 9);
}

TEST_CASE("rows that count from the least value of all elements bear its number") {
  TraceHeader header;
  header.n = 4;
  TraceBuilder builder(header);
  const auto declare = [&](const char* name, Space index, std::vector<ArrayDimension> dimensions = {}) {
    ArrayInfo info;
    info.name = info.label = name;
    info.index_space = index;
    info.dimensions = std::move(dimensions);
    builder.declare(info);
  };
  declare("led to", Space::position);
  declare("bin", Space::position);
  declare("counts", Space::none, {{"node", "led to", true}, {"bin"}});
  builder.begin_step({});
  builder.write("led to", TypedArray::of(std::vector<std::uint32_t>{5, 6, 5, 6}));
  builder.write("bin", TypedArray::of(std::vector<std::uint32_t>{0, 1, 1, 1}));
  builder.write("counts", TypedArray::of(std::vector<std::uint32_t>{1, 1, 0, 2}));
  const Cursor cursor(builder.finish());
  const auto counts = CountArray::at(cursor, "counts");
  REQUIRE(counts);
  CHECK(counts->first_row() == 5);
  CHECK(counts->elements(counts->flat({0, 1, 1})) == std::vector<std::uint64_t>{1, 3});
}

TEST_CASE("sums keep the cells of the counts") {
  const Cursor cursor = counted_at(2);
  const auto sums = CountArray::at(cursor, "H_sum");
  REQUIRE(sums);
  CHECK(sums->text(sums->flat({1, 2, 1})) == "9");
  CHECK(sums->elements(sums->flat({0, 2, 0})) == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("a cell stands for the points that it counted, wherever they have moved") {
  const CountedRun run;
  for (const std::uint32_t step : {1u, 2u, 3u, 4u}) {
    const Cursor cursor = counted_at(step);
    const auto H = CountArray::at(cursor, "H");
    REQUIRE(H);
    CHECK(H->written_at() == 1);
    CHECK(H->point_of(0) == PointId{9});
    CHECK(H->cells_of({7, 9}, {}) == std::vector<std::uint64_t>{H->flat({0, 2, 0})});
    CHECK(H->cells_of({4}, {}).empty());
  }
}

TEST_CASE("contents that no shape fits are refused") {
  CountedRun run;
  run.counts.pop_back();
  CHECK_FALSE(CountArray::at(counted_at(2, counted_trace(run)), "H"));
  run = {};
  run.columns = {0, 3, 2};
  CHECK_FALSE(CountArray::at(counted_at(2, counted_trace(run)), "H"));
  run = {};
  run.local.pop_back();
  CHECK_FALSE(CountArray::at(counted_at(2, counted_trace(run)), "h"));
}

TEST_CASE("a trace at the address of an older one has its own shape") {
  CountedRun run;
  const auto first = counted_trace(run);
  run.digit = {1, 0, 1, 1, 0, no_id, 0, 1, 1, 0};
  run.counts = {1, 1, 3, 0, 2, 2, 0, 0};
  const auto second = counted_trace(run);
  Trace place = *first;
  const auto lend = [&] { return std::shared_ptr<const Trace>(&place, [](const Trace*) {}); };
  const Trace::Array* at = place.find("H");
  CHECK(CountArray::at(counted_at(1, lend()), "H")->row_count() == 3);
  place = *second;
  REQUIRE(place.find("H") == at);
  CHECK(CountArray::at(counted_at(1, lend()), "H")->row_count() == 2);
}

TEST_CASE("no id reads as a dash, in indices but not in keys") {
  const Cursor cursor = counted_at(1);
  const ArrayTable table(cursor);
  const auto digit =
      std::find_if(table.rows().begin(), table.rows().end(), [](const TableRow& row) { return row.name == "digit"; });
  REQUIRE(digit != table.rows().end());
  CHECK(table.cell(static_cast<std::size_t>(digit - table.rows().begin()), 5).text == "\u2013");
}
