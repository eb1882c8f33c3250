// Looking inside a step: it is recorded in a process of its own, walked through by the transport's keys, saved in a
// trace and opened from it without a compiler.

#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QTableWidget>
#include <QTreeWidget>
#include <algorithm>

#include "algorithms/trace/trace_file.hpp"
#include "app/inside/inside_pane.hpp"
#include "app/inside/touch_arrows.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/present/presentation.hpp"
#include "app/views/code_view.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

constexpr std::uint32_t update_tags = 3;  // the first one of wald's ten points

struct InsideWindow : OpenWorkbench {
  Inside& inside;
  InsidePane& pane;

  InsideWindow() : inside(workbench.inside()), pane(*window.findChild<InsidePane*>()) {
    show_answers();
    show_step(update_tags);
  }
  /// Goes to the next stop of a lesson, and waits until this place in its launch is shown.
  void next_stop(const char* place) {
    press(Qt::Key_PageDown);
    REQUIRE(QTest::qWaitFor([&] { return inside.is_open() && inside.place_text() == place; }, 10 * patience_ms));
    settle();
  }
  void wait_for_job() {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, 10 * patience_ms));
    settle();
  }
  /// Returns the texts of a lane's cells from left to right; a hole is "-".
  std::string lane(std::uint32_t number) {
    const LaneSheetModel& cells = pane.sheet().cells();
    const auto row = cells.row_of_lane(number);
    REQUIRE(row);
    std::string texts;
    for (int column = 0; column < cells.columnCount(); ++column) {
      const QString text = cells.index(*row, column).data().toString();
      texts += (column > 0 ? " | " : "") + (text.isEmpty() ? "-" : text.toStdString());
    }
    return texts;
  }
  void click_cell(int row, int column) {
    LaneSheet& sheet = pane.sheet();
    const QModelIndex cell = sheet.cells().index(row, column);
    sheet.scrollTo(cell);
    QTest::mouseClick(sheet.viewport(), Qt::LeftButton, {}, sheet.visualRect(cell).center());
    settle();
  }
  QString access_text() { return find<QLabel>("inside_access").text(); }

  /// Checks the sheet of the first update of tags against the algorithm: six positions lie left of the root's pivot at
  /// position 6, three right of it.
  void check_update_of_tags() {
    REQUIRE(inside.is_open());
    for (std::uint32_t i = 0; i < 10; ++i) {
      const std::string at = "[" + std::to_string(i) + "]";
      CHECK(lane(i) == at + " 0 | " + (i < 6 ? at + " <- 1 | -" : i == 6 ? "- | -" : "- | " + at + " <- 2"));
    }
  }
};

/// Two blocks of 64 lanes: each lane writes a shared h, of which lane 40 reads another lane's element in the same
/// interval, then a vote.
access_log::Look planted_look() {
  using namespace access_log;
  Look look;
  LaunchRecording& r = look.recording;
  r.launches = {{"build / level 0 / update tags", "count", LaunchKind::blocks, 2, 64, 0}};
  r.arrays = {{"h", 4, 64, ValueType::whole, true, 0, false}};
  for (std::uint32_t line = 0; line < 3; ++line) r.sites.push_back({line, 0, "count.hpp", 10 + line});
  for (std::uint32_t block = 0; block < 2; ++block) {
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      r.accesses.push_back({0, block, 0, lane, 0, 0, 0, 4, 4 * std::int64_t(lane), 100 + lane, 1, 0, 0, 0});
      if (lane == 40) r.accesses.push_back({0, block, 0, lane, 1, 0, 1, 4, 4 * 7, 107, 0, 0, 0, 0});
    }
    r.intervals.push_back({"lanes", 0, block, 0, 0, {}, {}});
    r.intervals.push_back({"ballot", 0, block, 1, 2, {0x80000005u}, {}});
  }
  look.faults = find_faults(r);
  return look;
}

