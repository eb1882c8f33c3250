// Tests "be the kernel" in the window, by keys and mouse: a step is performed cell by cell, graded in the order of the
// writes, kept as attempts, and its result is to be seen nowhere meanwhile.

#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolButton>

#include "app/appearance/key_list.hpp"
#include "app/compare/compare_window.hpp"
#include "app/kernel/kernel_pane.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/stop_list.hpp"
#include "app/present/presentation.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workspace/kept_answers.hpp"
#include "tests/app/open_workbench.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope::kernel_gui_test {

namespace {

struct Performing : OpenWorkbench {
  KernelPane& pane = find<KernelPane>("kernel_pane");
  KernelPractice& practice = *window.findChild<KernelPractice*>();

  /// Opens a run at a step.
  explicit Performing(const std::string& step, const std::string& data = "wald-10",
                      const std::string& algorithm = "wald", const Parameters& parameters = {},
                      QSize size = {1280, 800})
      : OpenWorkbench(size) {
    open_another([&] { workbench.desk().run({data, algorithm, parameters, Backend::cpu}); });
    show_step(steps_matching(*workbench.playback().trace(), step).front());
  }
  void start() {
    press(Qt::Key_K, Qt::ShiftModifier);
    settle();
    REQUIRE(practice.exercise());
  }
  /// Repeats the exercise on fresh data.
  void repeat() {
    const auto before = workbench.playback().trace();
    click(find<QToolButton>("kernel_repeat"));
    REQUIRE(QTest::qWaitFor(
        [&] {
          return !workbench.jobs().busy() && workbench.playback().trace() != before && practice.exercise() &&
                 &practice.exercise()->trace() == workbench.playback().trace().get();
        },
        patience_ms));
    settle();
  }
  KernelSheet& sheet() {
    for (KernelSheet* each : pane.sheets())
      if (each->has_current()) return *each;
    FAIL("no sheet has the current cell");
    return *pane.sheets().front();
  }
  /// Types into the sheet; a space stands for Enter.
  void type(const char* keys) {
    for (const char* key = keys; *key; ++key)
      *key == ' ' ? QTest::keyClick(&sheet(), Qt::Key_Return) : QTest::keyClick(&sheet(), *key);
  }
  QString feedback() { return find<QLabel>("kernel_feedback").text(); }
  QString task() { return find<QLabel>("kernel_task").text(); }
  /// The texts of the first row of the first sheet.
  QString written() {
    const KernelSheet& first = *pane.sheets().front();
    QStringList texts;
    for (int c = 0; c < static_cast<int>(first.rows().columns.size()); ++c) texts << first.shown_text(0, c);
    return texts.join(QLatin1Char(' '));
  }
  std::vector<Attempt> attempts() { return workbench.questions().answers().attempts(); }
};

/// Returns the panes in sight that lie over another one, or outside the window.
QStringList covering(const MainWindow& window) {
  QStringList names;
  std::vector<const QWidget*> in_sight{window.centralWidget()};
  for (const QDockWidget* dock : window.docks())
    if (dock->isVisible() && !dock->isFloating() && !dock->visibleRegion().isEmpty()) in_sight.push_back(dock);
  for (const QWidget* pane : in_sight)
    if (!window.rect().contains(pane->geometry()) || std::any_of(in_sight.begin(), in_sight.end(), [&](auto* other) {
          return other != pane && other->geometry().intersects(pane->geometry());
        }))
      names << pane->objectName();
  return names;
}

bool is_covered(QWidget& pane) {
  for (const auto* curtain : pane.findChildren<Curtain*>())
    if (curtain->isVisibleTo(&pane)) return true;
  return false;
}

}  // namespace

TEST_CASE("no mode that edits points is lit or offered while a step is performed") {
  Performing open("level 0 / update tags");
  auto& what_if = open.find<QAction>("what_if");
  what_if.trigger();
  REQUIRE(what_if.isChecked());
  open.start();
  for (const char* name : {"what_if", "edit_points"}) {
    CHECK_FALSE(open.find<QAction>(name).isChecked());
    CHECK_FALSE(open.find<QAction>(name).isEnabled());
  }
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  REQUIRE_FALSE(open.practice.exercise());
  for (const char* name : {"what_if", "edit_points"}) CHECK(open.find<QAction>(name).isEnabled());
}

