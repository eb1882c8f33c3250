// Plays the course as a student does, by keys alone: lessons are opened from their menu, every stop is visited, and
// every question is answered. There is no call of the mouse in this file.

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>

#include "algorithms/text/numbers.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/question_panel.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"
#include "walkthroughs/reader/course.hpp"

using namespace kdscope;

namespace {

/// The text that a person types for the right answer.
std::string typed_text(const ExpectedAnswer& expected) {
  switch (expected.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
    case AnswerKind::cell: {
      std::string text;
      for (const std::uint32_t element : expected.elements) text += (text.empty() ? "" : " ") + std::to_string(element);
      return text;
    }
    case AnswerKind::split:
    case AnswerKind::number:
      return shortest(expected.number);
    case AnswerKind::words:
      return expected.texts.front();
    case AnswerKind::choice:
      return std::to_string(expected.right + 1);
  }
  return {};
}

struct Student : OpenWorkbench {
  Questions& questions = workbench.questions();
  QMenu& menu = window.menu(QStringLiteral("lessons"));
  std::size_t answered = 0, chosen = 0;

  /// Sends a key to what has the keyboard focus.
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget* target = QApplication::activePopupWidget();
    if (!target) target = QApplication::focusWidget();
    QTest::keyClick(target ? target : &window, key, modifiers);
  }

  /// Opens the Lessons menu.
  void open_menu() {
    settle();
    window.setFocus();
    key(Qt::Key_L, Qt::AltModifier);
    REQUIRE(QTest::qWaitFor([&] { return menu.isVisible(); }, patience_ms));
  }

  /// Walks down the open menu to an entry.
  void walk_to(const QMenu& in, const QAction* entry) {
    for (int presses = 0; in.activeAction() != entry; ++presses) {
      REQUIRE(presses < 60);
      key(Qt::Key_Down);
    }
  }

  void choose_lesson(const std::string& id) {
    auto* action = menu.findChild<QAction*>(QString::fromStdString(id));
    if (!action) action = window.findChild<QAction*>(QString::fromStdString(id));
    REQUIRE(action);
    const auto before = workbench.playback().trace();
    open_menu();
    QMenu* part = nullptr;
    for (QAction* entry : menu.actions())
      if (entry->menu() && entry->menu()->actions().contains(action)) part = entry->menu();
    REQUIRE(part);
    walk_to(menu, part->menuAction());
    key(Qt::Key_Right);
    REQUIRE(QTest::qWaitFor([&] { return part->isVisible(); }, patience_ms));
    walk_to(*part, action);
    key(Qt::Key_Return);
    arrive(before, id);
  }

  void arrive(const std::shared_ptr<const Trace>& before, const std::string& id) {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; },
                            patience_ms));
    REQUIRE(workbench.lessons().lesson());
    CHECK(workbench.lessons().lesson()->id == id);
    QApplication::setActiveWindow(&window);
    window.setFocus();
  }

  /// Answers the question at hand, and goes on to the next open one.
  void answer() {
    const Question& question = *questions.question();
    INFO(question.text);
    if (!question.expects) {
      key(Qt::Key_A);  // it is answered aloud
      CHECK(questions.state() == QuestionState::revealed);
    } else {
      const std::string text = typed_text(*question.expects);
      INFO("typed: " << text);
      if (question.expects->kind == AnswerKind::choice) {
        key(static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(question.expects->right)));
        ++chosen;
      } else {
        key(Qt::Key_T);
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        REQUIRE(field);
        QTest::keyClicks(field, QString::fromStdString(text));
      }
      key(Qt::Key_Return);
      CHECK(questions.feedback().startsWith(QStringLiteral("Right")));
      REQUIRE(questions.state() == QuestionState::right);
    }
    ++answered;
    if (questions.next_open()) key(Qt::Key_Return);
  }

  /// Plays the open lesson from its introduction to its end.
  void play() {
    const Lesson& lesson = *workbench.lessons().lesson();
    REQUIRE(workbench.lessons().at_introduction());
    key(Qt::Key_Right);
    for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop) {
      INFO(lesson.id << ": " << lesson.stops[stop].title);
      REQUIRE(workbench.lessons().stop_index() == static_cast<int>(stop));
      REQUIRE(questions.count() == static_cast<int>(lesson.stops[stop].questions.size()));
      for (int question = 0; question < questions.count(); ++question) {
        REQUIRE(questions.is_open());
        answer();
      }
      CHECK_FALSE(questions.is_open());
      CHECK_FALSE(workbench.playback().concealment());
      if (stop + 1 < lesson.stops.size()) key(Qt::Key_PageDown);
    }
    QCoreApplication::processEvents();
  }

  QString entry(const char* name) { return find<QAction>(name).text(); }
  bool says_all_is_done() {
    auto& done = find<QAction>("course_done");
    return done.isVisible() && done.text().contains(QStringLiteral("are done"));
  }
};

}  // namespace

