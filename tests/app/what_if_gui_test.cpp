// Tests what-if edits: a moved point runs at once, the differences are shown, and the edit is accepted or reverted.
// Every change can be undone.

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <QWheelEvent>

#include "app/appearance/cut_label.hpp"
#include "app/point_editing/points_pane.hpp"
#include "app/point_editing/what_if.hpp"
#include "app/views/scene_view.hpp"
#include "app/workspace/layouts.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct OpenWhatIf : OpenWorkbench {
  WhatIf& what_if = *window.findChild<WhatIf*>();
  SceneView& view = window.scene();
  QWidget& canvas = *view.canvas();

  /// live_move_gui_test.cpp has the runs that follow a drag.
  OpenWhatIf() { window.findChild<PointEditor*>()->live_move().set_limit(0); }
  QPoint place_of(double x, double y) { return view.place_of({x, y}).value().toPoint(); }
  QPoint place(std::uint32_t point) {
    const auto& points = workbench.edits().points()->points;
    std::vector<double> at;
    for (std::uint32_t d = 0; d < points.dim; ++d) at.push_back(points.value(point, d));
    return view.place_of(at).value().toPoint();
  }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&canvas, button, {}, from);
    for (int i = 1; i <= 4; ++i) {
      const QPoint at = from + (to - from) * i / 4;
      QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, button, Qt::NoModifier);
      QCoreApplication::sendEvent(&canvas, &move);
    }
    QTest::mouseRelease(&canvas, button, {}, to);
    settle();
  }
};

}  // namespace

TEST_CASE(
    "what if: a moved point runs at once and shows what differs, for every algorithm; taking back restores the run",
    "[screen][share]") {
  OpenWhatIf open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    RunRequest spec{"wald-10", algorithm.id, small_leaves(algorithm), Backend::cpu};
    open.workbench.desk().run(spec);
    open.finish_jobs();
    open.workbench.transport().last();
    const auto before = open.workbench.playback().trace();
    const auto points = open.workbench.edits().points();
    open.press(Qt::Key_W);
    REQUIRE(open.what_if.on());
    open.settle();
    const QImage plain = open.view.picture();
    open.drag(open.place(1), open.place_of(20, 20));
    REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.what_if.difference(); }, patience_ms));
    open.settle();
    CHECK_FALSE(open.workbench.edits().stale());
    CHECK(open.workbench.playback().trace() != before);
    CHECK(open.step() == open.last_step());
    REQUIRE(open.what_if.difference());
    CHECK_FALSE(open.what_if.difference()->empty());
    // The middle of a box may stay the same; then only buckets differ.
    CHECK((open.what_if.difference()->splits > 0 || open.workbench.playback().trace()->find(partition_arrays::leaf)));
    auto& list = open.find<QListWidget>("differences");
    CHECK(list.count() ==
          static_cast<int>(open.what_if.difference()->nodes.size() + !open.what_if.difference()->points.empty()));
    CHECK(open.find<QLabel>("edit_words").accessibleDescription() == open.what_if.words());
    CHECK(differing_pixels(plain, open.view.picture()) > 100);
    list.setCurrentRow(0);
    CHECK(open.workbench.playback().selection().space == Space::node);

    open.click(open.find<QPushButton>("revert_edits"));
    open.settle();
    CHECK(open.workbench.playback().trace() == before);
    CHECK(open.workbench.edits().points()->points.words == points->points.words);
    CHECK_FALSE(open.workbench.edits().stale());
    CHECK_FALSE(open.what_if.difference());
    CHECK(open.step() == open.last_step());
    open.press(Qt::Key_W);
    CHECK_FALSE(open.what_if.on());
  }
}

TEST_CASE("a pane that a command opens is no change of the layout to be undone", "[screen]") {
  OpenWhatIf open;
  for (const char* pane : {"what_if", "points"}) open.window.dock(pane)->show();
  open.rest();
  const int before = open.workbench.undo_stack().count();
  for (const char* pane : {"what_if", "points"}) open.window.dock(pane)->hide();
  open.rest();  // closing them is a change of the user's
  const int closed = open.workbench.undo_stack().count();
  CHECK(closed > before);
  open.press(Qt::Key_W);
  CHECK(open.window.dock("what_if")->isVisible());
  open.rest();
  CHECK(open.workbench.undo_stack().count() == closed);
  QApplication::clipboard()->setText("1 2\n3 4\n5 6\n");
  open.press(Qt::Key_V, Qt::ControlModifier);
  CHECK(open.window.dock("points")->isVisible());
  open.rest();
  CHECK(open.workbench.undo_stack().undoText() != "change the layout");
}

