// Tests how the window's tables and trees use their room: rows of few columns continue beside themselves, rows that say
// nothing are folded, few tabs stand in a row, and a tree fits its pane.

#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>
#include <ranges>

#include "app/panes/arrays_pane.hpp"
#include "app/panes/rows_of_stop.hpp"
#include "app/views/minimap.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"

namespace kdscope::room_gui_test {
namespace {

/// A lesson of triangles in a window as low as on a projector.
struct OpenTriangles : OpenWorkbench {
  ArraysPane& pane = window.arrays();
  ArrayTableView& view = pane.view();

  explicit OpenTriangles(const char* lesson) : OpenWorkbench({1280, 720}) {
    open_lesson(lesson);
    show_answers();
  }
  void go_to(std::uint32_t step) {
    workbench.playback().go_to(step);
    settle();
  }
  QToolButton& folded() { return *pane.findChild<QToolButton*>("folded_rows"); }
};

}  // namespace

TEST_CASE("a table that scrolls shows whole rows, however far it is scrolled, and the tabs above it are whole") {
  OpenTriangles open("zhou/whole-pipeline");
  QScrollBar& down = *open.view.verticalScrollBar();
  const QTabBar& tabs = *open.pane.findChild<QTabBar*>();
  int seen = 0;
  for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
    open.window.resize(size);
    for (std::uint32_t step = 0; step <= open.last_step(); ++step) {
      open.go_to(step);
      CAPTURE(step, size.width());
      for (const QToolButton* arrow : tabs.findChildren<QToolButton*>()) CHECK(arrow->isHidden());
      const QRect head = open.view.cell_rect(0, open.view.first_visible());
      if (open.view.viewport()->height() < 3 * head.height()) continue;
      for (const int value : {0, down.maximum() / 3, down.maximum()}) {
        down.setValue(value);
        for (std::size_t row = 1; row < open.view.table()->rows().size(); ++row) {
          const QRect cell = open.view.cell_rect(row, open.view.first_visible());
          if (cell.isEmpty()) continue;
          CHECK((cell.top() > head.bottom() || cell.bottom() <= head.bottom() + 1));
          CHECK(cell.bottom() <= open.view.viewport()->height());
          seen += down.maximum() > 0;
        }
      }
    }
  }
  CHECK(seen > 0);
}

TEST_CASE("rows of few columns continue beside themselves, each cell in a place of its own that a click finds") {
  OpenTriangles open("zhou/whole-pipeline");
  open.go_to(3);  // the boxes of four chunks
  REQUIRE(open.view.table()->column_count() == 4);
  CHECK(open.view.rows_in_sight().size() >= 6);
  std::vector<QRect> seen;
  for (std::size_t row = 1; row < open.view.table()->rows().size(); ++row) {
    const TableRow& at = open.view.table()->rows()[row];
    if (std::ranges::count(open.view.rows_in_sight(), RowName{at.name, at.component}) == 0) continue;
    const QRect cell = open.view.cell_rect(row, 2);
    for (const QRect& other : seen) CHECK_FALSE(cell.adjusted(1, 1, -1, -1).intersects(other));
    seen.push_back(cell);
    QSignalSpy picked(&open.view, &ArrayTableView::cell_picked);
    QTest::mouseClick(open.view.viewport(), Qt::LeftButton, {}, cell.center());
    REQUIRE(picked.size() == 1);
    CHECK(picked[0][0].value<std::size_t>() == row);
    CHECK(picked[0][1].value<std::uint64_t>() == 2);
  }
  CHECK(seen.size() == open.view.rows_in_sight().size());
  CHECK(seen.back().left() > open.view.viewport()->width() / 2);
}

TEST_CASE("in a window of a projector, tables show five rows, and the view has a button that shows everything") {
  OpenWorkbench open({1280, 720});
  for (const char* id : {"wald/ten-points", "zhou/whole-pipeline", "brown/partition", "hu/ten-points"}) {
    open.open_lesson(id);
    const auto stops = static_cast<int>(open.workbench.lessons().stop_steps().size());
    for (int stop = 0; stop < stops; ++stop) {
      open.workbench.lessons().go_to_stop(stop);
      open.rest();
      const ArrayTableView& view = open.window.arrays().view();
      const std::size_t rows = view.table()->rows().size() - 1, seen = view.rows_in_sight().size();
      INFO(id << ", stop " << stop + 1 << ": " << seen << " of " << rows);
      CHECK(seen >= std::min<std::size_t>(rows, view.table()->column_count() == 0 ? 0 : 5));
    }
  }
  auto& all = open.find<QToolButton>("show_everything_button");
  CHECK(all.isVisible());
  CHECK(all.toolTip().contains(QStringLiteral("(R)")));
  open.window.scene().set_camera_preset(CameraPreset::top);
  open.click(all);
  CHECK(open.window.scene().fitted_to() == CameraPreset::reset);
}