/// Whatever is in sight of the sheet and of shared memory is whole, and what is not in sight is named.
void check_lanes(InsideWindow& open, AudienceWindow& audience) {
  open.settle();
  const LaneSheet& sheet = *audience.findChild<LaneSheet*>();
  const LaneSheetModel& cells = sheet.cells();
  REQUIRE(cells.rowCount() > 0);
  REQUIRE(cells.columnCount() > 0);
  int rows = 0, columns = 0;
  for (int row = 0; row < cells.rowCount(); ++row) {
    if (sheet.isRowHidden(row)) continue;
    ++rows;
    CHECK(sheet.rowViewportPosition(row) >= 0);
    CHECK(sheet.rowViewportPosition(row) + sheet.rowHeight(row) <= sheet.viewport()->height());
  }
  const QFontMetrics digits(sheet.font()), heads(sheet.horizontalHeader()->font());
  CHECK(QFontInfo(sheet.font()).pixelSize() >= 14);
  CHECK(QFontInfo(sheet.verticalHeader()->font()).pixelSize() >= 14);
  for (int column = 0; column < cells.columnCount(); ++column) {
    if (sheet.isColumnHidden(column)) continue;
    ++columns;
    CHECK(sheet.columnViewportPosition(column) >= 0);
    CHECK(sheet.columnViewportPosition(column) + sheet.columnWidth(column) <= sheet.viewport()->width());
    for (int row = 0; row < cells.rowCount(); ++row)
      CHECK(digits.horizontalAdvance(cells.index(row, column).data().toString()) <= sheet.columnWidth(column) - 10);
    const QString head = cells.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const QString& line : head.split(QLatin1Char('\n')))
      CHECK(heads.horizontalAdvance(line) <= sheet.columnWidth(column));
  }
  CHECK(rows > 3);
  CHECK(columns > 0);
  const QString place = audience.findChild<QLabel*>("inside_place")->text();
  CAPTURE(place.toStdString());
  CHECK(place.contains(" columns") == (columns < cells.columnCount()));
  CHECK(place.contains("lanes ") == (rows < cells.rowCount()));
  if (const auto lane = open.inside.walk().lane()) {
    const auto row = cells.row_of_lane(*lane);
    REQUIRE(row);
    CHECK_FALSE(sheet.isRowHidden(*row));
  }
  const SharedBanks& banks = *audience.findChild<SharedBanks*>();
  if (!banks.isVisible()) return;
  const auto& first = banks.arrays().front();
  for (std::uint64_t element = 0; element < first.elements.size(); ++element)
    CHECK(banks.viewport()->rect().contains(banks.place_of(first.array, element)));
}

}  // namespace