TEST_CASE("no question is asked while a step is performed, and what it hides stays hidden") {
  OpenWorkbench open;
  open.open_lesson("textbook/first-tree");
  const Questions& questions = open.workbench.questions();
  const auto& panel = *open.window.findChild<QWidget*>(QStringLiteral("question_panel"));
  for (const int stop : {0, 1}) {  // the exercise begins at the step of the first one
    open.workbench.lessons().go_to_stop(stop);
    open.settle();
    REQUIRE(questions.is_open());
    open.press(Qt::Key_K, Qt::ShiftModifier);
    open.settle();
    CHECK(open.workbench.playback().is_confined());
    CHECK_FALSE(questions.question());
    CHECK_FALSE(panel.isVisible());
    if (stop == 0) CHECK(open.workbench.playback().concealment().tree);
    open.press(Qt::Key_K, Qt::ShiftModifier);
    open.settle();
    CHECK(open.workbench.lessons().stop_index() == stop);
    CHECK(questions.is_open());
    CHECK(panel.isVisible());
  }
}

TEST_CASE("at 1280 x 720 the whole exercise is in sight, and its room goes back to the arrays") {
  Performing open("level 0 / update tags", "wald-10", "wald", {}, {1280, 720});
  QDockWidget& arrays = *open.window.dock("arrays");
  const int before = arrays.height();
  open.start();
  QTest::keyClick(&open.sheet(), Qt::Key_7);
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  QTest::keyClick(&open.sheet(), Qt::Key_H);
  open.settle();
  for (const char* name : {"kernel_task", "kernel_feedback", "kernel_hint_text", "kernel_check", "kernel_hint",
                           "kernel_show", "kernel_repeat", "kernel_leave", "kernel_step", "kernel_thread"}) {
    INFO(name);
    const auto& part = open.find<QWidget>(name);
    CHECK(part.visibleRegion().boundingRect() == part.rect());
  }
  CHECK(open.window.size() == QSize(1280, 720));
  CHECK(covering(open.window) == QStringList());
  const QWidget& cells = *open.sheet().viewport();
  CHECK(cells.visibleRegion().boundingRect() == cells.rect());
  CHECK_FALSE(open.sheet().horizontalScrollBar()->isVisible());
  CHECK(open.sheet().rows().title == QStringLiteral("position"));
  CHECK(open.sheet().rows().columns[3] == QStringLiteral("3"));
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  CHECK(arrays.height() == before);
  // In large text the panes keep off each other, too
  open.workbench.looks().set_text_scale(200);
  open.rest();
  open.start();
  CHECK(covering(open.window) == QStringList());
  CHECK(open.window.size() == QSize(1280, 720));
  // An array over points names them as every table does
  Performing ranks("rank coordinates");
  ranks.start();
  CHECK(ranks.sheet().rows().title == QStringLiteral("point"));
  CHECK(ranks.sheet().rows().columns[3] == QStringLiteral("p3"));
}

