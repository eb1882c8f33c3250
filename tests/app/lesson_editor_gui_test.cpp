// Tests that a lesson is made, saved, opened and answered in the window by keys and clicks alone.

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include "app/panes/arrays_pane.hpp"
#include "app/panes/question_panel.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/cases.hpp"
#include "walkthroughs/writer/lesson_writer.hpp"

using namespace kdscope;

namespace {

struct Writing : OpenWorkbench {
  QTemporaryDir folder;
  LessonEditor& editor = workbench.editor();

  explicit Writing(QSize size = {1280, 800}) : OpenWorkbench(size) {}

  void trigger(const char* name) {
    auto& action = find<QAction>(name);
    INFO(name);
    REQUIRE(action.isEnabled());
    action.trigger();
    settle();
  }
  void run(const QString& data) {
    open_another([&] { workbench.open(data); });
    settle();
  }
  /// Clicks into a field and types; what it held before is replaced.
  template <class Input>
  void type(const char* name, const QString& text) {
    auto& input = find<Input>(name);
    INFO(name);
    REQUIRE(input.isVisible());
    input.setFocus();
    QTest::keyClick(&input, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&input, text);
    wait_for_checks();
  }
  void click_button(const char* name) {
    auto& button = find<QToolButton>(name);
    INFO(name);
    REQUIRE(button.isVisible());
    REQUIRE(button.isEnabled());
    QTest::mouseClick(&button, Qt::LeftButton);
    settle();
  }
  /// Chooses an entry of a list by keys.
  void choose(const char* name, int index) {
    auto& list = find<QComboBox>(name);
    REQUIRE(list.isVisible());
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Home);
    for (int i = 0; i < index; ++i) QTest::keyClick(&list, Qt::Key_Down);
    REQUIRE(list.currentIndex() == index);
    wait_for_checks();
  }
  void wait_for_checks() {
    QTest::qWait(300);
    settle();
  }
  QString note(const char* name) { return find<QLabel>(name).isHidden() ? QString() : find<QLabel>(name).text(); }
  void save_as(const QString& name) {
    trigger("save_lesson_as");
    accept_file(folder.filePath(name));
  }
  void accept_file(const QString& path) {
    auto& dialog = find<QFileDialog>("file_dialog");
    auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    REQUIRE(line);
    line->setText(path);
    QTest::keyClick(line, Qt::Key_Return);
    settle();
  }
  void add_stop(const QString& narration) {
    trigger("add_stop");
    type<QPlainTextEdit>("editor_narration", narration);
  }
  std::string path(const char* name) const { return folder.filePath(QString::fromLatin1(name)).toStdString(); }
  void write(const char* name, const QByteArray& bytes) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    REQUIRE(file.write(bytes) == bytes.size());
  }
  QByteArray bytes_of(const char* name) const {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  void click_cell(const std::string& name, std::uint64_t column) {
    ArrayTableView& table = window.arrays().view();
    const auto& rows = table.table()->rows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.name == name; });
    REQUIRE(row != rows.end());
    const QRect cell = table.cell_rect(static_cast<std::size_t>(row - rows.begin()), column);
    REQUIRE_FALSE(cell.isEmpty());
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell.center());
    settle();
  }
};

}  // namespace

