// Tests own points: edited in the view and in the table, pasted, undone and run, by mouse and keys.

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QPushButton>

#include "algorithms/registry/registry.hpp"
#include "app/panes/message_bar.hpp"
#include "app/point_editing/point_editor.hpp"
#include "app/point_editing/points_pane.hpp"
#include "app/run/run_panel.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

struct OpenPoints : OpenWorkbench {
  PointEditor& editor = *window.findChild<PointEditor*>();
  PointsPane& pane = *window.findChild<PointsPane*>();
  QWidget& canvas = *window.scene().canvas();

  OpenPoints() {
    editor.live_move().set_limit(0);                  // live_move_gui_test.cpp has the runs that follow a drag
    window.layouts().reveal(*window.dock("points"));  // no change of the user's
    rest();
  }
  std::vector<std::uint32_t> words() { return workbench.edits().points()->points.words; }
  QString message() { return window.findChild<MessageBar*>()->text(); }
  void run_again() {
    open_another([&] { press(Qt::Key_F9); });
    settle();
  }
  QPoint place(std::uint32_t point) {
    const auto& points = workbench.edits().points()->points;
    std::vector<double> at;
    for (std::uint32_t d = 0; d < points.dim; ++d) at.push_back(points.value(point, d));
    return window.scene().place_of(at).value().toPoint();
  }
  QPoint place_of(double x, double y) { return window.scene().place_of({x, y}).value().toPoint(); }
  void drag(QPoint from, QPoint to) {
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 4; ++i) QTest::mouseMove(&canvas, from + (to - from) * i / 4);
    QMouseEvent last(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&canvas, &last);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
    settle();
  }
  void type_into(int row, int column, const char* text) {
    QTableView& table = pane.table();
    const QModelIndex cell = table.model()->index(row, column);
    table.setCurrentIndex(cell);
    table.edit(cell);
    type(text);
  }
  /// Types into the cell that is being edited.
  void type(const char* text) {
    settle();  // waits until the previous editor is gone
    auto* line = pane.table().findChild<QLineEdit*>();
    REQUIRE(line != nullptr);
    line->selectAll();
    QTest::keyClicks(line, QString::fromUtf8(text));
    QTest::keyClick(line, Qt::Key_Return);
    settle();
  }
  void undo() { press(Qt::Key_Z, Qt::ControlModifier); }
  void redo() { press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
};

}  // namespace

TEST_CASE("running again leaves a lesson open, at its step, as long as its points are as they were") {
  OpenPoints open;
  open.workbench.lessons().go_to_stop(1);
  const std::string lesson = open.workbench.lessons().name();
  open.run_again();
  CHECK(open.workbench.lessons().name() == lesson);
  CHECK(open.workbench.lessons().stop_index() == 1);
}

TEST_CASE("edits of the points before are forgotten before a new run's selection is marked") {
  OpenPoints open;
  auto many = std::make_shared<DataSet>(*open.workbench.edits().points());
  for (std::uint32_t i = 0; i < 30; ++i) many->points.words.insert(many->points.words.end(), {i, 2 * i});
  open.workbench.edits().edit(many, "thirty points more");
  REQUIRE(open.editor.changes().added.size() >= 30);
  open.workbench.playback().select({Space::point, 3});
  // Marks refer to the current points; an index into previous points would be out of bounds.
  int heard = 0;
  QObject::connect(&open.workbench.playback(), &Playback::selected, [&] {
    ++heard;
    const std::size_t n = open.workbench.edits().points()->points.size();
    for (const std::uint32_t added : open.editor.changes().added) CHECK(added < n);
  });
  open.open_lesson("wald/six-points");
  CHECK(heard > 0);
  CHECK(open.workbench.edits().points()->points.size() == 6);
  CHECK(open.editor.changes().added.empty());
}

