// Tests selection where each dimension has its own order, so that a position is a different point in each row.

#include "app/pseudocode/step_values.hpp"
#include "app/recording/run.hpp"
#include "app/select/selection.hpp"
#include "tests/support/catch.hpp"
#include "tests/visualizer/orders_trace.hpp"

namespace kdscope::orders_selection_test {

namespace {

std::vector<IndexRange> columns_of(const Cursor& cursor, const Selection& selection, const std::string& row) {
  const ArrayTable table(cursor);
  const auto rows = columns_in(table, cursor, selection, resolve_selection(cursor, selection), Space::position);
  REQUIRE(rows.size() == table.rows().size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (table.rows()[i].name == row) return rows[i];
  FAIL("no row " << row);
  return {};
}

using Ranges = std::vector<IndexRange>;

}  // namespace

TEST_CASE("a selected point is marked where each row has it, and nowhere in rows of no order") {
  Cursor cursor(orders_trace());
  cursor.seek(1);
  const Selection point{Space::point, 1};
  for (const char* row : {"sequence(x)", "value(x)", "mark(x)", "owner(x)"})
    CHECK(columns_of(cursor, point, row) == Ranges{{2, 3}});
  for (const char* row : {"sequence(y)", "value(y)", "mark(y)", "owner(y)"})
    CHECK(columns_of(cursor, point, row) == Ranges{{0, 1}});
  CHECK(columns_of(cursor, point, "owner").empty());
  CHECK(columns_of(cursor, point, "").empty());
  // A point that a question asks for is marked like one that was clicked; positions are those of all rows.
  const ArrayTable table(cursor);
  const auto asked = [&](const SelectedElements& elements) {
    return columns_in(table, cursor, {}, resolve_elements(cursor, elements), Space::position);
  };
  CHECK(asked({.points = {1}}) == columns_in(table, cursor, point, resolve_selection(cursor, point), Space::position));
  CHECK(asked({.positions = {2}}) == std::vector<Ranges>{{{2, 3}}});
}

TEST_CASE("a click on a cell selects the point of its own row") {
  Cursor cursor(orders_trace());
  cursor.seek(1);
  const ArrayTable table(cursor);
  int clicked = 0;
  for (std::size_t row = 1; row < table.rows().size(); ++row)
    for (std::uint64_t column = 0; column < 4; ++column) {
      const Selection selected = persist_as_point(cursor, selection_of_cell(table, Space::position, row, column));
      const auto point = table.point_at(row, column);
      CAPTURE(table.rows()[row].label, column);
      if (!point) continue;
      ++clicked;
      CHECK(selected == Selection{Space::point, point->value});
      // The row marks the point where it was clicked.
      CHECK(columns_of(cursor, selected, table.rows()[row].name) == Ranges{{column, column + 1}});
    }
  CHECK(clicked >= 2 * 4 * 4);  // four rows in each of two orders
}

TEST_CASE("a range of one row stands for the points of its own order, a node for the same positions in all") {
  Cursor cursor(orders_trace());
  cursor.seek(1);
  const Selection range{Space::position, 0, "sequence(y)", 2};
  CHECK(resolve_selection(cursor, range).points == std::vector<std::uint32_t>{1, 3});
  CHECK(columns_of(cursor, range, "mark(y)") == Ranges{{0, 2}});
  CHECK(columns_of(cursor, range, "sequence(x)") == Ranges{{0, 1}, {2, 3}});
  cursor.seek(3);
  const Selection node{Space::node, 1};
  for (const char* row : {"sequence(x)", "sequence(y)", "bucket"})
    CHECK(columns_of(cursor, node, row) == Ranges{{0, 2}});
  CHECK(columns_of(cursor, node, "mark(y)") == Ranges{{1, 3}});  // written for the previous order
}

TEST_CASE("values of the selected point come from its place in each order") {
  Cursor cursor(orders_trace());
  cursor.seek(1);
  ValueScope scope{cursor};
  scope.selected = resolve_selection(cursor, {Space::point, 1});
  const StepValues values(cursor.trace());
  CHECK(values.value("sequence(y)", scope) == "p1");
  CHECK(values.value("mark(x)", scope) == "1");
  CHECK(values.value("owner(y)", scope) == "2");
  for (const SelectedElement& element : selected_elements(scope)) CHECK(element.name != "position");
}

TEST_CASE("in every step of every algorithm a clicked cell is marked in its own row") {
  int by_dimension = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    const auto recording = record_run({"uniform:n=37,dim=2,seed=5", algorithm.id, {}, Backend::cpu}).value();
    Cursor cursor(recording.trace);
    by_dimension += has_orders_by_dimension(cursor.trace());
    int clicked = 0, in_orders = 0;
    for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
      cursor.seek(step);
      const ArrayTable table(cursor);
      for (std::size_t row = 1; row < table.rows().size(); ++row)
        for (std::uint64_t column = step % 5; column < table.rows()[row].size; column += 5) {
          const auto point = table.point_at(row, column);
          const Selection selected = persist_as_point(cursor, selection_of_cell(table, Space::position, row, column));
          CAPTURE(algorithm.id, path_text(cursor.current()), table.rows()[row].label, column);
          if (!point) continue;
          ++clicked;
          in_orders += table.has_orders();
          REQUIRE(point->value < 37);
          if (table.has_orders()) REQUIRE(selected == Selection{Space::point, point->value});
          const auto marked = columns_in(table, cursor, selected, resolve_selection(cursor, selected), Space::position);
          if (table.has_orders()) REQUIRE(marked[row] == Ranges{{column, column + 1}});
          // A node that is drawn in a cell must exist.
          if (const auto node = table.cell(row, column).node)
            REQUIRE(node->value < cursor.row_size(partition_arrays::parent));
        }
    }
    INFO(algorithm.id);
    CHECK(clicked > 0);
    CHECK((in_orders > 0) == has_orders_by_dimension(cursor.trace()));
  }
  CHECK(by_dimension > 0);
}

}  // namespace kdscope::orders_selection_test