TEST_CASE("the whole course is played by keys alone: every lesson, every stop, every question", "[share]") {
  const QTemporaryDir state;
  const Memory memory{state.filePath(QStringLiteral("settings.ini")), state.path(), 60000};
  const auto course = read_course(lessons_folder()).value();
  std::size_t questions = 0, answered = 0;
  std::vector<std::string> played;
  {
    Student student;
    student.window.workspace().remember(memory);
    const Course whole = with_all_lessons(course, student.workbench.lessons().catalogue());
    std::set<std::string> shares;
    for (const Lesson& lesson : test::shown_lessons(student.workbench.lessons().catalogue())) shares.insert(lesson.id);
    for (const CoursePart& part : whole.parts)
      for (const std::string& id : part.lessons) {
        if (shares.count(id) == 0) continue;
        CHECK_FALSE(student.says_all_is_done());
        INFO(id);
        student.choose_lesson(id);
        for (const Stop& stop : student.workbench.lessons().lesson()->stops) questions += stop.questions.size();
        student.play();
        CHECK(student.window.findChild<QAction*>(QString::fromStdString(id))->text().startsWith(QChar(0x2713)));
        played.push_back(id);
      }
    answered = student.answered;
    CHECK(student.chosen > played.size());
    CHECK(student.says_all_is_done() == test::everything());
    for (const Lesson& lesson : student.workbench.lessons().catalogue().lessons) {
      const Progress progress = student.questions.answers().progress(lesson);
      INFO(lesson.id);
      const bool done = std::find(played.begin(), played.end(), lesson.id) != played.end();
      CHECK(progress.answered + progress.shown == (done ? progress.questions : 0));
    }
  }
  CHECK(played.size() >= 6);
  CHECK(answered == questions);
  CHECK(questions > 60);

  // The next hour finds everything as it was left.
  Student student;
  student.window.workspace().remember(memory);
  CHECK(student.says_all_is_done() == test::everything());
  CHECK(student.questions.answers().attempts().size() >= answered);
}

TEST_CASE("the next hour goes on where the last one ended, by keys alone") {
  const QTemporaryDir state;
  const Memory memory{state.filePath(QStringLiteral("settings.ini")), state.path(), 60000};
  {
    Student student;
    student.window.workspace().remember(memory);
    CHECK_FALSE(student.find<QAction>("continue_course").isVisible());
    student.choose_lesson("wald/six-points");
    student.key(Qt::Key_Right);
    student.answer();
    student.key(Qt::Key_PageDown);
    REQUIRE(student.workbench.lessons().stop_index() == 1);
    QCoreApplication::processEvents();
  }
  Student student;
  student.window.workspace().remember(memory);
  REQUIRE(student.workbench.lessons().lesson()->id != "wald/six-points");
  const QString words = student.entry("continue_course");
  CHECK(words.contains(QStringLiteral("Six points")));
  CHECK(words.contains(QStringLiteral("stop 2")));
  const auto before = student.workbench.playback().trace();
  student.open_menu();
  student.walk_to(student.menu, &student.find<QAction>("continue_course"));
  student.key(Qt::Key_Return);
  student.arrive(before, "wald/six-points");
  REQUIRE(QTest::qWaitFor([&] { return student.workbench.lessons().stop_index() == 1; }, patience_ms));
  student.key(Qt::Key_PageUp);
  CHECK(student.workbench.lessons().stop_index() == 0);
  CHECK(student.questions.state(0) == QuestionState::right);

  // From the last lesson of a part, a key leads into the next part.
  const auto six_points = student.workbench.playback().trace();
  CHECK(student.entry("next_lesson").contains(QStringLiteral("ten points")));
  student.key(Qt::Key_PageDown, Qt::AltModifier);
  student.arrive(six_points, "wald/ten-points");
  CHECK(student.workbench.lessons().at_introduction());
}

TEST_CASE("a button at the end of a lesson leads to the next one, once no question is open") {
  Student student;
  student.open_lesson("wald/six-points");
  auto& button = student.find<QPushButton>("begin");
  CHECK(button.isVisible());
  CHECK(button.text() == QStringLiteral("Begin (PageDown)"));
  student.workbench.lessons().go_to_stop(static_cast<int>(student.workbench.lessons().stop_steps().size()) - 1);
  student.settle();
  REQUIRE(student.questions.is_open());
  CHECK(button.isHidden());
  while (student.questions.is_open()) {
    student.questions.reveal();
    if (const auto open = student.questions.next_open()) student.questions.go_to(*open);
  }
  student.settle();
  REQUIRE(button.isVisible());
  CHECK(button.text() == QStringLiteral("Next lesson: Wald's ten points (Alt+PgDown)"));
  const auto six_points = student.workbench.playback().trace();
  student.click(button);
  student.arrive(six_points, "wald/ten-points");
  CHECK(student.workbench.lessons().at_introduction());
}

TEST_CASE("a column is chosen by arrow keys in the table, and answers the question at hand") {
  Student student;
  int stop = 0;
  for (const Stop& each : student.workbench.lessons().lesson()->stops) {
    if (!each.questions.empty() && each.questions[0].expects &&
        each.questions[0].expects->kind == AnswerKind::positions)
      break;
    ++stop;
  }
  REQUIRE(stop < static_cast<int>(student.workbench.lessons().lesson()->stops.size()));
  repeat_until([&] { return student.workbench.lessons().stop_index() >= stop; },
               [&] { student.key(Qt::Key_PageDown); });
  student.settle();
  const std::vector<std::uint32_t> right = student.questions.question()->expects->elements;
  REQUIRE(right == std::vector<std::uint32_t>{0, 1, 2});
  ArrayTableView& table = student.window.arrays().view();
  const ArraysPane& pane = student.window.arrays();
  for (int presses = 0; !table.hasFocus() && presses < 60; ++presses)
    student.key(pane.isAncestorOf(QApplication::focusWidget()) ? Qt::Key_Tab : Qt::Key_F6);
  REQUIRE(table.hasFocus());
  for (int presses = 0; presses < 3; ++presses) student.key(Qt::Key_Right, Qt::AltModifier);
  CHECK(student.questions.text() == QStringLiteral("0 1 2"));
  student.key(Qt::Key_Return);
  CHECK(student.questions.state() == QuestionState::right);
}
