// Tests one selection among split candidates, chunks and similar elements, shown in every space.
#include "app/select/selection.hpp"
#include "tests/support/catch.hpp"
#include "tests/visualizer/candidates_trace.hpp"

namespace kdscope::candidates_selection_test {

namespace {

using Ranges = std::vector<IndexRange>;

Ranges marked(const Cursor& cursor, const Selection& selection, Space space) {
  return indices_in(cursor, selection, resolve_selection(cursor, selection), space);
}

}  // namespace

TEST_CASE("a candidate that was tried stands for itself, its node, and a plane across that") {
  Cursor cursor(candidates_trace());
  cursor.seek(2);
  const Selection tried{Space::evaluation, 0};
  const LinkedSelection linked = resolve_selection(cursor, tried);
  CHECK(linked.node == 1u);
  REQUIRE(linked.plane);
  CHECK((*linked.plane == PlaneMark{NodeId{1}, 0, 2}));
  CHECK((marked(cursor, tried, Space::candidate) == Ranges{{2, 3}}));
  CHECK((marked(cursor, tried, Space::evaluation) == Ranges{{0, 1}}));
  CHECK((marked(cursor, tried, Space::node) == Ranges{{1, 2}}));
  const SelectionMarks marks = marks_of(tried, linked);
  CHECK(marks.framed == NodeId{1});
  CHECK(marks.plane == linked.plane);

  // A single candidate belongs to the node that tried it, otherwise to its root; its evaluations refer to it.
  const Selection candidate{Space::candidate, 1};
  CHECK((marked(cursor, candidate, Space::evaluation) == Ranges{{1, 2}}));
  CHECK(resolve_selection(cursor, candidate).plane->node == NodeId{1});
  cursor.seek(4);
  CHECK(resolve_selection(cursor, candidate).plane->node == NodeId{3});
  CHECK(resolve_selection(cursor, {Space::candidate, 3}).plane->node == NodeId{2});
  CHECK_FALSE(resolve_selection(cursor, {Space::candidate, 99}).plane);
}

TEST_CASE("a node marks what was tried at it, and the candidate that it took; a point its candidates") {
  Cursor cursor(candidates_trace());
  cursor.seek(2);
  CHECK((marked(cursor, {Space::node, 1}, Space::evaluation) == Ranges{{0, 2}}));
  CHECK((marked(cursor, {Space::node, 1}, Space::candidate) == Ranges{{2, 3}}));
  CHECK((marked(cursor, {Space::point, 3}, Space::candidate) == Ranges{{4, 5}}));
  CHECK(resolve_selection(cursor, {Space::node, 1}).triangles.empty());
}

TEST_CASE("triangles are told by their node's mask, and nodes by their triangle's bit") {
  Cursor cursor(candidates_trace(Space::triangle));
  cursor.seek(4);
  CHECK(resolve_selection(cursor, {Space::node, 3}).triangles == std::vector<std::uint32_t>{2, 4});
  CHECK((marked(cursor, {Space::node, 3}, Space::triangle) == Ranges{{2, 3}, {4, 5}}));
  const LinkedSelection triangle = resolve_selection(cursor, {Space::triangle, 2});
  CHECK(triangle.triangles == std::vector<std::uint32_t>{2});
  CHECK(triangle.nodes == std::vector<std::uint32_t>{3});
  CHECK(resolve_selection(cursor, {Space::candidate, 3}).triangles == std::vector<std::uint32_t>{1});
}

TEST_CASE("an element of a list that the next step makes anew hands its selection to its node") {
  Cursor cursor(candidates_trace());
  cursor.seek(2);
  const Selection tried{Space::evaluation, 1}, candidate{Space::candidate, 1}, point{Space::point, 3};
  CHECK(carried_over(cursor, tried, 3) == tried);
  CHECK((carried_over(cursor, tried, 4) == Selection{Space::node, 1}));
  CHECK((carried_over(cursor, {Space::evaluation, 99}, 4) == Selection{}));
  CHECK(carried_over(cursor, candidate, 4) == candidate);
  CHECK(carried_over(cursor, point, 4) == point);
}

}  // namespace kdscope::candidates_selection_test