TEST_CASE("a step is performed thread by thread with the keyboard, and nothing shows its result") {
  Performing open("level 0 / update tags");
  const std::uint32_t step = open.step();
  QDockWidget& dock = *open.window.dock("kernel");
  CHECK(dock.isHidden());
  open.workbench.playback().select({Space::point, 3});
  open.start();
  CHECK(dock.isVisible());
  REQUIRE(QTest::qWaitFor([&] { return open.sheet().hasFocus(); }, patience_ms));
  CHECK(open.written() == "? ? ? ? ? ? ? ? ? ?");
  CHECK(open.task().startsWith("Thread 0 writes tags at position 0. Update tags:"));
  CHECK(open.feedback().contains(QStringLiteral("before step %1,").arg(step)));  // the panes went back by one

  // The run ends at the input, whatever moves through it; what follows a point over all steps is covered.
  CHECK(open.step() == step - 1);
  for (const Qt::Key key : {Qt::Key_Right, Qt::Key_End, Qt::Key_PageDown}) {
    QTest::keyClick(&open.window, key);
    CHECK(open.step() == step - 1);
  }
  CHECK(open.feedback().contains("hidden until you leave"));
  open.workbench.playback().seek(open.last_step());
  open.workbench.playback().walk_changes(1);
  open.workbench.playback().walk_changes(1);
  CHECK(open.step() == step - 1);
  CHECK(is_covered(*open.window.dock("biography")->widget()));
  // The list of stops ends at the input as well, also where the introduction lies behind it.
  StopList stops(open.workbench, &open.window);
  for (int row = 0; row <= static_cast<int>(open.workbench.lessons().stop_steps().size()); ++row) {
    stops.show_stops();
    stops.list().setCurrentRow(row);
    QTest::keyClick(&stops.list(), Qt::Key_Return);
    CHECK(open.step() <= step - 1);
  }
  open.workbench.playback().seek(step - 1);
  open.workbench.transport().back();
  CHECK(open.step() == step - 2);  // what comes before is no secret
  open.workbench.playback().seek(step - 1);

  open.type("1 1 1 1 1 1 0 2 2 ");
  CHECK(open.task().startsWith("Thread 9 writes tags"));
  CHECK(open.attempts().empty());  // nothing is graded yet
  open.type("2");
  QTest::keyClick(&open.sheet(), Qt::Key_Tab);  // after the last thread: check
  CHECK(open.feedback() == QStringLiteral("\u2713 Right: 10 cells, no wrong write."));
  CHECK(open.written().startsWith(QStringLiteral("1 \u2713 1 \u2713")));
  CHECK(open.pane.windowTitle() == "10 of 10 right");
  const auto attempts = open.attempts();
  REQUIRE(attempts.size() == 10);
  for (const Attempt& attempt : attempts) CHECK(attempt.outcome == Outcome::right);
  CHECK(attempts[6].asked == "tags at position 6 (wald on wald-10)");
  CHECK(attempts[6].given.text == "0");

  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  CHECK_FALSE(open.practice.exercise());
  CHECK(open.step() == step);
  CHECK(open.workbench.playback().selection() == Selection{Space::point, 3});
  CHECK_FALSE(open.workbench.playback().is_confined());
  CHECK(dock.isHidden());
  CHECK_FALSE(is_covered(*open.window.dock("biography")->widget()));
  open.press(Qt::Key_Right);
  CHECK(open.step() == step + 1);
}

TEST_CASE("wrong writes are graded in their order, with the place of the first one, also after a correction") {
  Performing open("level 0 / update tags");
  open.start();
  open.type("1 1 1 1 2 ");  // number 5 is wrong,
  QTest::keyClick(&open.sheet(), Qt::Key_Backtab);
  CHECK(open.practice.current() == 4u);
  open.type("1 1 1 2 2 2");  // corrected before the check; number 8 is wrong too
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  CHECK(open.feedback().toStdString() ==
        "\u2717 The first wrong write is number 5 of 11: tags at position 4 = 2. 1 cell is still to be written.");
  CHECK(open.written().toStdString() ==
        "1 \u2713 1 \u2713 1 \u2713 1 \u2713 1 \u2713 1 \u2713 1 \u2717 2 \u2713 2 \u2713 2 \u2713");
  auto attempts = open.attempts();
  REQUIRE(attempts.size() == 11);
  CHECK(attempts[4].outcome == Outcome::wrong);
  CHECK(attempts[5].outcome == Outcome::right);
  CHECK(attempts[7].outcome == Outcome::wrong);
  CHECK(attempts[7].asked.starts_with("tags at position 6"));

  // A right write that is overwritten by a wrong one is wrong: the whole sequence counts.
  open.practice.go_to(6);
  open.type("0");
  open.practice.go_to(5);
  open.practice.go_to(6);
  open.type("7");
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  CHECK_FALSE(open.practice.is_complete());
  CHECK(open.practice.mark(6) == KernelPractice::Mark::wrong);
  open.type("0b0 ");  // Enter on the last open cell checks
  CHECK(open.practice.is_complete());
  CHECK(open.feedback().contains("The first wrong write is number 5 of 14"));
  CHECK(open.attempts().size() == 14);

  // What is no number is no write.
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.start();
  open.type("0x ");
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  CHECK(open.feedback().contains("tags at position 0 = 0x cannot be read as a number."));
  CHECK(open.attempts().size() == 14);
}