TEST_CASE("points are added, moved and deleted in the view, and the run is stale until it is run again", "[screen]") {
  OpenPoints open;
  const auto start = open.words();
  auto& stripe = open.find<QPushButton>("run_again");
  CHECK_FALSE(stripe.isVisible());
  // A click that does not edit only selects.
  QTest::mouseClick(&open.canvas, Qt::LeftButton, {}, open.place_of(30, 65));
  CHECK(open.words() == start);

  open.press(Qt::Key_E);
  REQUIRE(open.editor.editing());
  CHECK(open.canvas.cursor().shape() == Qt::CrossCursor);
  QTest::mouseClick(&open.canvas, Qt::LeftButton, {}, open.place_of(30, 65));
  open.settle();
  REQUIRE(open.workbench.edits().points()->points.size() == 11);
  CHECK(std::abs(open.workbench.edits().points()->points.value(10, 0) - 30) <= 1);
  CHECK(std::abs(open.workbench.edits().points()->points.value(10, 1) - 65) <= 1);
  CHECK(stripe.isVisible());
  CHECK(open.editor.chosen() == std::vector<std::uint32_t>{10});

  const QImage before = open.window.scene().picture();
  open.drag(open.place(0), open.place_of(30, 20));
  CHECK(std::abs(open.workbench.edits().points()->points.value(0, 0) - 30) <= 1);
  CHECK(std::abs(open.workbench.edits().points()->points.value(0, 1) - 20) <= 1);
  CHECK(differing_pixels(before, open.window.scene().picture()) > 100);
  // The moved point can be dragged at its current place, and its ghost cannot.
  open.drag(open.place(0), open.place_of(20, 30));
  CHECK(std::abs(open.workbench.edits().points()->points.value(0, 0) - 20) <= 1);

  QTest::mouseClick(&open.canvas, Qt::LeftButton, {}, open.place(2));
  open.press(Qt::Key_Delete);
  CHECK(open.workbench.edits().points()->points.size() == 10);
  open.press(Qt::Key_E);
  CHECK_FALSE(open.editor.editing());

  open.run_again();
  CHECK_FALSE(stripe.isVisible());
  CHECK(open.workbench.playback().trace()->header.n == 10);
  CHECK(open.workbench.playback().trace()->header.data_set == "own points (from wald-10, 4 edits)");
  for (int i = 0; i < 4; ++i) open.undo();
  CHECK(open.words() == start);
  CHECK(stripe.isVisible());
  open.click(open.find<QPushButton>("run_again"));
  REQUIRE(
      QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && !open.workbench.edits().stale(); }, patience_ms));
  CHECK(open.workbench.playback().trace()->header.data_set == "wald-10");
}

TEST_CASE("a drag of empty ground moves no picture away while points are edited, and adds none", "[screen]") {
  OpenPoints open;
  for (const Qt::Key mode : {Qt::Key_E, Qt::Key_W}) {
    open.press(mode);
    open.settle();
    const auto words = open.words();
    const QPoint before = open.place(0);
    open.drag(open.place_of(60, 25), open.place_of(50, 35));
    CHECK(open.place(0) == before);
    CHECK(open.words() == words);
    open.press(mode);
  }
  const QPoint before = open.place(0);
  open.drag(open.place_of(60, 25), open.place_of(50, 35));
  CHECK(open.place(0) != before);
}

TEST_CASE("what is typed into the table edits the point, and what is no coordinate changes nothing") {
  OpenPoints open;
  const auto start = open.words();
  open.type_into(3, 1, "12");
  CHECK(open.words()[7] == 12);
  CHECK(open.workbench.edits().stale());
  const auto edited = open.words();
  for (const char* wrong : {"abc", "1.5", "3000000000", "nan"}) {
    INFO(wrong);
    open.type_into(4, 0, wrong);
    CHECK(open.words() == edited);
    CHECK(open.message().contains("oint p4, x"));
    CHECK(open.message().endsWith('.'));
  }
  open.undo();
  CHECK(open.words() == start);
  CHECK_FALSE(open.workbench.edits().stale());
}

TEST_CASE("rows are added, chosen and deleted") {
  OpenPoints open;
  const auto start = open.words();
  open.window.findChild<QAction*>("add_point")->trigger();
  open.type("7");
  REQUIRE(open.workbench.edits().points()->points.size() == 11);
  CHECK(open.words()[20] == 7);
  // Selecting a row selects its point everywhere.
  open.pane.table().selectRow(6);
  CHECK(open.workbench.playback().selection() == Selection{Space::point, 6});
  QTest::keyClick(&open.pane.table(), Qt::Key_Delete);
  CHECK(open.workbench.edits().points()->points.size() == 10);
  repeat_until([&] { return !open.workbench.undo_stack().canUndo(); }, [&] { open.undo(); });
  CHECK(open.words() == start);
}

TEST_CASE("the rows of a selected node's points are those of the step") {
  OpenPoints open;
  Playback& playback = open.workbench.playback();
  const auto last = static_cast<std::uint32_t>(playback.trace()->steps.size()) - 1;
  playback.select({Space::node, 0});
  std::uint32_t first = 0;  // at which the root has a segment
  for (; playback.linked().points.empty() && first < last; playback.seek(first)) ++first;
  open.settle();
  const std::vector<std::uint32_t> of_segment = open.editor.chosen();
  CHECK(of_segment.size() == 10);
  playback.seek(last);
  open.settle();
  CHECK(open.editor.chosen() == playback.linked().points);
  CHECK(open.editor.chosen().size() == 1);
  CHECK(open.pane.table().selectionModel()->selectedRows().size() == 1);
  playback.seek(first);
  open.settle();
  CHECK(open.editor.chosen() == of_segment);
  // Rows that were chosen by hand stay
  open.editor.choose({2, 5});
  playback.seek(3);
  open.settle();
  CHECK(open.editor.chosen() == std::vector<std::uint32_t>{2, 5});
}