TEST_CASE("a second move is compared with the run before the first, and accepting keeps it", "[screen]") {
  OpenWhatIf open;
  const auto before = open.workbench.playback().trace();
  open.press(Qt::Key_W);
  open.drag(open.place(1), open.place_of(20, 20));
  open.finish_jobs();
  REQUIRE(open.workbench.desk().earlier_trace() == before);
  open.drag(open.place(1), open.place_of(60, 30));
  open.finish_jobs();
  CHECK(open.workbench.desk().earlier_trace() == before);
  open.find<QComboBox>("compared_at").setCurrentIndex(1);
  CHECK(open.what_if.finished());
  CHECK(open.what_if.difference()->splits > 0);
  open.click(open.find<QPushButton>("accept_edits"));
  CHECK_FALSE(open.workbench.desk().earlier_trace());
  CHECK_FALSE(open.what_if.difference());
  const std::string accepted = "own points (from wald-10, 2 edits)";
  CHECK(open.workbench.playback().trace()->header.data_set == accepted);
  open.settle();
  INFO("to be undone: " << open.workbench.undo_stack().undoText().toStdString());
  open.press(Qt::Key_Z, Qt::ControlModifier);
  // The previous points are restored; a fast machine may have run them already.
  CHECK(QTest::qWaitFor(
      [&] { return open.workbench.edits().stale() || open.workbench.playback().trace()->header.data_set != accepted; },
      patience_ms / 10));
}

TEST_CASE("points that are pasted while What if is on run as dragged ones do, and the frame shows them all",
          "[screen]") {
  OpenWhatIf open;
  open.show_end();
  const auto before = open.workbench.playback().trace();
  open.press(Qt::Key_W);
  open.drag(open.place(2), open.place_of(60, 30));
  open.finish_jobs();
  QApplication::clipboard()->setText("12,34\n95,80\n-20,5\n");
  open.open_another([&] { open.press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier); });
  open.rest();
  CHECK(open.workbench.playback().trace()->header.n == 13);
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.workbench.desk().earlier_trace() == before);
  CHECK(open.what_if.difference());
  const QPoint room(20, 20);  // of a name
  for (std::uint32_t point = 0; point < 13; ++point) {
    INFO("p" << point);
    CHECK(QRect(room, open.canvas.size() - QSize(2 * room.x(), 2 * room.y())).contains(open.place(point)));
  }
}

TEST_CASE("one mode of the view is lit: Edit points, What if or a query, whichever was chosen last", "[screen]") {
  OpenWhatIf open;
  const std::array modes{&open.find<QAction>("edit_points"), &open.find<QAction>("what_if"),
                         &open.find<QAction>("pick_query_action")};
  const auto lit = [&] { return std::ranges::count_if(modes, [](const QAction* mode) { return mode->isChecked(); }); };
  CHECK(lit() == 0);
  for (const int mode : {0, 1, 0, 2, 1, 2, 0}) {
    modes[static_cast<std::size_t>(mode)]->trigger();
    CHECK(modes[static_cast<std::size_t>(mode)]->isChecked());
    CHECK(lit() == 1);
    CHECK(open.what_if.on() == (mode == 1));
    CHECK(open.find<QToolButton>("edit_points_button").isChecked() == (mode == 0));
    CHECK(open.find<QToolButton>("what_if_button").isChecked() == (mode == 1));
    CHECK(open.window.findChild<PointEditor*>()->editing() == (mode != 2));
  }
  modes[0]->trigger();
  CHECK(lit() == 0);
  CHECK_FALSE(open.window.findChild<PointEditor*>()->editing());
}

TEST_CASE("What would change says its words whole, whatever the width of its pane", "[screen]") {
  OpenWhatIf open;
  open.press(Qt::Key_W);
  open.drag(open.place(1), open.place_of(20, 20));
  REQUIRE(QTest::qWaitFor([&] { return open.what_if.difference() != nullptr; }, patience_ms));
  open.rest();
  const auto& words = open.find<QLabel>("difference_words");
  CHECK(words.text() == open.what_if.words());
  CHECK(words.isVisible());
  CHECK(words.height() >= words.heightForWidth(words.width()));
}