TEST_CASE("inside: a step is recorded, walked through by the keys of steps, saved, and opened without a compiler") {
  InsideWindow open;
  open.press(Qt::Key_I, Qt::ShiftModifier);
  CHECK(open.window.dock(QStringLiteral("inside"))->isVisible());
  CHECK(open.workbench.jobs().busy());
  open.wait_for_job();
  INFO(open.find<QLabel>("inside_message").text().toStdString());
  open.check_update_of_tags();
  CHECK(open.find<QListWidget>("inside_faults").item(0)->text().contains("Nothing is wrong"));
  REQUIRE(open.find<QTableWidget>("inside_lines").rowCount() == 3);

  // The cells that the interval touches are framed: the tags of all points but the pivot's
  ArrayTableView& table = open.window.findChild<ArraysPane*>()->view();
  const TouchArrows& arrows = *table.findChild<TouchArrows*>();
  CHECK(arrows.isVisible());
  REQUIRE(arrows.touched().size() == 10);
  const std::size_t tags = arrows.touched().front().row;
  CHECK(table.table()->rows()[tags].name == "tags");
  for (const TouchedCell& cell : arrows.touched())
    CHECK(cell == TouchedCell{tags, cell.column, true, cell.column != 6});
  CHECK(arrows.mark().isEmpty());

  // Enter goes to lanes, then to accesses; the keys of steps walk there, and the step stays
  open.press(Qt::Key_Return);
  CHECK(arrows.touched() == std::vector{TouchedCell{tags, 0, true, true}});
  CHECK(QRectF(arrows.rect()).contains(arrows.mark()));
  CHECK(open.inside.walk().lane() == 0);
  open.press(Qt::Key_Right);
  CHECK(open.inside.walk().lane() == 1);
  open.press(Qt::Key_Return);
  CHECK(open.access_text().contains("reads tags[1] = 0"));
  CHECK(arrows.touched() == std::vector{TouchedCell{tags, 1, true, true, true}});
  open.press(Qt::Key_Right);
  CHECK(open.access_text().contains(QStringLiteral("writes tags[1] \u2190 1")));
  CHECK(open.workbench.playback().linked().positions == std::vector<IndexRange>{{1, 2}});
  const auto& source = open.find<CodeView>("source_code");
  const auto line = open.inside.line()->line;
  CHECK(source.has_line([&](const CodeLine& each) { return each.number == static_cast<int>(line); }));
  open.press(Qt::Key_Left);
  open.press(Qt::Key_Left);
  CHECK(open.access_text().contains("writes tags[0]"));
  open.press(Qt::Key_End);
  CHECK(open.access_text().contains("writes tags[9]"));
  open.press(Qt::Key_Right, Qt::ControlModifier);
  CHECK(open.inside.walk().lane() == 9);
  open.press(Qt::Key_Left, Qt::ControlModifier);
  CHECK(open.inside.walk().lane() == 8);
  CHECK(open.step() == update_tags);

  // Escape leads back out, and then the keys walk steps
  open.press(Qt::Key_Escape);
  open.press(Qt::Key_Escape);
  REQUIRE(open.inside.is_open());
  CHECK_FALSE(open.inside.walk().lane());
  open.press(Qt::Key_Escape);
  CHECK_FALSE(open.inside.is_open());
  CHECK_FALSE(open.workbench.playback().selection());
  CHECK_FALSE(arrows.isVisible());
  CHECK(arrows.touched().empty());
  open.settle();
  CHECK(open.window.dock(QStringLiteral("inside"))->isHidden());
  open.press(Qt::Key_Right);
  CHECK(open.step() == update_tags + 1);
  // What was recorded opens at once
  open.press(Qt::Key_Left);
  open.press(Qt::Key_I, Qt::ShiftModifier);
  CHECK(open.inside.is_open());

  if (!trace_files_available()) return;
  const test::TemporaryFolder folder;
  const std::string file = (folder.path / "inside.kdtrace").string();
  REQUIRE(save_trace(*access_log::with_looks(open.workbench.playback().trace(), open.inside.looks()), file));
  open.open_another([&] { open.workbench.desk().open_trace(QString::fromStdString(file)); });
  open.settle();
  CHECK_FALSE(open.inside.is_open());
  open.workbench.playback().seek(update_tags);
  qputenv("KDSCOPE_KIT", "/nowhere/kit.txt");
  open.inside.ask();
  open.wait_for_job();
  open.check_update_of_tags();
  // Another step needs the compiler
  open.workbench.playback().seek(update_tags + 2);
  CHECK_FALSE(open.inside.is_open());
  open.inside.ask();
  open.wait_for_job();
  qunsetenv("KDSCOPE_KIT");
  CHECK_FALSE(open.inside.is_open());
  CHECK(open.find<QLabel>("inside_message").text().contains("/nowhere/kit.txt"));
}