LESSON_CASE("a lesson of three stops is made, saved, opened and answered by keys and clicks") {
  Writing w;
  w.trigger("new_lesson");
  REQUIRE(w.editor.active());
  CHECK(w.find<QDockWidget>("lesson_editor").isVisible());
  CHECK(w.note("editor_title_note") == "Give the lesson a title.");
  w.type<QLineEdit>("editor_title", "My own lesson");
  CHECK(w.note("editor_title_note").isEmpty());
  w.type<QLineEdit>("editor_aim", "Find the pivot.");
  w.type<QSpinBox>("editor_minutes", "20");
  w.type<QPlainTextEdit>("editor_introduction", "What it is about.");

  // Three stops, made where the run stands.
  w.workbench.playback().seek(1);
  w.trigger("add_stop");
  CHECK(w.note("editor_narration_note") == "Write what happened at this step, and why.");
  w.type<QPlainTextEdit>("editor_narration", "Sorted. Why?");
  w.workbench.playback().seek(4);
  w.add_stop("The third.");
  w.workbench.playback().seek(2);
  w.add_stop("Between them.");
  REQUIRE(w.editor.lesson().stops.size() == 3);
  CHECK(w.editor.stop() == 1);
  CHECK(w.editor.lesson().stops[2].narration == "The third.");
  CHECK(w.workbench.lessons().lesson()->stops.size() == 3);  // the window shows the draft

  // A question whose answer is a click on a cell, hidden until then.
  w.click_button("editor_add_question");
  w.type<QPlainTextEdit>("editor_ask", "Which position is the pivot?");
  w.choose("editor_form", 1);
  CHECK_FALSE(w.note("editor_given_note").isEmpty());
  w.type<QLineEdit>("editor_given", "99");
  CHECK(w.note("editor_given_note") == "There is no position 99 at this step; positions are 0 to 9.");
  w.click_button("editor_pick");
  w.click_cell("tags", 6);
  w.click_button("editor_pick");
  CHECK(w.find<QLineEdit>("editor_given").text() == "6");
  w.type<QPlainTextEdit>("editor_answer", "Position 5.");
  CHECK(w.note("editor_given_note").isEmpty());
  CHECK_FALSE(w.note("editor_answer_note").isEmpty());  // it does not state 6
  w.type<QPlainTextEdit>("editor_answer", "Position 6.");
  CHECK(w.note("editor_answer_note").isEmpty());
  w.type<QPlainTextEdit>("editor_hint", "Count.");
  w.find<QCheckBox>("editor_hides_marks").setFocus();
  QTest::keyClick(&w.find<QCheckBox>("editor_hides_marks"), Qt::Key_Space);
  w.wait_for_checks();
  REQUIRE(w.editor.problems().empty());
  CHECK(w.workbench.questions().count() == 0);  // nothing is asked while it is written
  CHECK_FALSE(w.workbench.playback().concealment().marks);

  // As a student sees it.
  w.trigger("preview_lesson");
  CHECK(w.workbench.questions().count() == 1);
  CHECK(w.workbench.playback().concealment().marks);
  w.trigger("preview_lesson");
  CHECK(w.workbench.questions().count() == 0);

  CHECK(w.editor.unsaved());
  w.save_as("mine.md");
  CHECK_FALSE(w.editor.unsaved());
  const auto read = read_lesson(w.folder.filePath("mine.md").toStdString()).value();
  CHECK(same_lesson(read, w.editor.lesson()));
  CHECK(read.minutes == 20);
  CHECK(read.stops[1].questions[0].expects->elements == std::vector<std::uint32_t>{6});
  CHECK(check_claims(read, w.workbench.playback().trace()));

  // Opened as a student does, and answered.
  w.trigger("close_lesson");
  CHECK_FALSE(w.editor.active());
  w.run(w.folder.filePath("mine.md"));
  REQUIRE(w.workbench.lessons().lesson());
  CHECK(w.workbench.lessons().lesson()->title == "My own lesson");
  CHECK(w.workbench.lessons().at_introduction());
  w.window.setFocus();
  repeat_until([&] { return w.workbench.lessons().stop_index() >= 1; }, [&] { w.press(Qt::Key_PageDown); });
  w.settle();
  CHECK(w.workbench.questions().is_open());
  w.click_cell("tags", 6);
  w.press(Qt::Key_Return);
  CHECK(w.workbench.questions().state() == QuestionState::right);
}

