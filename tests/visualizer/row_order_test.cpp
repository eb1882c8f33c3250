#include "tests/support/catch.hpp"
#include "tests/visualizer/orders_trace.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope::row_order_test {

namespace {

constexpr auto none = no_id;

std::size_t row_named(const ArrayTable& table, const std::string& name) {
  for (std::size_t row = 1; row < table.rows().size(); ++row)
    if (table.rows()[row].name == name) return row;
  FAIL("no row " << name);
  return 0;
}

std::vector<std::uint32_t> points_of(const ArrayTable& table, const std::string& name) {
  std::vector<std::uint32_t> points;
  for (std::uint64_t c = 0; c < table.column_count(); ++c)
    points.push_back(table.point_at(row_named(table, name), c).value_or(PointId{none}).value);
  return points;
}

std::vector<std::uint32_t> nodes_of(const ArrayTable& table, const std::string& name) {
  std::vector<std::uint32_t> nodes;
  for (std::uint64_t c = 0; c < table.column_count(); ++c)
    nodes.push_back(table.cell(row_named(table, name), c).node.value_or(NodeId{none}).value);
  return nodes;
}

using Ids = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a pivot stands in another column of each order") {
  Cursor cursor(orders_trace());
  cursor.seek(1);
  const Highlight pivot{Role::pivot, Space::position, {{1, 2}}, {}};  // p0
  const ArrayTable table(cursor, nullptr, Space::position, {}, {&pivot, 1});
  const auto columns = [&](const char* row) {
    Ids columns;
    for (std::uint32_t column = 0; column < table.column_count(); ++column)
      if (table.is_pivot(row_named(table, row), column)) columns.push_back(column);
    return columns;
  };
  CHECK(columns("mark(x)") == Ids{1});
  CHECK(columns("mark(y)") == Ids{2});
}

TEST_CASE("a cell stands for the point of its own dimension's order") {
  Cursor cursor(orders_trace());
  cursor.seek(1);
  const ArrayTable table(cursor);
  CHECK(table.has_orders());
  for (const char* name : {"sequence(x)", "value(x)", "mark(x)", "owner(x)"})
    CHECK(points_of(table, name) == Ids{3, 0, 1, 2});
  for (const char* name : {"sequence(y)", "value(y)", "mark(y)", "owner(y)"})
    CHECK(points_of(table, name) == Ids{1, 3, 0, 2});
  CHECK(points_of(table, "owner") == Ids{none, none, none, none});
  CHECK(table.cell(row_named(table, "value(y)"), 0).text == "1");
}

TEST_CASE("cells wear the colour of the newest owner that their row has") {
  Cursor cursor(orders_trace());
  {
    const ArrayTable table(cursor);
    CHECK(nodes_of(table, "sequence(y)") == Ids{0, 0, 0, 0});
  }
  cursor.seek(1);
  {
    const ArrayTable table(cursor);
    CHECK(nodes_of(table, "owner") == Ids{0, 0, 0, 0});
    for (const char* name : {"sequence(y)", "value(y)", "mark(y)", "owner(y)"})
      CHECK(nodes_of(table, name) == Ids{2, 1, 1, 2});
    CHECK(nodes_of(table, "bucket") == Ids{0, 0, 0, 0});
  }
  cursor.seek(2);  // only the new row has moved points
  CHECK(nodes_of(ArrayTable(cursor), "new_index(y)") == Ids{1, 1, 2, 2});
  CHECK(nodes_of(ArrayTable(cursor), "mark(y)") == Ids{2, 1, 1, 2});
}

TEST_CASE("the rows that a step writes, with those of the same dimension before them") {
  Cursor cursor(orders_trace());
  const auto written = [&](std::uint32_t step) {
    cursor.seek(step);
    const ArrayTable table(cursor);
    const auto [begin, end] = table.written_rows();
    return begin == 0 ? std::string() : table.rows()[begin].name + " to " + table.rows()[end - 1].name;
  };
  CHECK(written(0) == "owner to bucket");
  CHECK(written(1) == "mark(x) to owner(y)");
  CHECK(written(4) == "sequence(y) to mark(y)");
  CHECK(written(5) == "lane to new_index(y)");  // with the dimension that the step works on
  CHECK(ArrayTable(cursor).written_rows(false) ==
        std::pair(row_named(ArrayTable(cursor), "lane"), row_named(ArrayTable(cursor), "lane") + 1));
  // Of the arrays that a step writes, list only those that differ: x is unchanged.
  cursor.seek(3);
  Cursor before = cursor;
  before.seek(2);
  const ArrayTable table(cursor, &before);
  CHECK(table.rows()[table.written_rows(false).first].name == "owner");
  before.seek(3);
  cursor.seek(5);
  const ArrayTable lanes(cursor, &before);
  CHECK(lanes.written_rows(false) == std::pair(row_named(lanes, "lane"), row_named(lanes, "lane") + 1));
}

TEST_CASE("a row that is older than its order is read against the order that it was written for") {
  Cursor cursor(orders_trace());
  cursor.seek(3);
  const ArrayTable table(cursor);
  CHECK(points_of(table, "sequence(y)") == Ids{3, 0, 1, 2});
  CHECK(points_of(table, "new_index(y)") == Ids{3, 0, 1, 2});
  CHECK(points_of(table, "mark(y)") == Ids{1, 3, 0, 2});
  CHECK(nodes_of(table, "mark(y)") == Ids{2, 1, 1, 2});
  CHECK(nodes_of(table, "sequence(y)") == Ids{1, 1, 2, 2});
  CHECK(points_of(table, "bucket") == Ids{0, 3, none, none});
  CHECK(points_of(table, "owner") == Ids{0, 3, none, none});
  CHECK(table.order_of(row_named(table, "mark(y)")).positions_of(Ids{0, 3}) == std::vector<IndexRange>{{1, 3}});
  CHECK(table.order_of(row_named(table, "sequence(y)")).positions_of(Ids{0}) == std::vector<IndexRange>{{1, 2}});
}

TEST_CASE("a row of no dimension is read against the order that its step has worked on, also when that has moved on") {
  Cursor cursor(orders_trace());
  cursor.seek(5);
  CHECK(points_of(ArrayTable(cursor), "lane") == Ids{3, 0, 1, 2});
  CHECK(nodes_of(ArrayTable(cursor), "lane") == Ids{1, 1, 2, 2});
  cursor.seek(6);
  const ArrayTable table(cursor);
  CHECK(points_of(table, "sequence(y)") == Ids{0, 3, 2, 1});
  CHECK(points_of(table, "lane") == Ids{3, 0, 1, 2});
}

}  // namespace kdscope::row_order_test