TEST_CASE("inside: while a question is at hand, Enter checks its answer and looks inside nothing") {
  InsideWindow open;
  int asked = 0;
  QObject::connect(&open.inside, &Inside::asked, &open.window, [&asked] { ++asked; });
  open.open_lesson("textbook/first-tree");
  REQUIRE(open.workbench.lessons().at_introduction());
  open.press(Qt::Key_Return);  // begins
  REQUIRE(open.workbench.lessons().stop_index() == 0);
  const Questions& questions = open.workbench.questions();
  REQUIRE(questions.question());
  open.press(Qt::Key_Return);  // nothing is answered
  open.press(Qt::Key_T);
  REQUIRE(QApplication::focusWidget() != nullptr);
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("8"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  open.settle();
  CHECK(questions.state(questions.current()) == QuestionState::right);
  open.press(Qt::Key_Return);
  CHECK(asked == 0);
}

TEST_CASE("inside: clicks lead from faults, lines and intervals to accesses, and to who wrote an element") {
  InsideWindow open;
  open.inside.keep(update_tags, prepared(planted_look()));
  open.inside.ask();
  open.settle();
  REQUIRE(open.inside.is_open());
  LaneSheet& sheet = open.pane.sheet();
  CHECK(sheet.cells().rowCount() == 64);
  CHECK(open.lane(3) == "[3] <- 103 | -");
  CHECK(open.lane(40) == "[40] <- 140 | [7] 107");
  CHECK(sheet.cells().begins_warp(32));
  CHECK_FALSE(sheet.cells().begins_warp(33));
  // Each block has its own h: once per block, lane 40 reads what lane 7 writes
  auto& faults = open.find<QListWidget>("inside_faults");
  REQUIRE(faults.count() == 1);
  CHECK(faults.item(0)->text().contains("reads h[7]"));
  QTest::mouseClick(faults.viewport(), Qt::LeftButton, {}, faults.visualItemRect(faults.item(0)).center());
  open.settle();
  CHECK(open.access_text().contains("lane 40: count.hpp:11 reads h[7] = 107"));
  // Who wrote it, by key; who reads it next, by the button
  sheet.setFocus();
  QTest::keyClick(&sheet, Qt::Key_W);
  CHECK(open.access_text().contains(QStringLiteral("lane 7: count.hpp:10 writes h[7] \u2190 107")));
  open.click(open.find<QPushButton>("inside_reader"));
  CHECK(open.access_text().contains("lane 40"));
  // Shared memory holds what was written so far: an element that no lane has reached is empty
  open.click_cell(5, 0);
  CHECK(open.access_text().contains("lane 5"));
  REQUIRE(open.pane.banks().has_arrays());
  CHECK(open.pane.banks().text_of(0, 5).contains("105"));
  CHECK(open.pane.banks().text_of(0, 6).contains("nobody has written"));
  const QRect fifth = open.pane.banks().place_of(0, 5);
  QTest::mouseClick(open.pane.banks().viewport(), Qt::LeftButton, {}, fifth.center());
  CHECK(open.access_text().contains("lane 5"));
  // A hole chooses its lane alone
  open.click_cell(9, 1);
  CHECK(open.inside.walk().depth() == access_log::Depth::lane);
  CHECK(open.inside.walk().lane() == 9);
  QTest::keyClick(&sheet, Qt::Key_Down);
  CHECK(open.inside.walk().lane() == 10);

  // The vote: a column of bits with their number
  auto& intervals = open.find<QTableWidget>("inside_intervals");
  REQUIRE(intervals.rowCount() == 2);
  QTest::mouseClick(intervals.viewport(), Qt::LeftButton, {}, intervals.visualItemRect(intervals.item(1, 1)).center());
  open.settle();
  CHECK(sheet.cells().headerData(0, Qt::Horizontal, Qt::DisplayRole).toString().contains("3 of 32"));
  CHECK(open.lane(0) == "1");
  CHECK(open.lane(1) == "0");
  CHECK(open.lane(31) == "1");
  open.press(Qt::Key_Right);
  CHECK(open.inside.walk().stretch().group == 1);
  CHECK(open.find<QSpinBox>("inside_block").value() == 1);
  // A line of the list by cost leads to its accesses
  auto& lines = open.find<QTableWidget>("inside_lines");
  open.find<QTabWidget>("inside_tabs").setCurrentIndex(1);
  open.settle();
  REQUIRE(lines.rowCount() == 2);
  CHECK(lines.item(0, 0)->text() == "count.hpp:10");
  CHECK(lines.item(0, 5)->text() == "4");  // two warps of two blocks
  QTest::mouseClick(lines.viewport(), Qt::LeftButton, {}, lines.visualItemRect(lines.item(1, 0)).center());
  open.settle();
  CHECK(open.access_text().contains("block 1, interval 0, lane 40"));
}

TEST_CASE("inside: who wrote an element is found in an earlier step by the same key") {
  InsideWindow open;
  // The second update of tags reads what the first one wrote; a sort that moves the tags stands between them
  open.workbench.playback().seek(update_tags);
  std::uint32_t second = update_tags + 1;
  const auto& steps = open.workbench.playback().trace()->steps;
  while (steps[second].name != steps[update_tags].name) ++second;
  open.workbench.playback().seek(second);
  open.inside.ask();
  open.wait_for_job();
  REQUIRE(open.inside.is_open());
  open.inside.set_depth(access_log::Depth::access);
  open.settle();
  REQUIRE(open.access_text().contains("reads tags["));
  LaneSheet& sheet = open.pane.sheet();
  sheet.setFocus();
  QTest::keyClick(&sheet, Qt::Key_W);
  const QString told = open.access_text();
  INFO(told.toStdString());
  CHECK(told.contains("its value is older than this step"));
  CHECK(told.contains("wrote the array last"));
  QTest::keyClick(&sheet, Qt::Key_W);
  open.wait_for_job();
  CHECK(open.step() < second);
  CHECK(std::ranges::find(steps[open.step()].wrote, "tags") != steps[open.step()].wrote.end());
}

TEST_CASE("inside: the step's own item opens it, another step closes it, and cancelling leaves a sentence") {
  InsideWindow open;
  open.inside.keep(update_tags, prepared(planted_look()));
  auto& dock = *open.window.dock(QStringLiteral("timeline"));
  dock.show();
  dock.raise();
  open.settle();
  auto* tree = dock.findChild<QTreeWidget*>();
  REQUIRE(tree->currentItem());
  tree->scrollToItem(tree->currentItem());
  const QPoint item = tree->visualItemRect(tree->currentItem()).center();
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, item);
  QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, item);
  open.settle();
  CHECK(open.inside.is_open());
  open.workbench.playback().seek(0);
  CHECK_FALSE(open.inside.is_open());
  open.settle();

  open.workbench.playback().seek(update_tags + 2);
  open.inside.ask();
  REQUIRE(open.workbench.jobs().busy());
  open.workbench.jobs().cancel();
  open.wait_for_job();
  CHECK(open.find<QLabel>("inside_message").text().contains("Cancelled"));
  CHECK_FALSE(open.inside.is_open());
}

