// Tests the state that panes share beyond the step: baseline, bookmarks, edited points.

#include "algorithms/core/scalar.hpp"
#include "app/session/navigation.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;

namespace {

std::shared_ptr<const DataSet> moved(const DataSet& data, std::size_t point, float x) {
  auto copy = std::make_shared<DataSet>(data);
  copy->points.words[point * copy->points.stride()] = word_of(x);
  return copy;
}

}  // namespace

TEST_CASE("the baseline is the step before, the end of the level before, or a bookmark") {
  OpenWorkbench open;
  open.show_answers();
  Workbench& workbench = open.workbench;
  const auto starts = level_starts(*workbench.trace());
  REQUIRE(starts.size() > 2);
  workbench.seek(starts[2] + 1);
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == starts[2]);
  workbench.playback().compare_with({ComparedWith::previous_level});
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == starts[2] - 1);
  workbench.set_bookmark(3, "tags of level 0");
  workbench.playback().compare_with({ComparedWith::bookmark, 3});
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == 3);
  workbench.seek(3);
  CHECK(workbench.playback().baseline() == nullptr);
  workbench.seek(0);
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == 3);
}

TEST_CASE("bookmarks are kept in order, one a step") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  for (const std::uint32_t step : {5u, 2u, 9u, 2u}) workbench.set_bookmark(step, "note " + std::to_string(step));
  workbench.set_bookmark(5, "again");
  workbench.remove_bookmark(9);
  CHECK(workbench.session().bookmarks == std::vector<Bookmark>{{2, "note 2"}, {5, "again"}});
}

TEST_CASE("edits make the trace stale, undo makes it fresh, and running keeps what may be undone") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  const auto recorded = workbench.points();
  REQUIRE(recorded->points.size() == 10);
  CHECK_FALSE(workbench.stale());
  workbench.edit_points(moved(*recorded, 0, 71), "Move point 0");
  CHECK(workbench.stale());
  workbench.edit_points(moved(*workbench.points(), 1, 3), "Move point 1");
  workbench.undo_stack().undo();
  workbench.undo_stack().undo();
  CHECK_FALSE(workbench.stale());
  CHECK(workbench.points() == recorded);
  workbench.undo_stack().redo();
  REQUIRE(workbench.stale());
  const auto edited = workbench.points();
  const auto before = workbench.trace();
  workbench.run_again();
  REQUIRE(QTest::qWaitFor([&] { return !workbench.busy() && workbench.trace() != before; }, patience_ms));
  CHECK_FALSE(workbench.stale());
  CHECK(workbench.points() == edited);
  CHECK(workbench.trace()->header.tree_hash != before->header.tree_hash);
  workbench.undo_stack().undo();
  CHECK(workbench.stale());
  CHECK(workbench.points()->points.words == recorded->points.words);
  CHECK(workbench.points()->name == recorded->name);
  const auto second = workbench.trace();
  workbench.run_again();
  REQUIRE(QTest::qWaitFor([&] { return !workbench.busy() && workbench.trace() != second; }, patience_ms));
  CHECK(workbench.trace()->header.tree_hash == before->header.tree_hash);
}
