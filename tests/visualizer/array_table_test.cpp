#include "visualizer/model/array_table.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

std::string row_text(const ArrayTable& table, std::size_t row) {
  std::string text;
  for (std::uint64_t c = 0; c < table.column_count(); ++c) text += (c ? " " : "") + table.cell(row, c).text;
  return text;
}

}  // namespace

TEST_CASE("the table is laid out as the paper prints it") {
  const Cursor cursor = ten_points_at(3);
  const ArrayTable table(cursor);
  REQUIRE(table.rows().size() == 5);
  CHECK(table.rows()[0].label == "position");
  CHECK(row_text(table, 0) == "0 1 2 3 4 5 6 7 8 9");
  CHECK(table.rows()[1].name == "tags");
  CHECK(row_text(table, 1) == "0 3 3 3 1 4 4 5 2 6");
  CHECK(table.rows()[2].name == "index");
  CHECK(row_text(table, 2) == "p6 p0 p3 p5 p1 p2 p4 p9 p7 p8");
  CHECK(row_text(table, 3) == "46 10 40 45 15 25 44 68 53 62");
  CHECK(row_text(table, 4) == "63 15 33 40 43 54 58 21 67 69");
  CHECK(table.cell(9, 0).text.empty());
  CHECK(table.cell(1, 10).text.empty());
}

TEST_CASE("a table of some rows has these, in the usual order, and as many columns as the whole one") {
  const Cursor cursor = ten_points_at(3);
  const std::vector<RowName> only{{"index", 0}, {"tags", 0}, {"no such row", 0}};
  const ArrayTable table(cursor, nullptr, Space::position, {}, {}, {}, only), whole(cursor);
  REQUIRE(table.rows().size() == 3);
  CHECK(table.rows()[0].name.empty());
  CHECK(row_text(table, 1) == "0 3 3 3 1 4 4 5 2 6");
  CHECK(table.rows()[2].name == "index");
  CHECK(table.column_count() == whole.column_count());
  for (std::uint64_t c = 0; c < 10; ++c) CHECK(table.point_at(2, c) == whole.point_at(2, c));
  const std::vector<RowName> none{{"no such row", 0}};
  CHECK(ArrayTable(cursor, nullptr, Space::position, {}, {}, {}, none).column_count() == 10);
}

TEST_CASE("points are named p7, nodes and positions 7, and columns have room for the letter") {
  const Cursor cursor = ten_points_at(3), before = ten_points_at(2);
  const ArrayTable table(cursor);
  CHECK(table.text_width(0) == 1);
  CHECK(table.text_width(1) == 1);
  CHECK(table.text_width(2) == 2);
  for (std::uint64_t c = 0; c < 10; ++c)
    CHECK(table.cell(2, c).text == "p" + std::to_string(table.point_at(2, c).value().value));
  const ArrayTable of_points(cursor, nullptr, Space::point), of_nodes(cursor, nullptr, Space::node);
  CHECK(of_points.rows()[0].label == "point");
  CHECK(of_nodes.rows()[0].label == "node");
  // What a cell was before has a name too.
  const Cursor unsorted = ten_points_at(1);
  const ArrayTable sorted(before, &unsorted);
  CHECK(sorted.cell(2, 0).text == "p6");
  CHECK(sorted.cell(2, 0).old_text == "p0");
}

TEST_CASE("a column has one subtree in every row, and its colour follows from the node") {
  const Cursor cursor = ten_points_at(3);
  const ArrayTable table(cursor);
  for (std::uint64_t c = 0; c < 10; ++c) {
    const NodeId tag{printed_states()[3].tags[c]};
    for (std::size_t row = 0; row < table.rows().size(); ++row) {
      REQUIRE(table.cell(row, c).node == tag);
      CHECK(table.cell(row, c).place == place_of(tag));
    }
  }
  CHECK(table.point_at(0, 7) == PointId{9});
  CHECK_FALSE(table.point_at(0, 10));
}