TEST_CASE("inside: stops of a lesson lead to places inside one step, in the window and in a presentation") {
  InsideWindow open;
  open.open_lesson("wehr/inside-a-block");
  open.press(Qt::Key_PageDown);
  // The recording begins once every pane has heard of the stop
  REQUIRE(QTest::qWaitFor([&] { return open.inside.is_open(); }, 10 * patience_ms));
  open.settle();
  INFO(open.inside.message().toStdString());
  REQUIRE(open.inside.is_open());
  CHECK(open.inside.place_text() == "block 2, interval 0");
  // Lane i clears the counters i and i + 4
  for (std::uint32_t lane = 0; lane < 4; ++lane)
    CHECK(open.lane(lane) == "[" + std::to_string(lane) + "] <- 0 | [" + std::to_string(lane + 4) + "] <- 0");
  // Lane 0 stands for the splitting element and is idle; the others count the last digits of the keys 12, 1 and 10
  open.press(Qt::Key_PageDown);
  open.settle();
  CHECK_FALSE(open.workbench.jobs().busy());
  CHECK(open.inside.place_text() == "block 2, interval 1");
  CHECK(open.lane(0) == "- | -");
  CHECK(open.lane(1) == "[25] 12 | [4] +> 1");
  CHECK(open.lane(2) == "[26] 1 | [5] +> 1");
  CHECK(open.lane(3) == "[27] 10 | [6] +> 1");

  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(presentation.running());
  open.settle();
  auto* shown = presentation.audience()->findChild<LaneSheet*>();
  REQUIRE(shown);
  CHECK(shown->isVisible());
  CHECK(shown->cells().rowCount() == 4);
  CHECK(shown->cells().index(1, 0).data().toString() == "[25] 12");
  QTest::keyClick(presentation.audience(), Qt::Key_PageDown);
  open.settle();
  CHECK(open.inside.place_text() == "block 2, interval 2");
  CHECK(shown->cells().index(0, 1).data().toString() == "[2] <- 0");
  presentation.stop();
}

TEST_CASE("inside: in a window of a projector, the narration and its question stay in sight at every stop") {
  InsideWindow open;
  open.window.resize(1280, 720);
  open.rest();
  open.open_lesson("wehr/inside-a-block");
  const QDockWidget &narration = *open.window.dock(QStringLiteral("narration")),
                    &inside = *open.window.dock(QStringLiteral("inside"));
  const auto on_screen = [](const QWidget& part) { return QRect(part.mapToGlobal(QPoint(0, 0)), part.size()); };
  const auto check_stop = [&](int stop, const QDockWidget& text) {
    INFO("stop " << stop << ", " << text.objectName().toStdString());
    open.workbench.lessons().go_to_stop(stop);
    REQUIRE(QTest::qWaitFor([&] { return open.inside.is_open(); }, 10 * patience_ms));
    open.rest();
    CHECK(inside.isVisible());
    CHECK_FALSE(text.visibleRegion().isEmpty());
    CHECK_FALSE(on_screen(inside).intersects(on_screen(text)));
    const auto& sheet = *inside.findChild<LaneSheet*>();
    const QRect last = sheet.visualRect(sheet.cells().index(sheet.cells().rowCount() - 1, 0));
    CHECK(last.bottom() <= sheet.viewport()->height());  // the text names every lane
  };
  for (int stop = 0; stop < static_cast<int>(open.workbench.lessons().lesson()->stops.size()); ++stop)
    check_stop(stop, narration);
  // Another tab in front keeps its place as well
  open.workbench.lessons().go_to_stop(-1);
  open.inside.close();
  open.show_dock("checks");
  open.rest();
  REQUIRE(inside.isHidden());
  check_stop(0, *open.window.dock(QStringLiteral("checks")));
}