TEST_CASE("values in the wrong order are named so") {
  Performing open("rank coordinates");
  open.start();
  // Write the right values of a row without duplicates, the first two exchanged.
  const KernelExercise& exercise = *open.practice.exercise();
  std::vector<std::size_t> row;
  for (std::size_t i = 0; i < exercise.cells().size(); ++i)
    if (exercise.cells()[i].array == exercise.cells().front().array &&
        exercise.cells()[i].component == exercise.cells().front().component)
      row.push_back(i);
  REQUIRE(row.size() == 10);
  for (std::size_t i = 0; i < row.size(); ++i) {
    open.practice.go_to(row[i]);
    open.type(exercise.model_answer(row[i < 2 ? 1 - i : i]).c_str());
  }
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  CHECK(open.feedback().contains("The first wrong write is number 1"));
  CHECK(open.feedback().contains("so the order is wrong"));
}

TEST_CASE("values are taken by clicks, with a hint and the model answer of each thread") {
  Performing open("level 0 / update tags");
  open.start();
  KernelSheet& sheet = open.sheet();
  const auto click = [&](int row, int column) {
    QTest::mouseClick(sheet.viewport(), Qt::LeftButton, {},
                      sheet.visualRect(sheet.model()->index(row, column)).center());
  };
  CHECK(sheet.rows().rows[0].label == "tags after");
  click(0, 6);
  CHECK(open.practice.current() == 6u);
  int before = 1;
  while (!sheet.rows().rows[before].label.startsWith("tags")) ++before;
  CHECK(sheet.rows().rows[before].label == "tags before");
  click(before, 2);  // takes the 0 that stands there
  CHECK(open.practice.text(6) == "0");
  // Looking at a node writes nothing.
  open.practice.go_to(0);
  open.workbench.playback().select({Space::node, 1});
  CHECK(open.practice.text(0).isEmpty());
  open.type("1");
  QTest::keyClick(&sheet, Qt::Key_H);
  CHECK(open.find<QLabel>("kernel_hint_text").text().contains("tags at position 0 held node 0 before."));
  QTest::keyClick(&sheet, Qt::Key_C);
  CHECK(open.attempts().size() == 2);
  for (int i = 0; i < 8; ++i) QTest::keyClick(&sheet, Qt::Key_A);
  CHECK(open.practice.is_complete());
  CHECK(open.pane.windowTitle() == "2 of 10 right, 8 shown");
  CHECK(open.feedback().contains("Model answer at position 9: tags = 2."));
  CHECK(open.attempts().size() == 10);
  CHECK(open.attempts().back().outcome == Outcome::revealed);
}

TEST_CASE("one thread or all, other steps, and fresh data; leaving brings the first run back") {
  Performing open("level 1 / update tags");
  const auto trace = open.workbench.playback().trace();
  const std::uint32_t step = open.step();
  open.start();
  auto& threads = open.find<QComboBox>("kernel_thread");
  CHECK(threads.count() == 10);  // all, and the nine that are not settled
  threads.setCurrentIndex(threads.findText("thread 4"));
  emit threads.activated(threads.currentIndex());
  REQUIRE(open.practice.exercise()->cells().size() == 1);
  CHECK(open.practice.exercise()->cells()[0].index == 4);
  CHECK(threads.count() == 10);
  auto& steps = open.find<QComboBox>("kernel_step");
  CHECK(steps.count() > 5);
  steps.setCurrentIndex(steps.findText("level 0 / update tags"));
  emit steps.activated(steps.currentIndex());
  CHECK(open.practice.exercise()->cells().size() == 10);
  CHECK(open.step() == open.practice.exercise()->step() - 1);

  for (int round = 0; round < 2; ++round) {
    open.repeat();
    CHECK(open.workbench.playback().trace()->header.n == 10);
    CHECK(open.workbench.edits().points()->points.words != points_of(*trace)->points.words);
    CHECK(open.practice.exercise()->cells().size() == 10);
    CHECK(open.workbench.playback().is_confined());
    CHECK(open.step() == open.practice.exercise()->step() - 1);
  }
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(open.step() == step);
}