TEST_CASE("roles of the step mark cells") {
  const Cursor cursor = ten_points_at(2);  // level 1, sorted: segments 1..6 and 7..9, pivots at 4 and 8
  const ArrayTable table(cursor);
  for (std::uint64_t c = 0; c < 10; ++c) {
    const TableCell cell = table.cell(1, c);
    CAPTURE(c);
    CHECK(cell.pivot == (c == 4 || c == 8));
    CHECK(cell.settled == (c == 0));
    CHECK(cell.segment == (c > 0));
    CHECK(cell.segment_first == (c == 1 || c == 7));
    CHECK(cell.segment_last == (c == 6 || c == 9));
  }
}

TEST_CASE("cells that differ from the baseline are changed and keep their old value") {
  const Cursor before = ten_points_at(0), now = ten_points_at(1);
  const ArrayTable table(now, &before);
  CHECK(table.cell(1, 0).changed);
  CHECK(table.cell(1, 0).old_text == "0");
  CHECK_FALSE(table.cell(1, 6).changed);
  CHECK_FALSE(table.cell(3, 0).changed);
  CHECK_FALSE(table.cell(0, 0).changed);
  CHECK(table.changes(1) == std::vector<IndexRange>{{0, 6}, {7, 10}});
  CHECK(table.changes(0).empty());
  CHECK_FALSE(ArrayTable(now).cell(1, 0).changed);
  const Cursor far = ten_points_at(6);
  CHECK(ArrayTable(far, &before).cell(1, 1).old_text == "0");
}