TEST_CASE("points are pasted in place of all or behind them, and copied") {
  OpenPoints open;
  const auto start = open.words();
  QClipboard& clipboard = *QApplication::clipboard();
  clipboard.setText("1\t2\n30\t4\n5\t60\n");
  open.press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(open.workbench.edits().points()->points.size() == 13);
  open.press(Qt::Key_V, Qt::ControlModifier);
  CHECK(open.words() == std::vector<std::uint32_t>{1, 2, 30, 4, 5, 60});
  CHECK(open.workbench.edits().points()->name == "own points (pasted)");
  clipboard.setText("1 2\n3 four\n");
  open.press(Qt::Key_V, Qt::ControlModifier);
  CHECK(open.words() == std::vector<std::uint32_t>{1, 2, 30, 4, 5, 60});
  CHECK(open.message().contains("ine 2 of the clipboard"));
  clipboard.setText("0.5 0.25 1\n0.75 0 2");
  open.press(Qt::Key_V, Qt::ControlModifier);
  CHECK(open.workbench.edits().points()->points.dim == 3);
  open.run_again();
  CHECK(open.workbench.playback().trace()->header.n == 2);
  CHECK(open.workbench.playback().trace()->header.data_set == "own points (pasted)");
  for (int i = 0; i < 3; ++i) open.undo();
  CHECK(open.words() == start);
  open.pane.table().clearSelection();
  open.pane.copy();
  CHECK(parse_pasted_points(clipboard.text().toStdString(), most_dimensions())->points.words == start);
}

TEST_CASE("a generated set becomes own points, and an empty one is filled, in every type and dimension") {
  OpenPoints open;
  const auto start = open.words();
  auto& source = open.find<QComboBox>("data_source");
  source.setCurrentIndex(source.findData("uniform"));
  open.find<QPushButton>("make_own").click();
  open.finish_jobs();
  CHECK(open.workbench.edits().stale());
  CHECK(open.workbench.edits().points()->points.size() == 1000);
  CHECK(open.workbench.edits().points()->name.starts_with("own points (from uniform:n=1000"));
  CHECK(source.currentText() == "Own points");
  for (const ScalarType type : {ScalarType::float32, ScalarType::int32})
    for (std::uint32_t dim = 1; dim <= 8; ++dim) {
      open.pane.start_new(type, dim);
      CHECK(open.workbench.edits().points()->points.size() == 0);
      for (int i = 0; i < 3; ++i) open.window.findChild<QAction*>("add_point")->trigger();
      open.type_into(1, static_cast<int>(dim) - 1, type == ScalarType::int32 ? "5" : "2.5");
      CHECK(open.workbench.edits().points()->points.value(1, dim - 1) == (type == ScalarType::int32 ? 5 : 2.5));
    }
  while (open.workbench.undo_stack().canUndo()) open.workbench.undo_stack().undo();
  CHECK(open.words() == start);
}

TEST_CASE("other data that are run can be taken back") {
  OpenPoints open;
  const auto start = open.words();
  RunRequest spec = open.workbench.desk().request();
  spec.data = "wald-6";
  open.workbench.desk().run(spec);
  open.finish_jobs();
  REQUIRE(open.workbench.edits().points()->points.size() == 6);
  CHECK_FALSE(open.workbench.edits().stale());
  // Points and run change together, so neither is drawn over the other's.
  open.undo();
  CHECK(open.words() == start);
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.workbench.playback().trace()->header.n == 10);
  open.redo();
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.workbench.edits().points()->points.size() == 6);
  CHECK(open.workbench.playback().trace()->header.n == 6);
}

TEST_CASE("edits that a run on other data replaced come back with their run, also after a run that was cancelled") {
  OpenPoints open;
  const auto start = open.words();
  open.type_into(3, 1, "12");
  const auto edited = open.words();
  RunRequest spec = open.workbench.desk().request();
  spec.data = "wald-6";
  open.workbench.desk().run(spec);
  open.finish_jobs();
  const auto six = open.workbench.playback().trace();
  open.workbench.desk().run({"uniform:n=200000,dim=3", "hu", {}, Backend::cpu});
  open.workbench.jobs().cancel();
  open.finish_jobs();
  CHECK(open.workbench.playback().trace() == six);
  open.undo();
  CHECK(open.workbench.playback().trace()->header.n == 10);
  CHECK(open.words() == edited);
  CHECK(open.workbench.edits().stale());
  CHECK(open.editor.changes().moved.size() == 1);
  CHECK(open.editor.changes().added.empty());
  open.undo();
  CHECK(open.words() == start);
  CHECK_FALSE(open.workbench.edits().stale());
}