TEST_CASE("counts of a histogram have a sheet of their own, with a row for each block") {
  Performing open("level 0 / parallel radix sort / pass 0 / histogram creation", "sixteen", "wehr",
                  {{"base", "4"}, {"tpb", "4"}});
  open.start();
  REQUIRE(open.pane.sheets().size() > 1);
  const SheetRows& counts = open.pane.sheets().back()->rows();
  CHECK(counts.title == "digit");
  CHECK(counts.columns.size() == 4);
  CHECK(counts.columns[2] == "2");
  const auto row = std::find_if(counts.rows.begin(), counts.rows.end(), [](const SheetRows::Row& each) {
    return each.label.startsWith("h, ") && each.label.contains("block 1");
  });
  REQUIRE(row != counts.rows.end());
  open.practice.go_to(static_cast<std::size_t>(row->cells[2]));
  CHECK(&open.sheet() == open.pane.sheets().back());
  CHECK(open.task().startsWith("Here the step writes h at"));
  open.type(open.practice.exercise()->model_answer(open.practice.current()).c_str());
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  CHECK(open.practice.exercise()->progress().right == 1);
}

TEST_CASE("own points are performed too, and a lesson comes back where it was") {
  Performing open("level 0 / update tags");
  auto data = std::make_shared<DataSet>(*open.workbench.edits().points());
  data->points.words[0] = 99;
  open.workbench.edits().edit(data, "a point of one's own");
  open.open_another([&] { open.workbench.desk().run_again(); });
  open.settle();
  open.start();
  repeat_until([&] { return open.practice.is_complete(); }, [&] { QTest::keyClick(&open.sheet(), Qt::Key_A); });
  CHECK(open.attempts().back().asked.find("own points") != std::string::npos);

  // Another run ends the exercise.
  open.open_lesson("wald/ten-points");
  CHECK_FALSE(open.practice.exercise());
  CHECK_FALSE(open.workbench.playback().is_confined());
  open.press(Qt::Key_PageDown);
  const int stop = open.workbench.lessons().stop_index();
  const std::uint32_t step = open.step();
  open.start();
  CHECK(open.workbench.lessons().lesson());
  open.press(Qt::Key_PageDown);
  CHECK(open.step() < open.practice.exercise()->step());
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  CHECK(open.workbench.lessons().stop_index() == stop);
  CHECK(open.step() == step);
}

TEST_CASE("what was performed is handed in, and the keys are listed") {
  const QTemporaryDir folder;
  Performing open("level 0 / update tags");
  open.start();
  open.type("1 2 ");
  QTest::keyClick(&open.sheet(), Qt::Key_C);
  const HandInDialog dialog(open.workbench, QStringLiteral("Ada"), &open.window);
  const QString path = folder.filePath(QStringLiteral("ada.kdresults"));
  REQUIRE(hand_in(dialog.student(), dialog.attempts(), path));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const auto results = read_results(file.readAll().toStdString(), path.toStdString()).value();
  REQUIRE(results.attempts.size() == 2);
  CHECK(results.attempts[0].outcome == Outcome::right);
  CHECK(results.attempts[1].outcome == Outcome::wrong);
  CHECK(results.attempts[1].stop == "build / level 0 / update tags (be the kernel)");
  CHECK(results.attempts[1].given.text == "2");
  KeyList keys(open.window, &open.window, {});
  keys.show_keys();
  CHECK(keys.text().contains("Be the kernel"));
  CHECK(keys.text().contains("Shift+K"));
  CHECK(keys.text().contains("Model answer of this thread"));
}

TEST_CASE("a run without a step to perform says so") {
  Performing open("final sort");
  open.workbench.transport().last();
  open.press(Qt::Key_K, Qt::ShiftModifier);
  CHECK_FALSE(open.practice.exercise());
  CHECK_FALSE(open.window.findChild<QAction*>("be_the_kernel")->isChecked());
  CHECK_FALSE(open.workbench.playback().is_confined());
}