LESSON_CASE("a copy of a lesson is edited, and its stops are moved, reordered and removed with undo") {
  Writing w;
  const Lesson original = *w.workbench.lessons().lesson();
  w.trigger("edit_lesson");
  REQUIRE(w.editor.active());
  CHECK(w.editor.file().empty());
  CHECK(same_lesson(w.editor.lesson(), original));
  w.editor.go_to(1);
  CHECK(w.workbench.lessons().stop_index() == 1);
  w.click_button("editor_down");
  CHECK(w.editor.lesson().stops[2].title == original.stops[1].title);
  CHECK(w.editor.stop() == 2);
  w.workbench.undo_stack().undo();
  CHECK(same_lesson(w.editor.lesson(), original));
  w.click_button("editor_remove");
  CHECK(w.editor.lesson().stops.size() == original.stops.size() - 1);
  w.workbench.undo_stack().undo();
  CHECK(same_lesson(w.editor.lesson(), original));

  // The values that a stop shows follow it to another step.
  const std::uint32_t free = w.workbench.lessons().stop_steps()[2];
  w.editor.go_to(2);
  w.click_button("editor_remove");
  w.editor.go_to(1);
  REQUIRE_FALSE(w.editor.lesson().stops[1].shows.empty());
  w.workbench.playback().seek(free);
  REQUIRE(w.editor.stop() == 1);
  w.click_button("editor_move");
  CHECK(w.workbench.lessons().stop_steps()[1] == free);
  CHECK(check_claims(w.editor.lesson(), w.workbench.playback().trace()));

  // A lesson in work is not lost by opening another one, nor by closing the window.
  w.open_lesson("wald/six-points");
  CHECK(w.editor.unsaved());
  CHECK_FALSE(w.editor.fits_run());
  w.window.close();
  w.settle();
  auto& box = w.find<QMessageBox>("unsaved_lesson");
  CHECK(w.window.isVisible());
  QTest::mouseClick(box.button(QMessageBox::Cancel), Qt::LeftButton);
  w.settle();
  CHECK(w.editor.unsaved());
  const auto before = w.workbench.playback().trace();
  w.click_button("editor_open_run");
  REQUIRE(QTest::qWaitFor([&] { return !w.workbench.jobs().busy() && w.workbench.playback().trace() != before; },
                          patience_ms));
  w.settle();
  CHECK(w.editor.fits_run());
  w.editor.close();
}

LESSON_CASE("a lesson on own points opens anywhere, and a suggested question is taken over") {
  Writing w;
  auto own = std::make_shared<DataSet>(*w.workbench.edits().points());
  own->name = "mine";
  own->points.words.resize(own->points.stride() * 7);
  RunRequest spec = w.workbench.desk().request();
  spec.points = own;
  spec.data = own->name;
  const auto before = w.workbench.playback().trace();
  w.workbench.desk().run(spec);
  REQUIRE(QTest::qWaitFor([&] { return !w.workbench.jobs().busy() && w.workbench.playback().trace() != before; },
                          patience_ms));
  w.settle();
  w.trigger("new_lesson");
  w.type<QLineEdit>("editor_title", "Seven points");
  w.workbench.playback().seek(1);
  w.add_stop("Sorted.");
  auto& menu = w.find<QMenu>("editor_suggestions");
  emit menu.aboutToShow();
  REQUIRE_FALSE(menu.isEmpty());
  menu.actions().front()->trigger();
  w.wait_for_checks();
  REQUIRE(w.editor.lesson().stops[0].questions.size() == 1);
  CHECK(w.editor.lesson().stops[0].questions[0].expects);
  CHECK(w.editor.problems().empty());
  w.click_button("editor_as_now");
  CHECK(w.editor.lesson().stops[0].panes.size() >= 3);
  CHECK_FALSE(w.editor.lesson().stops[0].rows.empty());
  w.save_as("seven.md");
  REQUIRE_FALSE(w.editor.unsaved());
  w.editor.close();
  w.open_lesson(start_lesson);
  w.run(w.folder.filePath("seven.md"));
  REQUIRE(w.workbench.lessons().lesson());
  CHECK(w.workbench.playback().trace()->header.n == 7);
  CHECK(w.workbench.edits().recorded_points()->points.words == own->points.words);
}

