// Tests that the run follows a point while it is dragged: what is on screen is always the run on the points as they
// are, and a drag is one command.

#include <QDir>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QTemporaryDir>

#include "app/panes/arrays_pane.hpp"
#include "app/point_editing/point_editor.hpp"
#include "app/point_editing/what_if.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

struct Dragging : OpenWorkbench {
  PointEditor& editor = *window.findChild<PointEditor*>();
  SceneView& view = window.scene();
  QWidget& canvas = *view.canvas();
  QPoint at{};

  explicit Dragging(const RunRequest& run = {"wald-10", "wald", {}, Backend::cpu}) {
    open_another([&] { workbench.desk().run(run); });
    editor.live_move().set_limit(patience_ms);  // the machine may be busy
    settle();
  }
  QPoint place(std::uint32_t point) {
    const auto& points = workbench.edits().points()->points;
    return view.place_of({points.value(point, 0), points.value(point, 1)}).value().toPoint();
  }
  QPoint place_of(double x, double y) { return view.place_of({x, y}).value().toPoint(); }
  void press_at(QPoint from) { QTest::mousePress(&canvas, Qt::LeftButton, {}, at = from); }
  /// Moves the mouse with the button held, in a few events.
  void move_to(QPoint to) {
    const QPoint from = at;
    for (int i = 1; i <= 4; ++i) {
      at = from + (to - from) * i / 4;
      QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&canvas, &move);
    }
    settle();
  }
  void release() {
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, at);
    settle();
  }
  std::vector<std::uint32_t> words() { return workbench.edits().points()->points.words; }
  QStringList shown_row(const std::string& name) {
    const ArrayTableView& table = window.arrays().view();
    QStringList texts;
    for (std::size_t row = 0; row < table.table()->rows().size(); ++row)
      if (table.table()->rows()[row].name == name)
        for (std::uint64_t c = 0; c < table.table()->column_count(); ++c) texts << table.shown_text(row, c);
    return texts;
  }
};

/// Builds the run of points again and compares everything with the trace on screen.
void check_fresh(Dragging& open) {
  RunRequest spec = open.workbench.desk().request();
  spec.points = std::make_shared<DataSet>(*open.workbench.edits().points());
  const auto fresh = record_run(spec).value();
  const Trace &now = *open.workbench.playback().trace(), &then = *fresh.trace;
  CHECK(now.header.tree_hash == then.header.tree_hash);
  REQUIRE(now.steps.size() == then.steps.size());
  Cursor a(open.workbench.playback().trace()), b(fresh.trace);
  for (std::uint32_t step = 0; step < now.steps.size(); ++step) {
    a.seek(step);
    b.seek(step);
    for (const Trace::Array& array : now.arrays) {
      if (array.info.gather) continue;
      const TypedArray *x = a.array(array.info.name), *y = b.array(array.info.name);
      REQUIRE((x != nullptr) == (y != nullptr));
      if (x) CHECK(*x == *y);
    }
  }
  // The table shows that state too.
  b.seek(open.step());
  const TypedArray& tags = *b.array("tags");
  const QStringList shown = open.shown_row("tags");
  REQUIRE(shown.size() == static_cast<int>(tags.size()));
  for (std::size_t i = 0; i < tags.size(); ++i) CHECK(shown[static_cast<int>(i)].toStdString() == tags.text(i));
}

}  // namespace

TEST_CASE("the run follows a dragged point before the button is released, and one undo restores everything",
          "[screen]") {
  Dragging open;
  open.workbench.playback().seek(steps_matching(*open.workbench.playback().trace(), "level 1 / update tags").front());
  const auto trace = open.workbench.playback().trace();
  const auto start = open.words();
  const std::uint32_t step = open.step();
  const int commands = open.workbench.undo_stack().count();
  open.press(Qt::Key_E);
  open.settle();
  const QPointF corner = open.view.place_of({20, 20}).value();
  open.press_at(open.place(1));
  for (const auto& [x, y] : {std::pair(30.0, 25.0), {60.0, 30.0}, {62.0, 70.0}}) {
    const auto before = open.workbench.playback().trace();
    open.move_to(open.place_of(x, y));
    CHECK(open.workbench.playback().trace() != before);
    CHECK_FALSE(open.workbench.edits().stale());
    CHECK(std::abs(open.workbench.edits().points()->points.value(1, 0) - x) <= 1);
    CHECK(open.step() == step);
    CHECK(path_text(open.workbench.playback().cursor()->current()) == path_text(trace->steps[step]));
    CHECK(open.workbench.undo_stack().count() == commands);  // the drag is not done
    check_fresh(open);
    CHECK(open.view.place_of({20, 20}).value() == corner);  // the picture stays under the mouse
  }
  open.release();
  const auto moved = open.words();
  CHECK(moved != start);
  CHECK(open.workbench.undo_stack().count() == commands + 1);
  CHECK(open.workbench.undo_stack().undoText() == "move point p1");
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.editor.chosen() == std::vector<std::uint32_t>{1});
  check_fresh(open);
  const auto after = open.workbench.playback().trace();

  open.press(Qt::Key_Z, Qt::ControlModifier);
  open.settle();
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(open.words() == start);
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.step() == step);
  open.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  open.settle();
  CHECK(open.workbench.playback().trace() == after);
  CHECK(open.words() == moved);
}

