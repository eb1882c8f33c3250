#include <QSignalSpy>

#include "app/workbench/playback.hpp"
#include "tests/support/catch.hpp"
#include "tests/visualizer/orders_trace.hpp"

using namespace kdscope;

TEST_CASE("a playback opens at a step, moves, and emits one signal for each change") {
  Playback playback;
  CHECK(playback.cursor() == nullptr);
  CHECK(playback.step_count() == 0);
  playback.seek(3);  // nothing is open
  const QSignalSpy opened(&playback, &Playback::opened), stepped(&playback, &Playback::stepped),
      selected(&playback, &Playback::selected), axes_changed(&playback, &Playback::axes_changed);
  CHECK(stepped.isEmpty());

  const auto trace = orders_trace();
  const auto last = static_cast<std::uint32_t>(trace->steps.size() - 1);
  playback.open(Cursor(trace), {.step = 2});
  CHECK(opened.size() == 1);
  CHECK(stepped.isEmpty());
  playback.go_to(playback.step());
  CHECK(stepped.size() == 1);
  CHECK(selected.size() == 1);  // the selection of the previous run is cleared
  CHECK(axes_changed.size() == 1);
  CHECK(playback.cursor()->step() == 2);

  playback.seek(2);
  CHECK(stepped.size() == 1);
  CHECK(axes_changed.size() == 1);  // once per run
  playback.seek(1000);
  CHECK(playback.step() == last);
  CHECK(stepped.size() == 2);
  playback.seek(0);
  CHECK(playback.baseline() == nullptr);
  CHECK(playback.changes().size() == 0);
  playback.seek(1);
  REQUIRE(playback.baseline());
  CHECK(playback.baseline()->step() == 0);
  CHECK(playback.changes().size() > 0);
}

TEST_CASE("what does not fit a trace is dropped when it is opened") {
  Playback playback;
  Place place;
  place.step = 5000;
  place.baseline = {ComparedWith::bookmark, 5000};
  place.axes = Axes{7, 1, -1};
  playback.open(Cursor(orders_trace()), place);
  CHECK(playback.step() + 1 == playback.step_count());
  CHECK(playback.place().baseline == Baseline{});
  CHECK_FALSE(playback.place().axes);
  CHECK(playback.axes() == Axes{0, 1, -1});
}

TEST_CASE("elements that were picked in another run are selected with their nodes, where the trace has them") {
  Playback playback;
  playback.open(Cursor(orders_trace()), {.step = 0});
  const QSignalSpy selected(&playback, &Playback::selected);
  playback.select(SelectedElements{{1, 3, 77}, {5}, {}, {}});
  CHECK(selected.size() == 1);
  CHECK_FALSE(playback.selection());
  CHECK(playback.linked().points == std::vector<std::uint32_t>{1, 3});
  CHECK(playback.linked().triangles.empty());  // this run has none
  playback.select(SelectedElements{{1, 3, 77}, {5}, {}, {}});
  CHECK(selected.size() == 1);

  playback.select(Selection{Space::point, 2});
  CHECK(playback.linked().points == std::vector<std::uint32_t>{2});
  playback.select(Selection{});
  CHECK(playback.linked().points.empty());
  CHECK(selected.size() == 3);
}

TEST_CASE("the walk over changes goes from step to step and selects what it finds") {
  Playback playback;
  playback.open(Cursor(orders_trace()), {.step = 1});
  playback.go_to(1);
  const QSignalSpy walked(&playback, &Playback::change_walked);
  playback.walk_changes(1);
  CHECK(playback.change() == 0u);
  CHECK(playback.selection());
  for (std::uint64_t i = 0; i + 1 < playback.changes().size(); ++i) playback.walk_changes(1);
  CHECK(playback.change() == playback.changes().size() - 1);
  CHECK(playback.change_end() == 0);
  playback.walk_changes(1);
  CHECK(playback.change_end() == 1);
  const std::uint32_t before = playback.step();
  playback.walk_changes(1);
  CHECK(playback.step() > before);
  CHECK(playback.change() == 0u);
  CHECK(walked.size() > 2);
}

TEST_CASE("a playback that compares with another run shows every difference, step by step") {
  // The other run wrote other owners at step 1 and has a step less.
  const auto trace = orders_trace();
  auto changed = std::make_shared<Trace>(*trace);
  changed->steps.pop_back();
  for (Trace::Array& array : changed->arrays)
    if (array.info.name == "owner") array.versions[1].values = TypedArray::of(std::vector<std::uint32_t>{0, 2, 1, 7});
  const std::uint32_t wrote = changed->find("owner")->versions[1].step;

  Playback playback;
  playback.open(Cursor(trace), Place());
  playback.go_to(0);
  const QSignalSpy changed_baseline(&playback, &Playback::baseline_changed);
  playback.compare_with_run({changed, "the original"});
  CHECK(changed_baseline.size() == 1);
  CHECK(playback.walks_through_steps());
  REQUIRE(playback.baseline());
  CHECK(playback.baseline()->step() == 0);
  CHECK(playback.changes().size() == 0);  // although both have written everything by then
  playback.walk_changes(1);
  CHECK(playback.step() == wrote);
  REQUIRE(playback.change());
  const Change first = playback.changes().at(0);
  CHECK(first.array == "owner");
  CHECK(first.before != first.after);

  playback.seek(playback.step_count() - 1);
  CHECK(playback.baseline() == nullptr);  // the other run has no such step
  CHECK(playback.baseline_text() == "the original: it has no such step");
  playback.compare_with({ComparedWith::previous_step});
  CHECK(playback.baseline() != nullptr);
  playback.compare_with({ComparedWith::other_run});
  CHECK(playback.baseline() == nullptr);

  playback.open(Cursor(trace), playback.place());
  CHECK_FALSE(playback.other_run());
  CHECK(playback.place().baseline == Baseline{});
  playback.compare_with({ComparedWith::other_run});  // there is none
  CHECK(playback.place().baseline == Baseline{});
}