TEST_CASE("whatever leaves What if without an Accept takes the edit back, and undo makes it again", "[screen]") {
  for (const Qt::Key key : {Qt::Key_W, Qt::Key_E, Qt::Key_Q}) {
    OpenWhatIf open;
    const auto before = open.workbench.edits().points()->points.words;
    for (const bool accepts : {false, true}) {
      INFO("key " << static_cast<char>(key) << (accepts ? ", accepted" : ""));
      open.press(Qt::Key_W);
      open.drag(open.place(1), open.place_of(20, 20));
      open.finish_jobs();
      REQUIRE(open.what_if.difference());
      const auto edited = open.workbench.edits().points()->points.words;
      REQUIRE(edited != before);
      if (accepts) open.click(open.find<QPushButton>("accept_edits"));
      open.press(key);
      open.settle();
      CHECK_FALSE(open.what_if.on());
      CHECK_FALSE(open.what_if.difference());
      CHECK_FALSE(open.find<QPushButton>("accept_edits").isVisible());
      CHECK(open.workbench.edits().points()->points.words == (accepts ? edited : before));
      CHECK_FALSE(open.workbench.edits().stale());
      if (accepts) break;
      CHECK(open.workbench.undo_stack().undoText() == "take the edits back");
      open.press(Qt::Key_Z, Qt::ControlModifier);
      open.settle();
      CHECK(open.workbench.edits().points()->points.words == edited);
      open.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
      open.settle();
      REQUIRE(open.workbench.edits().points()->points.words == before);
    }
  }
}

TEST_CASE("the bar of What if says how much differs in words that are not cut, in a window of a projector",
          "[screen]") {
  OpenWhatIf open;
  open.window.resize(1280, 720);
  open.rest();
  open.press(Qt::Key_W);
  open.drag(open.place(1), open.place_of(20, 20));
  open.finish_jobs();
  REQUIRE(open.what_if.difference());
  auto& words = static_cast<CutLabel&>(open.find<QLabel>("edit_words"));
  REQUIRE(open.what_if.difference()->empty());  // as yet
  CHECK((words.shown_text() == "Nothing differs" || words.shown_text() == "as before"));
  open.workbench.transport().last();
  open.rest();
  REQUIRE_FALSE(open.what_if.difference()->empty());
  CHECK(words.shown_text().contains(QLocale().toString(open.what_if.difference()->nodes.size()) + " "));
  CHECK_FALSE(words.shown_text().contains(QChar(0x2026)));
  words.resize(words.fontMetrics().horizontalAdvance(words.text()) - 1, words.height());
  CHECK(words.shown_text() == QLocale().toString(open.what_if.difference()->nodes.size()) + " differ");
}

TEST_CASE("a search is compared with the same search of the points before, and never with a build", "[screen]") {
  OpenWhatIf open;
  const auto search = [&](const char* query) {
    RunRequest run = open.workbench.desk().request();
    run.search = {{"search", "stack-free"}, {"question", "nearest"}, {"k", "1"}, {"query", query}};
    open.workbench.desk().run(run);
    open.finish_jobs();
    open.settle();
    REQUIRE(open.workbench.playback().trace()->header.search.at("query") == query);
  };
  open.press(Qt::Key_W);
  open.drag(open.place(1), open.place_of(20, 20));
  open.finish_jobs();
  REQUIRE(open.what_if.difference());
  search("40,30");
  CHECK(open.what_if.on());
  CHECK_FALSE(open.what_if.difference());
  const auto before = open.workbench.playback().trace();
  open.drag(open.place(1), open.place_of(60, 30));
  open.finish_jobs();
  REQUIRE(open.workbench.playback().trace()->header.search.at("query") == "40,30");
  CHECK(open.workbench.desk().earlier_trace() == before);
  CHECK(open.what_if.difference());
  search("20,60");
  CHECK_FALSE(open.what_if.difference());
}

TEST_CASE("a search accepts no edit: with the build, the comparison and its buttons come back", "[screen]") {
  for (const bool ran_before : {true, false}) {
    OpenWhatIf open;
    const auto build = open.workbench.playback().trace();
    const auto points = open.workbench.edits().points()->points.words;
    open.press(Qt::Key_E);
    open.drag(open.place(1), open.place_of(20, 20));
    if (ran_before) open.open_another([&] { open.press(Qt::Key_F9); });
    open.show_dock("search");
    open.open_another([&] { open.click(open.find<QPushButton>("start_search")); });
    open.settle();
    INFO((ran_before ? "run again before" : "not run before"));
    CHECK_FALSE(open.workbench.desk().earlier_trace());
    open.open_another([&] { open.click(open.find<QPushButton>("show_build")); });
    open.settle();
    CHECK(open.workbench.desk().earlier_trace() == build);
    CHECK(open.what_if.difference());
    open.click(open.find<QPushButton>("revert_edits"));
    open.settle();
    CHECK(open.workbench.playback().trace() == build);
    CHECK(open.workbench.edits().points()->points.words == points);
  }
}