TEST_CASE("a table without a column says so once, and uncut") {
  OpenTriangles open("zhou/point-clouds");
  open.workbench.lessons().go_to_stop(0);
  open.rest();
  CHECK(open.view.table()->column_count() > 0);  // another table has the room, until a person asks for this one
  open.pane.tabs().setCurrentIndex(0);
  open.rest();
  REQUIRE(open.view.table()->column_count() == 0);
  int said = 0;
  for (const PaintedText& text : painted_texts(*open.view.viewport()))
    if (text.text.startsWith(QStringLiteral("Nothing yet"))) {
      ++said;
      CHECK(text.room.contains(text.box));
    }
  CHECK(said == 1);
}

TEST_CASE("a table of two columns is a list in text of its usual size, and one without columns has no bar") {
  OpenTriangles open("wald/closest-corner");
  open.go_to(3);
  const ArrayTable& table = *open.view.table();
  REQUIRE(table.column_count() == 2);
  const QRect first = open.view.cell_rect(1, 0);
  for (std::size_t row = 1; row < table.rows().size(); ++row) {
    const QRect cell = open.view.cell_rect(row, 0);
    CHECK(cell.left() == first.left());
    CHECK(open.view.viewport()->rect().contains(cell));
  }
  CHECK(open.view.cell_rect(1, 1).right() < open.pane.width() / 2);

  open.open_lesson("zhou/point-clouds");
  open.pane.tabs().setCurrentIndex(0);
  REQUIRE(open.view.table()->column_count() == 0);
  CHECK(open.view.verticalScrollBar()->maximum() == 0);
}

TEST_CASE("the arrays of a search have the room that they need, all their rows in sight, and figures have the rest") {
  OpenWorkbench open({1920, 1080});
  const ArraysPane& pane = open.window.arrays();
  ArrayTableView& view = open.window.arrays().view();
  const auto height_in = [&](const char* lesson) {
    open.open_lesson(lesson);
    open.show_answers();
    open.rest();
    const int height = pane.height(), figure = open.window.scene().height();
    for (std::uint32_t step = 0; step <= open.last_step(); ++step) {
      open.workbench.playback().go_to(step);
      open.settle();
      CAPTURE(lesson, step);
      CHECK(open.window.scene().height() == figure);  // figures stay where they are
      if (view.table()->column_count() > 0) CHECK(view.rows_in_sight().size() + 1 == view.table()->rows().size());
    }
    return height;
  };
  const int of_search = height_in("wald/nearest-with-a-stack"), of_build = height_in("wald/ten-points");
  CHECK(of_search < open.window.height() / 5);
  CHECK(of_build > of_search);
}

TEST_CASE("beside a table of few columns stands another one that fits, and clicks in both select") {
  OpenWorkbench open({1920, 1000});
  open.open_lesson("zhou/whole-pipeline");
  ArraysPane& pane = open.window.arrays();
  ArrayTableView &view = pane.view(), &beside = pane.beside();
  open.workbench.lessons().go_to_stop(0);
  open.rest();
  REQUIRE(view.table()->column_count() == 1);
  REQUIRE(beside.isVisible());
  CHECK(beside.space() != view.space());
  CHECK(view.width() < pane.width() / 2);
  CHECK(beside.geometry().right() >= pane.width() - 2);
  CHECK(beside.visible_count() >= beside.table()->column_count());
  CHECK(beside.table()->column_count() >= 8);
  QTest::mouseClick(beside.viewport(), Qt::LeftButton, {}, beside.cell_rect(1, 2).center());
  open.settle();
  CHECK(open.workbench.playback().selection().space == beside.space());
  CHECK_FALSE(beside.selected(1).empty());
  // A table that needs the room has it, and so has the first one in a narrow window
  open.workbench.lessons().go_to_stop(4);
  open.rest();
  REQUIRE(view.table()->column_count() >= 10);
  CHECK_FALSE(beside.isVisible());
  CHECK(view.width() > pane.width() * 9 / 10);
}