TEST_CASE("Escape takes a drag back, and a point that comes back to its place leaves nothing to undo", "[screen]") {
  Dragging open;
  const auto trace = open.workbench.playback().trace();
  const auto start = open.words();
  open.press(Qt::Key_E);
  open.settle();
  const int commands = open.workbench.undo_stack().count();
  open.press_at(open.place(1));
  open.move_to(open.place_of(60, 30));
  CHECK(open.workbench.playback().trace() != trace);
  open.press(Qt::Key_Escape);
  open.settle();
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(open.words() == start);
  open.move_to(open.place_of(20, 60));  // the button is still held, the point no more
  open.release();
  CHECK(open.words() == start);
  CHECK(open.workbench.undo_stack().count() == commands);
  CHECK(open.editor.editing());

  const QPoint home = open.place(1);
  open.press_at(home);
  open.move_to(open.place_of(60, 30));
  open.move_to(home);
  open.release();
  CHECK(open.words() == start);
  CHECK(open.workbench.undo_stack().count() == commands);
}

TEST_CASE("the frame holds all points again once a drag is taken back, and the view stays where the frame is the same",
          "[screen]") {
  Dragging open;
  open.press(Qt::Key_E);
  open.settle();
  const auto outside = [&] {
    std::size_t count = 0;
    const auto [left, bottom, right, top] = open.view.scene().frame_room();
    for (std::uint32_t point = 0; point < 10; ++point) {
      const auto at = open.view.scene().place_of_point({point}).value();
      count += at[0] < left - 1 || at[0] > right + 1 || at[1] < bottom - 1 || at[1] > top + 1;
    }
    return count;
  };
  const auto drag = [&](std::uint32_t point, double x, double y) {
    open.press_at(open.place(point));
    open.move_to(open.place_of(x, y));
    open.release();
  };
  REQUIRE(outside() == 0);
  drag(2, 50, 40);  // the one with the largest x
  open.view.set_camera_preset(CameraPreset::reset);
  open.settle();
  open.workbench.undo_stack().undo();
  open.settle();
  CHECK(outside() == 0);
  // A person looks at a part, and takes back a drag within the frame
  open.view.set_camera_preset(CameraPreset::reset);
  CameraState camera = open.view.camera();
  camera.parallel_scale *= 0.9;
  open.view.set_camera(camera);
  open.settle();
  drag(3, 42, 40);
  open.workbench.undo_stack().undo();
  open.settle();
  CHECK(open.view.camera().parallel_scale == camera.parallel_scale);
}

TEST_CASE("What if compares with the run before the drag while the point moves", "[screen]") {
  Dragging open;
  open.workbench.transport().last();
  const auto trace = open.workbench.playback().trace();
  WhatIf& what_if = *open.window.findChild<WhatIf*>();
  SceneView& view = open.window.scene();
  const QRect place_of_view(view.mapTo(&open.window, QPoint()), view.size());
  const QPoint another = open.place(6);
  const double mark = view.scene().mark_diameter();
  // Nothing moves or shrinks under the mouse, also where points come close.
  const auto check_still = [&] {
    CHECK(QRect(view.mapTo(&open.window, QPoint()), view.size()) == place_of_view);
    CHECK(open.place(6) == another);
    CHECK(view.scene().mark_diameter() == mark);
  };
  open.press(Qt::Key_W);
  open.settle();
  check_still();
  open.press_at(open.place(1));
  open.move_to(open.place(6) + QPoint(4, 0));
  check_still();
  open.move_to(open.place_of(60, 30));
  check_still();
  CHECK(open.workbench.desk().earlier_trace() == trace);
  REQUIRE(what_if.difference());
  CHECK_FALSE(what_if.difference()->empty());
  CHECK(open.find<QLabel>("edit_words").accessibleDescription() == what_if.words());
  open.release();
  CHECK(open.workbench.desk().earlier_trace() == trace);

  // A second drag is compared with the same run, and its undo keeps the comparison.
  open.press_at(open.place(1));
  open.move_to(open.place_of(30, 70));
  CHECK(open.workbench.desk().earlier_trace() == trace);
  open.release();
  open.press(Qt::Key_Z, Qt::ControlModifier);
  open.settle();
  CHECK(open.workbench.desk().earlier_trace() == trace);
  open.click(open.find<QPushButton>("revert_edits"));
  open.settle();
  CHECK(open.workbench.playback().trace() == trace);
}

