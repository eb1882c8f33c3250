// Tests the state that panes share beyond the step: baseline, bookmarks, edited points.

#include <QSignalSpy>
#include <array>

#include "algorithms/core/scalar.hpp"
#include "app/recording/navigation.hpp"
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
  const auto starts = level_starts(*workbench.playback().trace());
  REQUIRE(starts.size() > 2);
  workbench.playback().seek(starts[2] + 1);
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == starts[2]);
  workbench.playback().compare_with({ComparedWith::previous_level});
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == starts[2] - 1);
  workbench.marks().set(3, "tags of level 0");
  workbench.playback().compare_with({ComparedWith::bookmark, 3});
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == 3);
  workbench.playback().seek(3);
  CHECK(workbench.playback().baseline() == nullptr);
  workbench.playback().seek(0);
  REQUIRE(workbench.playback().baseline());
  CHECK(workbench.playback().baseline()->step() == 3);
}

TEST_CASE("bookmarks are kept in order, one a step") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  for (const std::uint32_t step : {5u, 2u, 9u, 2u}) workbench.marks().set(step, "note " + std::to_string(step));
  workbench.marks().set(5, "again");
  workbench.marks().remove(9);
  CHECK(workbench.marks().all() == std::vector<Bookmark>{{2, "note 2"}, {5, "again"}});
}

TEST_CASE("a change is reported once, by the object that holds what changed") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  const QSignalSpy marks(&workbench.marks(), &Marks::changed), looks(&workbench.looks(), &Looks::changed),
      edits(&workbench.edits(), &PointEdits::changed), speed(&workbench.transport(), &Transport::speed_changed);
  using Counts = std::array<qsizetype, 4>;
  const auto counts = [&] { return Counts{marks.count(), looks.count(), edits.count(), speed.count()}; };
  workbench.marks().set(1, "");
  CHECK(counts() == Counts{1, 0, 0, 0});
  workbench.looks().set_part(&Appearance::surface, false);
  CHECK(counts() == Counts{1, 1, 0, 0});
  workbench.edits().edit(moved(*workbench.edits().points(), 0, 71), "Move point 0");
  CHECK(counts() == Counts{1, 1, 1, 0});
  workbench.transport().change_speed(1);
  CHECK(counts() == Counts{1, 1, 1, 1});
}

TEST_CASE("looks of a session are taken over, but for its camera and a theme that is unknown here") {
  Looks looks;
  looks.set_theme("dark");
  const CameraState camera{{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 1, true};
  looks.set_camera(camera);
  Appearance other;
  other.theme = "no such theme";
  other.surface = false;
  other.text_scale = 10'000;
  const QSignalSpy changed(&looks, &Looks::changed);
  CHECK_FALSE(looks.restore(other));
  CHECK(changed.count() == 1);
  CHECK(looks.appearance().theme == "dark");
  CHECK_FALSE(looks.appearance().surface);
  CHECK(looks.appearance().text_scale == max_text_scale);
  CHECK(looks.appearance().camera == camera);
  other.theme = "light";
  CHECK(looks.restore(other));
  CHECK(looks.appearance().theme == "light");
}

TEST_CASE("edits make the trace stale, undo makes it fresh, and running keeps what may be undone") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  const auto recorded = workbench.edits().points();
  REQUIRE(recorded->points.size() == 10);
  CHECK_FALSE(workbench.edits().stale());
  workbench.edits().edit(moved(*recorded, 0, 71), "Move point 0");
  CHECK(workbench.edits().stale());
  workbench.edits().edit(moved(*workbench.edits().points(), 1, 3), "Move point 1");
  workbench.undo_stack().undo();
  workbench.undo_stack().undo();
  CHECK_FALSE(workbench.edits().stale());
  CHECK(workbench.edits().points() == recorded);
  workbench.undo_stack().redo();
  REQUIRE(workbench.edits().stale());
  const auto edited = workbench.edits().points();
  const auto before = workbench.playback().trace();
  workbench.desk().run_again();
  REQUIRE(
      QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; }, patience_ms));
  CHECK_FALSE(workbench.edits().stale());
  CHECK(workbench.edits().points() == edited);
  CHECK(workbench.playback().trace()->header.tree_hash != before->header.tree_hash);
  workbench.undo_stack().undo();
  CHECK(workbench.edits().stale());
  CHECK(workbench.edits().points()->points.words == recorded->points.words);
  CHECK(workbench.edits().points()->name == recorded->name);
  const auto second = workbench.playback().trace();
  workbench.desk().run_again();
  REQUIRE(
      QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != second; }, patience_ms));
  CHECK(workbench.playback().trace()->header.tree_hash == before->header.tree_hash);
}