TEST_CASE("the digits of the tables of a lesson have nearly one size") {
  OpenWorkbench open({1920, 1000});
  open.open_lesson("hu/ten-points");
  double smallest = 1e9, largest = 0;
  for (int stop = 0; stop < static_cast<int>(open.workbench.lessons().stop_steps().size()); ++stop) {
    open.workbench.lessons().go_to_stop(stop);
    open.rest();
    for (const PaintedText& text : painted_texts(*open.window.arrays().view().viewport(), {})) {
      bool is_number = false;
      text.text.toDouble(&is_number);
      if (!is_number) continue;
      smallest = std::min(smallest, text.pixels);
      largest = std::max(largest, text.pixels);
    }
  }
  CHECK(largest > 0);
  CHECK(largest <= 1.4 * smallest);
}

TEST_CASE("a text names an array by its own name or by the label of its row") {
  OpenTriangles open("zhou/whole-pipeline");
  open.go_to(3);
  const ArrayTable& table = *open.view.table();
  int labelled = 0;
  for (const TableRow& row : table.rows() | std::views::drop(1)) {
    labelled += row.name != row.label;
    for (const std::string& word : {row.name, row.label}) {
      Stop stop;
      stop.narration = "Look at `" + word + "` here.";
      INFO(word);
      CHECK(rows_mentioned(stop, table) == std::vector{row.name});
    }
  }
  CHECK(labelled > 0);
}

TEST_CASE("rows without a value, or all 0 in a flat set, are folded; a button and a search bring them back") {
  OpenTriangles open("zhou/segmented-reduction");
  const auto has_row = [&](const QString& label) {
    return std::ranges::any_of(open.view.table()->rows(),
                               [&](const TableRow& row) { return row.label == label.toStdString(); });
  };
  open.go_to(0);
  REQUIRE(has_row("aabb.low.x"));
  CHECK_FALSE(has_row("aabb.low.z"));
  REQUIRE_FALSE(open.folded().isHidden());
  CHECK(open.folded().toolTip().contains("aabb.low.z"));
  open.folded().click();
  open.settle();
  CHECK(has_row("aabb.low.z"));
  open.folded().click();
  open.settle();
  CHECK_FALSE(has_row("aabb.low.z"));
  open.pane.find();
  open.settle();
  CHECK(has_row("aabb.low.z"));
}

TEST_CASE("at most five tables have a tab, the one in front always, and a menu opens the others") {
  OpenTriangles open("zhou/whole-pipeline");
  const QTabBar& tabs = open.pane.tabs();
  auto& more = *open.pane.findChild<QToolButton*>("more_tables");
  REQUIRE(tabs.count() > 5);
  const auto check_tabs = [&] {
    int shown = 0;
    for (int tab = 0; tab < tabs.count(); ++tab) shown += tabs.isTabVisible(tab);
    CHECK(shown == 5);
    CHECK(tabs.isTabVisible(tabs.currentIndex()));
    CHECK(more.menu()->actions().size() == tabs.count() - 5);
  };
  for (std::uint32_t step = 0; step < open.workbench.playback().step_count(); ++step) {
    open.go_to(step);
    CAPTURE(step);
    check_tabs();
  }
  const QString wanted = more.menu()->actions().back()->text();
  more.menu()->actions().back()->trigger();
  open.settle();
  CHECK(tabs.tabText(tabs.currentIndex()) == wanted);
  check_tabs();
}

TEST_CASE("a tree of ten levels fits a low pane, without scroll bar or overview, until a person looks closer") {
  OpenTriangles open("rank/how-fast");
  open.go_to(open.last_step());
  TreeView& tree = open.window.tree();
  auto* overview = tree.parentWidget()->findChild<Minimap*>();
  REQUIRE(overview);
  CHECK(tree.verticalScrollBar()->maximum() == 0);
  CHECK(overview->isHidden());
  QTest::mouseClick(open.window.findChild<QToolButton*>("tree_zoom_in"), Qt::LeftButton);
  open.settle();
  CHECK_FALSE(overview->isHidden());
}

}  // namespace kdscope::room_gui_test