TEST_CASE("inside: an audience sees whole lanes and columns, the lane of the place among them, and reads what is cut") {
  InsideWindow open;
  std::vector<const Lesson*> lessons = every_nth_lesson(open.workbench, 1);
  std::erase_if(lessons, [](const Lesson* lesson) { return lesson->id.find("/inside-a-") == std::string::npos; });
  REQUIRE(lessons.size() == 3);
  walk_on_stage(open, lessons, least_stage, [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
    if (!stop) return;
    REQUIRE(QTest::qWaitFor([&] { return open.inside.is_open(); }, 10 * patience_ms));
    open.settle();
    check_lanes(open, audience);
    // Few lanes or columns have larger digits, until one of both fills the sheet
    const LaneSheet& sheet = *audience.findChild<LaneSheet*>();
    int down = 0, across = 0;
    for (int row = 0; row < sheet.cells().rowCount(); ++row) down += sheet.rowHeight(row);
    for (int column = 0; column < sheet.cells().columnCount(); ++column) across += sheet.columnWidth(column);
    CAPTURE(down, across, sheet.viewport()->width(), sheet.viewport()->height());
    CHECK((10 * down > 7 * sheet.viewport()->height() || 10 * across > 7 * sheet.viewport()->width()));
    // A lane far below comes into sight
    open.inside.go_to_lane(sheet.cells().last_lane_of(sheet.cells().rowCount() - 1));
    open.settle();
    check_lanes(open, audience);
    CHECK_FALSE(sheet.isRowHidden(sheet.cells().rowCount() - 1));
  });
}

TEST_CASE("inside: Robinson's ballot partition is played by keys, lane by lane") {
  InsideWindow open;
  open.open_lesson("brown/inside-a-warp");
  // The last eight references of the y order, by hand: points and their sides, less is 0
  const std::array<const char*, 8> points{"12", "39", "23", "35", "38", "18", "3", "36"};
  open.next_stop("warp 1, interval 0");
  for (std::uint32_t lane = 0; lane < 8; ++lane)
    CHECK(open.lane(lane).find("[" + std::to_string(32 + lane) + "] " + points[lane]) != std::string::npos);
  CHECK(open.lane(8).find('[') == std::string::npos);
  open.next_stop("warp 1, interval 1");
  open.next_stop("warp 1, interval 2");
  // A lane's place is the number of ones in front of its bit in 0100 1110
  CHECK(open.lane(0) == "-");
  CHECK(open.lane(1) == "[0] <- 39");
  CHECK(open.lane(4) == "[1] <- 38");
  CHECK(open.lane(5) == "[2] <- 18");
  CHECK(open.lane(6) == "[3] <- 3");
  open.next_stop("warp 1, interval 5");
  CHECK(open.lane(0) == "[0] 39 | [32] <- 39");
  CHECK(open.lane(1) == "[1] 38 | [33] <- 38");
}

TEST_CASE("inside: the block that finishes a subtree is played by keys, lane by lane") {
  InsideWindow open;
  open.open_lesson("rank/inside-a-block");
  open.next_stop("block 0, interval 1");
  CHECK(open.lane(0).find("2147483658") != std::string::npos);  // 10 + 2^31
  open.next_stop("block 0, interval 6");
  // Of x = 46, 44 and 45 in one bin behind four points, 46 has rank 6
  CHECK(open.lane(4).find("[1] <- 6") != std::string::npos);
  for (std::uint32_t lane = 0; lane < 10; ++lane)
    CHECK((open.lane(lane).find("2147483") != std::string::npos) == (lane >= 4 && lane <= 6));
  open.next_stop("block 0, interval 15");
  int atomics = 0;
  for (std::uint32_t lane = 0; lane < 10; ++lane) atomics += open.lane(lane).find("+>") != std::string::npos;
  CHECK(atomics == 9);
  open.next_stop("block 0, interval 16");
  // Of y = 15, 33, 54, 43, 58 and 40 of node 1's points, 43 has three smaller ones: that of point 5
  CHECK(open.lane(3).find("[1] <- 5") != std::string::npos);
  CHECK(open.lane(9).find("[2] <- 9") != std::string::npos);
  CHECK(open.lane(4).find("[1] <- ") == std::string::npos);
}