LESSON_CASE("a lesson that is not complete is not saved, and comes back with a session") {
  Writing w;
  w.trigger("new_lesson");
  w.workbench.playback().seek(1);
  w.trigger("add_stop");
  w.trigger("save_lesson_as");
  w.accept_file(w.folder.filePath("half.md"));
  CHECK(w.editor.unsaved());
  CHECK_FALSE(QFile::exists(w.folder.filePath("half.md")));

  const SavedSession saved = w.workbench.saved_session();
  CHECK_FALSE(saved.draft.empty());
  const Lesson draft = w.editor.lesson();
  const QString session = w.folder.filePath("s.kdsession");
  REQUIRE(save_session(saved, session.toStdString()));
  w.editor.close();
  w.run(session);
  REQUIRE(w.editor.active());
  CHECK(same_lesson(w.editor.lesson(), draft));
  CHECK(w.editor.unsaved());
  w.editor.close();
}

LESSON_CASE("undo changes one stop alone, and leaves what was typed and saved since") {
  Writing w;
  QUndoStack& undo = w.workbench.undo_stack();
  w.trigger("edit_lesson");
  const Lesson original = w.editor.lesson();
  REQUIRE(w.editor.save(w.path("first.md")));
  w.editor.go_to(1);
  w.editor.reorder(1);
  w.editor.change([](Lesson& lesson) {
    lesson.title = "Typed since";
    lesson.stops[2].narration = "Typed in the stop.";
  });
  REQUIRE(w.editor.save(w.path("second.md")));
  undo.undo();
  CHECK(w.editor.file() == w.path("second.md"));
  CHECK(w.editor.lesson().title == "Typed since");
  CHECK(w.editor.lesson().stops[1].narration == "Typed in the stop.");
  CHECK(w.editor.lesson().stops[2].title == original.stops[2].title);
  CHECK(w.editor.stop() == 1);
  undo.redo();
  CHECK(w.editor.lesson().stops[2].narration == "Typed in the stop.");
  undo.undo();

  // A removed stop comes back as it was, and a new one with its texts by redo.
  w.editor.remove_stop();
  w.editor.change([](Lesson& lesson) { lesson.stops[1].narration = "Typed below."; });
  undo.undo();
  CHECK(w.editor.lesson().stops[1].narration == "Typed in the stop.");
  CHECK(w.editor.lesson().stops[2].narration == "Typed below.");
  w.workbench.playback().seek(w.workbench.lessons().stop_steps()[1] + 1);
  w.editor.add_stop();
  const auto added = static_cast<std::size_t>(w.editor.stop());
  w.editor.change([&](Lesson& lesson) { lesson.stops[added].narration = "A new one."; });
  undo.undo();
  CHECK(w.editor.lesson().stops.size() == original.stops.size());
  undo.redo();
  REQUIRE(w.editor.lesson().stops.size() == original.stops.size() + 1);
  CHECK(w.editor.lesson().stops[added].narration == "A new one.");

  // A stop goes back to its step, and keeps its text.
  w.editor.go_to(1);
  const std::vector<std::uint32_t> steps = w.workbench.lessons().stop_steps();
  std::uint32_t free = w.last_step();
  while (std::count(steps.begin(), steps.end(), free) > 0) --free;
  w.workbench.playback().seek(free);
  REQUIRE(w.editor.stop() == 1);
  w.editor.move_here();
  REQUIRE(w.workbench.lessons().stop_steps()[1] == free);
  w.editor.change([](Lesson& lesson) { lesson.stops[1].narration = "Typed at the end."; });
  undo.undo();
  CHECK(w.workbench.lessons().stop_steps() == steps);
  CHECK(w.editor.lesson().stops[1].narration == "Typed at the end.");

  // Another lesson with as many stops stays as it is.
  Lesson other = w.editor.lesson();
  other.title = "Another lesson";
  w.editor.remove_stop();
  undo.undo();
  w.editor.remove_stop();
  const Lesson shorter = w.editor.lesson();
  w.editor.close();
  other.stops = shorter.stops;
  w.editor.edit(other, true);
  const int commands = undo.count();
  undo.undo();
  CHECK(undo.count() == commands - 1);
  CHECK(same_lesson(w.editor.lesson(), other));
  w.editor.close();
}