TEST_CASE("one split, cell and node, and several, are counted in words that agree") {
  Difference difference;
  difference.splits = 1;
  difference.nodes.resize(1);
  difference.cells = 2;
  CHECK(words_of(difference, "A", false) == "So far, 1 split, 2 cells and 1 node differ from A.");
  difference.splits = 0;
  difference.cells = 1;
  difference.nodes.resize(1200);
  CHECK(words_of(difference, "A", true) ==
        "In the end, 1 cell and " + QLocale().toString(1200) + " nodes differ from A.");
  difference = {};
  CHECK(words_of(difference, "A", true) == "In the end, nothing differs from A.");
  difference.points = {4, 7};
  CHECK(words_of(difference, "A", false) == "So far, 2 points belong to other nodes than in A.");
}

TEST_CASE("a lesson comes back with its stops", "[screen]") {
  OpenWhatIf open;
  open.workbench.lessons().stop_forward();
  open.press(Qt::Key_W);
  open.drag(open.place(1), open.place_of(20, 20));
  open.finish_jobs();
  CHECK(open.workbench.lessons().lesson() == nullptr);
  open.workbench.desk().revert_edits();
  open.settle();
  REQUIRE(open.workbench.lessons().lesson() != nullptr);
  CHECK(open.workbench.lessons().lesson()->id == start_lesson);
  CHECK(open.workbench.lessons().stop_index() >= 0);
}

TEST_CASE("twenty mixed edits are taken back to the start and made again to the end", "[screen]") {
  OpenWhatIf open;
  Workbench& workbench = open.workbench;
  PointsPane& pane = *open.window.findChild<PointsPane*>();
  QUndoStack& stack = workbench.undo_stack();
  open.window.dock("points")->show();
  open.window.dock("points")->raise();
  open.press(Qt::Key_E);
  open.rest();
  stack.clear();
  struct State {
    std::vector<std::uint32_t> words;
    std::string name;
    std::optional<CameraPreset> fitted;
    CameraState camera;
    std::vector<std::tuple<bool, bool, Qt::DockWidgetArea>> docks;
    bool operator==(const State& other) const {
      return words == other.words && name == other.name && fitted == other.fitted &&
             (fitted || camera == other.camera) && docks == other.docks;
    }
  };
  const auto state = [&] {
    State now{workbench.edits().points()->points.words,
              workbench.edits().points()->name,
              open.view.fitted_to(),
              open.view.camera(),
              {}};
    for (QDockWidget* dock : open.window.docks())
      now.docks.emplace_back(dock->isHidden(), dock->isFloating(), open.window.dockWidgetArea(dock));
    return now;
  };
  std::vector<State> states{state()};
  const auto did = [&](const char* what) {
    INFO(what);
    REQUIRE(QTest::qWaitFor([&] { return stack.count() == static_cast<int>(states.size()); }, patience_ms));
    states.push_back(state());
  };
  const auto type = [&](int row, int column, int value) {
    pane.table().model()->setData(pane.table().model()->index(row, column), QString::number(value), Qt::EditRole);
  };
  for (int round = 0; round < 4; ++round) {
    open.drag(open.place(0), open.place_of(20 + 5 * round, 30));
    did("move");
    QWheelEvent wheel(open.canvas.rect().center(), open.canvas.mapToGlobal(open.canvas.rect().center()), {},
                      {0, round % 2 ? -120 : 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&open.canvas, &wheel);
    did("camera");
    type(1, 1, 20 + round);
    did("type");
    const char* dock = round % 2 ? "timeline" : "checks";
    open.window.dock(QString::fromLatin1(dock))->toggleViewAction()->trigger();
    did("dock");
    if (round % 2) {
      pane.table().selectRow(3);
      QTest::keyClick(&pane.table(), Qt::Key_Delete);
    } else {
      pane.add_point();
    }
    did("rows");
  }
  REQUIRE(stack.count() == 20);
  for (int i = 20; i-- > 0;) {
    open.press(Qt::Key_Z, Qt::ControlModifier);
    open.settle();
    INFO("undone to " << i);
    CHECK(state() == states[i]);
  }
  CHECK_FALSE(workbench.edits().stale());
  open.rest();  // reverted edits create no new commands
  CHECK(stack.count() == 20);
  for (int i = 1; i <= 20; ++i) {
    open.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    open.settle();
    INFO("made again to " << i);
    CHECK(state() == states[i]);
  }
  open.rest();
  CHECK(stack.count() == 20);
  CHECK_FALSE(stack.canRedo());
}

TEST_CASE("camera gestures that follow one another are one command", "[screen]") {
  OpenWhatIf open;
  QUndoStack& stack = open.workbench.undo_stack();
  stack.clear();
  for (int i = 0; i < 3; ++i) open.drag(open.canvas.rect().center(), open.canvas.rect().center() + QPoint(30, 10 * i));
  CHECK(stack.count() == 1);
  CHECK_FALSE(open.view.fitted_to());
  open.press(Qt::Key_Z, Qt::ControlModifier);
  CHECK(open.view.fitted_to() == CameraPreset::reset);
}