TEST_CASE("leaving after fresh data keeps what was edited meanwhile") {
  Performing open("level 1 / update tags");
  const auto trace = open.workbench.playback().trace();
  const std::uint32_t step = open.step();
  open.workbench.marks().set(step, "here");
  const auto marks = open.workbench.marks().all();
  open.start();
  open.repeat();
  const auto fresh = open.workbench.playback().trace();
  auto data = std::make_shared<DataSet>(*open.workbench.edits().points());
  data->points.words[0] ^= 1;
  open.workbench.edits().edit(data, "an edit of the fresh points");
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  CHECK_FALSE(open.practice.exercise());
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(open.step() == step);
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.workbench.marks().all() == marks);
  QUndoStack& undo = open.workbench.undo_stack();
  while (open.workbench.playback().trace() != fresh && undo.canUndo()) undo.undo();
  REQUIRE(open.workbench.playback().trace() == fresh);
  CHECK(open.workbench.edits().points()->points.words == data->points.words);

  // A cleared stack does not matter.
  open.start();
  const auto edited = open.workbench.playback().trace();
  open.repeat();
  undo.clear();
  open.press(Qt::Key_K, Qt::ShiftModifier);
  CHECK(open.workbench.playback().trace() == edited);
  CHECK(open.workbench.edits().points()->points.words == data->points.words);
}

TEST_CASE("a lesson that is opened while fresh data are computed ends the exercise") {
  Performing open("level 0 / update tags");
  open.start();
  open.click(open.find<QToolButton>("kernel_repeat"));
  open.open_lesson("wald/ten-points");
  CHECK_FALSE(open.practice.exercise());
  CHECK_FALSE(open.workbench.playback().is_confined());
  CHECK_FALSE(open.find<QAction>("be_the_kernel").isChecked());
  CHECK(open.workbench.lessons().lesson());
}

TEST_CASE("while a step is performed, no other window, presentation or motion shows its result") {
  Performing open("level 0 / update tags");
  auto &sides = open.find<QAction>("side_by_side"), &exporting = open.find<QAction>("export_action");
  sides.trigger();
  auto* compared = open.window.findChild<CompareWindow*>();
  REQUIRE(compared);
  open.settle();
  open.workbench.motion().set_enabled(true);
  open.start();
  CHECK_FALSE(open.workbench.motion().under_way());
  CHECK_FALSE(sides.isEnabled());
  CHECK_FALSE(exporting.isEnabled());
  CHECK(sides.toolTip().startsWith("Off while you perform a step"));
  CHECK(compared->isHidden());
  open.repeat();
  CHECK_FALSE(sides.isEnabled());
  open.press(Qt::Key_K, Qt::ShiftModifier);
  open.settle();
  CHECK(sides.isEnabled());
  CHECK(exporting.isEnabled());
  CHECK_FALSE(sides.toolTip().startsWith("Off while"));

  // A lecture is not confined by a key.
  Presentation& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 800), QRect(1280, 0, 1280, 800)}, 0);
  REQUIRE(presentation.running());
  REQUIRE(QTest::qWaitForWindowExposed(presentation.audience(), patience_ms));
  QApplication::setActiveWindow(presentation.audience());
  QTest::keyClick(presentation.audience(), Qt::Key_K, Qt::ShiftModifier);
  CHECK_FALSE(open.practice.exercise());
  REQUIRE(presentation.notes());
  const auto& next = *presentation.notes()->findChild<QLabel*>("next");
  open.workbench.playback().confine(open.step());
  CHECK(next.text().contains("hidden while a step is performed"));
  open.workbench.playback().confine(std::nullopt);
  CHECK_FALSE(next.text().contains("hidden"));
  presentation.stop();
  KeyList keys(open.window, &open.window, {plain_title(open.window.menu(QStringLiteral("practise")))});
  CHECK_FALSE(keys.text().contains("Be the kernel"));
}

}  // namespace kdscope::kernel_gui_test