LESSON_CASE("a lesson saved in another folder takes its points along, and replaces no other file") {
  Writing w;
  const PointSet& points = w.workbench.edits().points()->points;
  QByteArray scan;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d)
      scan += QByteArray::number(points.value(i, d)) + (d + 1 < points.dim ? "," : "\n");
  for (const char* name : {"from", "to", "taken"}) REQUIRE(QDir(w.folder.path()).mkdir(QString::fromLatin1(name)));
  w.write("from/scan.csv", scan);
  w.write("taken/scan.csv", "1,2\n3,4\n");
  w.trigger("new_lesson");
  w.workbench.playback().seek(1);
  w.editor.add_stop();
  w.editor.change([](Lesson& lesson) {
    lesson.title = "On a file";
    lesson.stops[0].narration = "Sorted.";
  });
  Lesson lesson = w.editor.lesson();
  lesson.data = "scan.csv";
  lesson.points = nullptr;
  lesson.path = w.path("from/l.md");
  REQUIRE(save_lesson(lesson, lesson.path));
  w.editor.close();
  w.run(w.folder.filePath("from/l.md"));
  w.editor.edit(*w.workbench.lessons().lesson(), false);
  REQUIRE(w.editor.fits_run());

  REQUIRE(w.editor.save(w.path("from/l.md")));
  CHECK(w.editor.lesson().data == "scan.csv");
  const auto refused = w.editor.save(w.path("taken/l.md"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "another file has the name of the lesson's points");
  CHECK(w.bytes_of("taken/scan.csv") == "1,2\n3,4\n");
  CHECK_FALSE(QFile::exists(w.folder.filePath("taken/l.md")));
  CHECK(w.editor.file() == w.path("from/l.md"));
  for (int times = 0; times < 2; ++times) {
    REQUIRE(w.editor.save(w.path("to/l.md")));
    CHECK(w.bytes_of("to/scan.csv") == scan);
    CHECK(w.editor.lesson().data == "scan.csv");
    CHECK(w.editor.file() == w.path("to/l.md"));
  }
  w.editor.close();
}

LESSON_CASE("a lesson counts as unsaved from its first text") {
  Writing w;
  const std::vector<std::function<void(Lesson&)>> edits{
      [](Lesson& lesson) { lesson.title = "A title"; }, [](Lesson& lesson) { lesson.aim = "An aim."; },
      [](Lesson& lesson) { lesson.minutes = 20; }, [](Lesson& lesson) { lesson.builds_on = {start_lesson}; },
      [](Lesson& lesson) { lesson.introduction = "A text."; }};
  for (const auto& edit : edits) {
    REQUIRE(w.editor.begin());
    CHECK_FALSE(w.editor.unsaved());
    w.editor.change(edit);
    CHECK(w.editor.unsaved());
    w.editor.close();
  }
}

LESSON_CASE("a negative number is typed key by key, and Space checks a row of a list") {
  Writing w;
  w.trigger("new_lesson");
  w.workbench.playback().seek(1);
  w.add_stop("Sorted.");
  w.click_button("editor_add_question");
  w.choose("editor_form", 6);
  auto& given = w.find<QLineEdit>("editor_given");
  w.type<QLineEdit>("editor_given", "-");
  CHECK(given.text() == "-");  // also after the views have followed
  QTest::keyClicks(&given, "5");
  w.wait_for_checks();
  const auto expected = [&] { return w.editor.lesson().stops[0].questions[0].expects; };
  REQUIRE(expected());
  CHECK(expected()->number == -5);
  w.type<QLineEdit>("editor_given", "-");
  w.find<QPlainTextEdit>("editor_ask").setFocus();
  w.wait_for_checks();
  CHECK(given.text() == "-5");

  auto& rows = w.find<QListWidget>("editor_hidden_rows");
  REQUIRE(rows.count() > 0);
  rows.setFocus();
  rows.setCurrentRow(0);
  QTest::keyClick(&rows, Qt::Key_Space);
  w.settle();
  CHECK_FALSE(w.workbench.transport().playing());
  CHECK(rows.item(0)->checkState() == Qt::Checked);
  CHECK(w.editor.lesson().stops[0].questions[0].hidden_rows.size() == 1);
  w.editor.close();
}