TEST_CASE("rows of several components become one row each") {
  TraceBuilder builder(tests::header_of(2, 3));
  builder.declare({"pairs", "pairs", ElementType::uint32, Space::position, Space::none, 3});
  builder.begin_step({});
  builder.write("pairs", TypedArray::of(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
  builder.begin_step({});
  builder.write("pairs", TypedArray::of(std::vector<std::uint32_t>{1, 2, 3, 4, 9, 6}));
  const auto trace = builder.finish();
  Cursor before(trace), now(trace);
  now.seek(1);
  const ArrayTable table(now, &before);
  REQUIRE(table.rows().size() == 4);
  CHECK(table.rows()[2].label == "pairs.y");
  CHECK(table.column_count() == 2);
  CHECK(row_text(table, 2) == "2 9");
  CHECK(table.changes(1).empty());
  CHECK(table.changes(2) == std::vector<IndexRange>{{1, 2}});
}

TEST_CASE("spaces with rows are listed, positions first; widths hold what is shown") {
  const auto trace = ten_point_trace();
  CHECK(table_spaces(*trace) == std::vector<Space>{Space::position});
  const Cursor cursor(trace);
  const ArrayTable table(cursor);
  for (std::size_t row = 0; row < table.rows().size(); ++row)
    for (std::uint64_t c = 0; c < 10; ++c) CHECK(table.cell(row, c).text.size() <= table.text_width(row));
}

TEST_CASE("a table of ten million columns is opened and read as fast as one of a thousand") {
  const auto trace_of = [](std::uint64_t n) {
    TraceBuilder builder(tests::header_of(n, 1));
    builder.declare({"tags", "tags", ElementType::uint32, Space::position, Space::node});
    Step step;
    step.highlights.push_back({Role::segment, Space::position, {{0, n / 2}, {n / 2, n}}, {1, 2}});
    builder.begin_step(step);
    builder.write("tags", TypedArray::of(std::vector<std::uint32_t>(n, 3)));
    return builder.finish();
  };
  const Cursor large(trace_of(10'000'000)), small(trace_of(1'000));
  std::size_t characters = 0;
  const auto read = [&](const Cursor& cursor) {
    for (int open = 0; open < 20; ++open) {
      const ArrayTable table(cursor, &cursor);
      REQUIRE(table.column_count() == cursor.trace().header.n);
      for (std::uint64_t c = 0; c < 60; ++c) characters += table.cell(1, table.column_count() - 1 - c).text.size();
    }
  };
  CHECK(test::cost_ratio([&] { read(large); }, [&] { read(small); }) < 5);
  CHECK(characters == 2 * 10 * 20 * 60);
}

TEST_CASE("columns are as wide as what they print: nothing known is a dash") {
  TraceBuilder builder(TraceHeader{});
  builder.declare(
      {"left_counter", "left_counter", ElementType::uint32, Space::position, Space::count, 1, {}, true, {}});
  builder.begin_step({});
  builder.write("left_counter", TypedArray::of(std::vector<std::uint32_t>{0, 12, no_id, 7}));
  const auto trace = builder.finish();
  const Cursor cursor(trace);
  const ArrayTable table(cursor);
  REQUIRE(table.rows().size() == 2);
  CHECK(table.cell(1, 2).text == "\u2013");
  CHECK(table.text_width(1) == 2);
}

TEST_CASE("bits are written in as many binary digits as their level has, and as numbers where these would be many") {
  for (const int deepest : {2, 6}) {
    TraceBuilder builder(tests::header_of(4, 1));
    builder.declare({"address", "address", ElementType::uint32, Space::position, Space::bit_mask});
    for (const int level : {0, 1, deepest}) {
      builder.begin_step(tests::named_step({"build", "pick"}, level));
      const std::vector<std::uint32_t> written = level == 0   ? std::vector<std::uint32_t>{0, 0, 0, 0}
                                                 : level == 1 ? std::vector<std::uint32_t>{0, 0, no_id, 1}
                                                              : std::vector<std::uint32_t>{0, 1, no_id, 2};
      builder.write("address", TypedArray::of(written));
    }
    Cursor now(builder.finish()), before = now;
    const auto text = [&](std::uint32_t step) {
      now.seek(step);
      return row_text(ArrayTable(now), 1);
    };
    CHECK(text(0) == "0 0 0 0");
    CHECK(text(1) == "0 0 \u2013 1");
    CHECK(text(2) == (deepest == 2 ? "00 01 \u2013 10" : "0 1 \u2013 2"));
    before.seek(1);
    const ArrayTable table(now, &before);
    CHECK(table.rows()[1].label == (deepest == 2 ? "address, binary" : "address"));
    CHECK(table.text_width(1) == (deepest == 2 ? 2 : 1));
    CHECK_FALSE(table.cell(1, 0).changed);
    CHECK(table.cell(1, 1).changed);
    CHECK(table.cell(1, 3).old_text == "1");
  }
}

TEST_CASE("a real number has as many digits as tell it from others, and short ones stay whole") {
  CHECK(shown_real("0.7151711", false) == "0.71517");
  CHECK(shown_real("-0.00205249", false) == "-0.0020525");
  CHECK(shown_real("0.47345", false) == "0.47345");
  CHECK(shown_real("0.47351", true) == "0.4735");
  CHECK(shown_real("-0.00314898", true) == "-0.0031");
  CHECK(shown_real("-1.2345e-08", true) == "-1.2e-08");
  CHECK(shown_real("123456.78", false) == "123457");  // no power of ten
  for (const bool shorter : {false, true})
    for (const char* text : {"12345678", "4294967295", "NaN", "0\u207a", "1110"})
      CHECK(shown_real(text, shorter) == text);
}

TEST_CASE("sets beside one another have equally many digits, and large ones are numbers") {
  for (const std::uint64_t widest : {0b1110ull, 1ull << 40}) {
    TraceBuilder builder(tests::header_of(0, 1));
    for (const char* name : {"set", "never written"})
      builder.declare({name, name, ElementType::uint64, Space::node, Space::bit_mask, 1, {}, true, {}});
    builder.declare({"elsewhere", "elsewhere", ElementType::uint64, Space::chunk, Space::none, 1, {}, true, {}});
    Step step;
    step.level = 1;
    builder.begin_step(step);
    builder.write("set", TypedArray::of<std::uint64_t>({widest, 0b100, 0}));
    const Cursor now(builder.finish());
    const ArrayTable table(now, nullptr, Space::node);
    REQUIRE(table.rows().size() == 2);  // an array that no step writes has no row
    CHECK(table_spaces(now.trace()) == std::vector<Space>{Space::node});
    const bool binary = widest < 16;
    CHECK(table.rows()[1].label == (binary ? "set, binary" : "set"));
    CHECK(row_text(table, 1) == (binary ? "1110 0100 0000" : "1099511627776 4 0"));
    CHECK(table.text_width(1) == (binary ? 4 : 13));
  }
}