TEST_CASE("runs that are too slow follow on release, and edits before the drag are part of the run", "[screen]") {
  Dragging open({"uniform:n=3000,dim=2,seed=4", "wald", {}, Backend::cpu});
  open.editor.live_move().set_limit(0);
  const auto trace = open.workbench.playback().trace();
  open.press(Qt::Key_E);
  open.settle();
  const QPoint from = open.place(7);
  open.press_at(from);
  open.move_to(from + QPoint(40, 30));
  CHECK(open.workbench.playback().trace() == trace);
  CHECK_FALSE(open.workbench.edits().stale());
  open.release();
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(open.workbench.edits().stale());

  open.editor.live_move().set_limit(patience_ms);
  const QPoint other = open.place(11);
  const auto edited = open.words();
  open.press_at(other);
  open.move_to(other + QPoint(25, -20));
  CHECK(open.workbench.playback().trace() != trace);
  CHECK_FALSE(open.workbench.edits().stale());
  check_fresh(open);
  open.press(Qt::Key_Escape);
  open.settle();
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(open.words() == edited);
  CHECK(open.workbench.edits().stale());
  open.release();
}

TEST_CASE("bookmarks of other steps come back with the run, by the mouse, Escape and undo", "[screen]") {
  Dragging open({"sixteen", "brown", {}, Backend::cpu});
  open.workbench.marks().set(3, "gaps");
  const auto marks = open.workbench.marks().all();
  const std::uint32_t last = open.last_step();
  open.press(Qt::Key_E);
  open.settle();
  const auto drag_onto_point_3 = [&] {
    open.move_to(open.place_of(9, 12));  // one point less, so one level less
    REQUIRE(open.last_step() < last);
    CHECK(open.workbench.marks().all().empty());
  };
  open.press_at(open.place(1));
  drag_onto_point_3();
  open.move_to(open.place_of(13, 8));
  REQUIRE(open.last_step() == last);
  CHECK(open.workbench.marks().all() == marks);
  drag_onto_point_3();
  open.press(Qt::Key_Escape);
  open.settle();
  CHECK(open.last_step() == last);
  CHECK(open.workbench.marks().all() == marks);
  open.release();

  open.press_at(open.place(1));
  drag_onto_point_3();
  open.release();
  CHECK(open.workbench.marks().all().empty());
  open.press(Qt::Key_Z, Qt::ControlModifier);
  open.settle();
  CHECK(open.last_step() == last);
  CHECK(open.workbench.marks().all() == marks);
}

TEST_CASE("the runs of a drag are not kept as lost work", "[screen]") {
  const QTemporaryDir folder;
  Dragging open;
  open.window.workspace().remember({folder.filePath("settings.ini"), folder.filePath("state")});
  int reports = 0;
  QObject::connect(&open.workbench.messages(), &Messages::failed, [&reports] { ++reports; });
  open.press(Qt::Key_E);
  open.settle();
  open.press_at(open.place(1));
  for (const auto& [x, y] : {std::pair(30.0, 25.0), {60.0, 30.0}, {62.0, 70.0}}) open.move_to(open.place_of(x, y));
  open.release();
  CHECK(reports == 0);
  CHECK(QDir(folder.filePath("state")).entryList({"unsaved *.kdsession"}, QDir::Files).isEmpty());
}

TEST_CASE("another run that opens ends a drag", "[screen]") {
  Dragging open;
  open.press(Qt::Key_E);
  open.settle();
  open.press_at(open.place(1));
  open.move_to(open.place_of(60, 30));
  REQUIRE(open.editor.live_move().active());
  open.open_lesson("wald/ten-points");
  CHECK_FALSE(open.editor.live_move().active());
  const auto trace = open.workbench.playback().trace();
  open.move_to(open.place_of(20, 60));
  open.press(Qt::Key_Escape);
  open.release();
  CHECK(open.workbench.playback().trace() == trace);
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.workbench.lessons().lesson());
  CHECK(open.workbench.undo_stack().undoText() != "move point 1");
}
