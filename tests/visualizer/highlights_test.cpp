// Tests the highlights of a step, and those that a lesson adds: in tables, trees and the marks of the view.

#include "visualizer/model/highlights.hpp"

#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/style/role_line.hpp"

using namespace kdscope;

namespace {

std::vector<std::uint32_t> indices(const std::vector<RoleMark>& marks, Role role) {
  std::vector<std::uint32_t> found;
  for (const RoleMark& mark : marks)
    if (mark.role == role) found.push_back(mark.index);
  return found;
}

}  // namespace

TEST_CASE("a lesson's highlights stand in the table beside those of the step") {
  const Cursor cursor = ten_points_at(2);  // pivots at 4 and 8, segments 1..6 and 7..9
  const std::vector<Highlight> added{{Role::compare, Space::position, {{2, 5}, {7, 9}}, {}},
                                     {Role::pivot, Space::position, {{9, 10}}, {}},
                                     {Role::read, Space::node, {{0, 1}}, {}}};
  const ArrayTable plain(cursor), table(cursor, nullptr, Space::position, {}, added);
  for (std::uint64_t c = 0; c < 10; ++c) {
    CAPTURE(c);
    CHECK(table.cell(1, c).compared == ((c >= 2 && c < 5) || c == 7 || c == 8));
    CHECK(table.cell(1, c).pivot == (c == 4 || c == 8 || c == 9));
    CHECK(table.cell(1, c).segment == plain.cell(1, c).segment);
    CHECK_FALSE(table.cell(1, c).read);  // belongs to another space
    CHECK_FALSE(plain.cell(1, c).compared);
  }
  CHECK(table.columns_with(Role::compare).size() == 2);
  CHECK(table.columns_with(Role::write).empty());
}

TEST_CASE("the view marks the points at highlighted positions, the tree the nodes") {
  const Cursor cursor = ten_points_at(3);
  const std::vector<Highlight> added{{Role::compare, Space::position, {{7, 9}}, {2}},
                                     {Role::write, Space::node, {{1, 2}}, {}},
                                     {Role::read, Space::dimension, {{0, 1}}, {}}};
  const RoleMarks marks = role_marks(cursor, added);
  std::vector<std::uint32_t> there;
  const ArrayTable table(cursor);
  for (const std::uint64_t position : {7, 8}) there.push_back(table.point_at(0, position)->value);
  std::sort(there.begin(), there.end());
  CHECK(indices(marks.points, Role::compare) == there);
  CHECK(indices(marks.nodes, Role::compare) == std::vector<std::uint32_t>{2});
  CHECK(indices(marks.nodes, Role::write) == std::vector<std::uint32_t>{1});
  CHECK(indices(marks.points, Role::read).empty());  // reading a dimension only sets the order of rows
  CHECK(role_marks(cursor).nodes.empty());
  const TreeDiagram tree = TreeDiagram::at(cursor, {}, nullptr, added);
  CHECK(tree.roles == marks.nodes);
}

TEST_CASE("pivots that a lesson adds count as the step's own") {
  const Cursor cursor = ten_points_at(3);
  const std::vector<PointId> own = points_with_role(cursor, Role::pivot);
  const std::vector<Highlight> added{{Role::pivot, Space::point, {{0, 1}}, {}}};
  const std::vector<PointId> all = points_with_role(cursor, Role::pivot, 100, added);
  CHECK(std::find(all.begin(), all.end(), PointId{0}) != all.end());
  for (const PointId point : own) CHECK(std::find(all.begin(), all.end(), point) != all.end());
}

TEST_CASE("the lines of the three roles differ by their strokes alone, long and short") {
  for (const double width : {8.0, 30.0, 400.0}) {
    const auto read = role_line(Role::read, width, 2), write = role_line(Role::write, width, 2),
               compare = role_line(Role::compare, width, 2);
    CHECK(write.size() == 1);
    REQUIRE(compare.size() == 2);
    CHECK(compare[0].up != compare[1].up);
    CHECK(read.size() >= 2);
    for (const Stroke& stroke : read) {
      CHECK(stroke.up == 0);
      CHECK((stroke.x0 >= 0 && stroke.x0 < stroke.x1 && stroke.x1 <= width + 1e-9));
    }
    CHECK(read.back().x1 == Approx(width));
  }
  for (const Role role : {Role::pivot, Role::segment, Role::settled}) CHECK(role_line(role, 30, 2).empty());
}

TEST_CASE("a step is told in the first sentence of the comment on its source, if that says what is done") {
  Trace trace = *ten_point_trace();
  Step step;
  trace.header.sources = {
      {"a", "a.hpp", 1, "/// Counts (at most n. of them)\n/// what is left. Work O(n).\nstruct Count {\n"},
      {"b", "b.hpp", 1, "/// The state of a block.\nstruct State {\n"},
      {"c", "c.hpp", 1, "/// Lists references [begin, end).\n"},
      {"e", "e.hpp", 1, "/// Leads each point down to level `Down` of the round.\n"},
      {"d", "d.hpp", 1, "struct Bare { /// Moves all.\n"}};
  const auto told = [&](const char* region) {
    step.code_anchor = region;
    return sentence_of(trace, step);
  };
  CHECK(told("a") == "Counts (at most n. of them) what is left.");
  for (const char* region : {"b", "c", "d", "e", "wald/update_tags"}) CHECK(told(region).empty());
}
