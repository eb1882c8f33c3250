#include "visualizer/model/concealment.hpp"

#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/element_search.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/segments.hpp"
#include "visualizer/model/tree_diagram.hpp"

using namespace kdscope;

namespace {

Concealment rows(std::vector<std::string> names) {
  Concealment concealed;
  concealed.rows = std::move(names);
  return concealed;
}

ArrayTable table_of(const Cursor& now, const Cursor* before, const Concealment& concealed) {
  return ArrayTable(now, before, Space::position, {}, {}, concealed);
}

}  // namespace

TEST_CASE("a hidden row shows the same placeholder in every column, and nothing that follows from its values") {
  const Cursor now = ten_points_at(3), before = ten_points_at(2);
  const ArrayTable open = table_of(now, &before, {}), table = table_of(now, &before, rows({"tags"}));
  REQUIRE(table.rows().size() == open.rows().size());
  REQUIRE(table.rows()[1].name == "tags");
  CHECK(table.rows()[1].concealed);
  CHECK_FALSE(table.rows()[2].concealed);
  CHECK_FALSE(open.changes(1).empty());
  CHECK(table.changes(1).empty());
  for (std::uint64_t c = 0; c < 10; ++c) {
    const TableCell cell = table.cell(1, c);
    CHECK(cell.text == concealed_text);
    CHECK(cell.old_text.empty());
    CHECK_FALSE(cell.changed);
    // Tags are nodes, so colours and glyphs would give them away, in other rows too.
    for (std::size_t row = 0; row < table.rows().size(); ++row) {
      CHECK_FALSE(table.cell(row, c).node);
      CHECK_FALSE(table.cell(row, c).place);
    }
    CHECK(table.cell(3, c).text == open.cell(3, c).text);
    CHECK(table.point_at(3, c) == open.point_at(3, c));
  }
  CHECK(RowValues(now, table.rows()[1]).size() == 0);
  CHECK_FALSE(find_elements(now, table, Space::position, *parse_element_query("tags == 3")));
  CHECK_FALSE(find_elements(now, table, Space::position, *parse_element_query("node 3")));
  CHECK(find_elements(now, open, Space::position, *parse_element_query("tags == 3")));
}

TEST_CASE("a hidden value that the question's steps wrote keeps the value at the stop before, with its colours") {
  const Cursor now = ten_points_at(3), before = ten_points_at(2);
  Concealment concealed = rows({"tags"});
  concealed.before = 2;
  const ArrayTable table = table_of(now, nullptr, concealed), old = table_of(before, nullptr, {});
  for (std::uint64_t c = 0; c < 10; ++c) {
    CHECK(table.cell(1, c).text == concealed_text);
    CHECK(table.cell(1, c).old_text == old.cell(1, c).text);
    CHECK_FALSE(table.cell(1, c).changed);
    for (std::size_t row = 0; row < table.rows().size(); ++row) {
      const auto point = table.point_at(row, c);
      std::uint64_t then = 0;
      while (old.point_at(row, then) != point) ++then;
      CHECK(table.cell(row, c).node == old.cell(row, then).node);
    }
  }
  // Where nothing was written since, the value before is the answer; a place in the view may be one, too
  concealed.before = 3;
  CHECK(table_of(now, nullptr, concealed).cell(1, 0).old_text.empty());
  concealed.before = 2, concealed.place = true;
  CHECK(table_of(now, nullptr, concealed).cell(1, 0).old_text.empty());
  CHECK_FALSE(table_of(now, nullptr, concealed).cell(1, 0).node);
}

TEST_CASE("a hidden order hides which points the positions stand for") {
  const Cursor now = ten_points_at(3);
  const ArrayTable table = table_of(now, nullptr, rows({"index"}));
  for (std::size_t row = 0; row < table.rows().size(); ++row) CHECK_FALSE(table.point_at(row, 4));
  CHECK(table.cell(1, 4).text == "1");  // tags
  CHECK(table.cell(2, 4).text == concealed_text);
  CHECK_FALSE(find_elements(now, table, Space::position, *parse_element_query("p7")));
  CHECK(rows({"index"}).hides_nodes(now.trace()));
}

TEST_CASE("rows are hidden by their label too") {
  CHECK(table_of(ten_points_at(3), nullptr, rows({"data[i].x"})).cell(3, 0).text == concealed_text);
  CHECK_FALSE(rows({"data[i].x"}).hides_nodes(ten_points_at(3).trace()));
}

TEST_CASE("hidden marks leave segments") {
  const Cursor now = ten_points_at(2);
  Concealment concealed;
  concealed.marks = true;
  const Highlight added{Role::compare, Space::position, {{0, 2}}, {}};
  const ArrayTable table(now, nullptr, Space::position, {}, std::span(&added, 1), concealed);
  for (std::uint64_t c = 0; c < 10; ++c) {
    CHECK_FALSE(table.cell(1, c).pivot);
    CHECK_FALSE(table.cell(1, c).settled);
    CHECK_FALSE(table.cell(1, c).compared);
    CHECK(table.cell(1, c).segment == (c > 0));
  }
  CHECK(role_marks(now, std::span(&added, 1), concealed).points.empty());
  CHECK(points_with_role(now, Role::pivot, 10, {}, concealed).empty());
  CHECK(points_with_role(now, Role::pivot, 10).size() == 2);
  const TreeDiagram open = TreeDiagram::at(now), hidden = TreeDiagram::at(now, {}, nullptr, {}, concealed);
  CHECK(open.levels[1].pivots == 2);
  CHECK(hidden.levels[1].pivots == 0);
  CHECK(hidden.node_count == open.node_count);
}

TEST_CASE("a hidden tree has neither nodes nor levels, hidden splits leave the domain") {
  const Cursor now = ten_points_at(3);
  Concealment concealed;
  concealed.tree = concealed.splits = true;
  const TreeDiagram tree = TreeDiagram::at(now, {}, nullptr, {}, concealed);
  CHECK(tree.nodes.empty());
  CHECK(tree.levels.empty());
  CHECK(tree.final_levels == 0);
  // It is whole again afterwards, although it may take the layout from the hidden one.
  CHECK(TreeDiagram::at(now, {}, &tree).nodes.size() == TreeDiagram::at(now).nodes.size());
  const Partition open = Partition::at(now), hidden = Partition::at(now, {}, concealed);
  CHECK_FALSE(open.planes().empty());
  CHECK(hidden.planes().empty());
  CHECK(hidden.cells().empty());
  CHECK(hidden.nodes().empty());
  CHECK(hidden.domain().lo == open.domain().lo);
  CHECK(hidden.domain().hi == open.domain().hi);
  Concealment changes;
  changes.changes = true;
  const Partition partition = Partition::at(now, {}, changes);
  for (const PartitionPlane& plane : partition.planes()) CHECK_FALSE(plane.fresh);
}

TEST_CASE("what several questions hide adds up") {
  Concealment all;
  CHECK_FALSE(all);
  all.add(rows({"tags"}));
  Concealment marks = rows({"tags", "index"});
  marks.marks = true;
  all.add(marks);
  CHECK(all == marks);
  CHECK(all.hides_values());
  Concealment code;
  code.code = true;
  CHECK(code);
  CHECK_FALSE(code.hides_values());
}