TEST_CASE("a scattered selection of any size costs the table no ranges, and a hidden table nothing at all") {
  OpenPoints open;
  RunRequest spec{"uniform:n=20000,dim=2", "wald", {}, Backend::cpu};
  open.workbench.desk().run(spec);
  open.finish_jobs();
  open.show_step(open.workbench.playback().step_count() / 2);
  const QItemSelectionModel& rows = *open.pane.table().selectionModel();
  QAbstractItemModel& model = *open.pane.table().model();
  for (const std::uint64_t first : {0u, 5000u, 10000u}) {  // thousands of points each, without neighbours
    open.workbench.playback().select({Space::position, first, {}, 5000});
    CHECK(open.editor.chosen().size() == 5000);
    CHECK(rows.selection().size() <= 500);
  }
  // All of them are still selected: they are painted as selected, and the selection can be extended and replaced.
  const auto chosen = open.editor.chosen();
  std::uint32_t other = 0;
  while (std::binary_search(chosen.begin(), chosen.end(), other)) ++other;
  open.pane.table().scrollTo(model.index(static_cast<int>(other), 0));
  open.settle();
  const auto click = [&](std::uint32_t row, Qt::KeyboardModifiers modifiers) {
    QTest::mouseClick(open.pane.table().viewport(), Qt::LeftButton, modifiers,
                      open.pane.table().visualRect(model.index(static_cast<int>(row), 0)).center());
  };
  click(other, Qt::ControlModifier);
  CHECK(open.editor.chosen().size() == chosen.size() + 1);
  CHECK(std::binary_search(open.editor.chosen().begin(), open.editor.chosen().end(), other));
  click(other, Qt::NoModifier);
  CHECK(open.editor.chosen() == std::vector<std::uint32_t>{other});

  open.window.dock("points")->hide();
  open.settle();
  open.workbench.playback().select({Space::point, 77});
  CHECK(open.editor.chosen() == std::vector<std::uint32_t>{77});
  CHECK_FALSE(rows.isSelected(model.index(77, 0)));
  open.show_dock("points");
  CHECK(rows.isSelected(model.index(77, 0)));
}

TEST_CASE("edited points run with every algorithm, and another algorithm keeps the edits", "[screen][share]") {
  OpenPoints open;
  open.press(Qt::Key_E);
  open.drag(open.place(0), open.place_of(30, 20));
  const auto edited = open.words();
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    RunRequest spec = open.window.findChild<RunPanel*>()->spec();
    REQUIRE(spec.points);
    spec.algorithm = algorithm.id;
    spec.parameters.clear();
    open.workbench.desk().run(spec);
    open.finish_jobs();
    CHECK(open.workbench.playback().trace()->header.algorithm == algorithm.id);
    CHECK(open.workbench.playback().trace()->header.data_set == "own points (from wald-10, 1 edit)");
    CHECK(open.words() == edited);
    CHECK_FALSE(open.workbench.edits().stale());
    CHECK(open.workbench.undo_stack().canUndo());
  }
}

TEST_CASE("points that the tree leaves out are muted in the table and say so, from the step that leaves them out",
          "[share]") {
  OpenPoints open;
  bool any = false;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.open_another([&] { open.workbench.desk().run({"equal:n=6,dim=2", algorithm.id, {}, Backend::cpu}); });
    for (const std::uint32_t step : {0u, open.last_step()}) {
      open.show_step(step);
      for (int row = 0; row < 6; ++row) {
        const bool out = is_left_out(*open.workbench.playback().cursor(), {static_cast<std::uint32_t>(row)});
        const QModelIndex cell = open.pane.table().model()->index(row, 0);
        CHECK(cell.data(Qt::ForegroundRole).isValid() == out);
        CHECK(cell.data(Qt::ToolTipRole).toString() ==
              (out ? QStringLiteral("left out: the same coordinates as p0") : QString()));
        CHECK((step > 0 || !out));
        any = any || out;
      }
      const auto note = QString::fromStdString(nodes_of_points(*open.workbench.playback().cursor()).note());
      if (!note.isEmpty()) CHECK(open.window.scene().note().contains(note));
    }
  }
  CHECK(any);
}
