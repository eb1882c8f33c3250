// Tests answers that are kept between runs and handed in, and questions that are added to a step or made by the
// program.

#include <QDialogButtonBox>
#include <QFileDialog>

#include "app/workspace/kept_answers.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/asking.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope::kept_answers_gui_test {

TEST_CASE("answers are kept between runs of the program, and by several programs at a time") {
  const QTemporaryDir folder;
  const Memory memory{folder.filePath("settings.ini"), folder.filePath("state"), 50};
  {
    Asking open;
    open.window.workspace().remember(memory);
    open.go_to_stop(0);
    open.questions.type(QStringLiteral("6"));
    open.press(Qt::Key_Return);
    Asking other;
    other.window.workspace().remember(memory);
    other.go_to_stop(1);
    other.press(Qt::Key_A);
    open.settle();
    open.press(Qt::Key_Return);
    open.press(Qt::Key_K);
  }
  const QString path = folder.filePath(QStringLiteral("state/answers.kdresults"));
  {
    Asking open;
    open.window.workspace().remember(memory);
    CHECK(open.questions.answers().attempts().size() == 3);
    open.go_to_stop(0);
    CHECK(open.questions.state(0) == QuestionState::right);
    CHECK(open.questions.state(1) == QuestionState::skipped);
    CHECK(open.progress() == QStringLiteral("1 of 9 answered"));
  }
  // A damaged file costs the answers, but neither the file nor the program.
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadWrite));
  REQUIRE(file.resize(file.size() / 2));
  file.close();
  Asking open;
  open.window.workspace().remember(memory);
  CHECK(open.questions.answers().attempts().empty());
  CHECK(QDir(folder.filePath(QStringLiteral("state"))).entryList({QStringLiteral("*damaged*")}).size() == 1);
  open.go_to_stop(0);
  open.press(Qt::Key_K);
  CHECK(QFile::exists(path));
}

TEST_CASE("answers are handed in as a result file with the student's name") {
  const QTemporaryDir folder;
  Asking open;
  auto* action = open.window.findChild<QAction*>(QStringLiteral("hand_in"));
  REQUIRE(action);
  const auto dialog = [&]() -> HandInDialog& {
    action->trigger();
    REQUIRE(QTest::qWaitFor([&] { return open.window.findChild<HandInDialog*>() != nullptr; }, patience_ms));
    return *open.window.findChild<HandInDialog*>();
  };
  const auto save = [](HandInDialog& of) { return of.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save); };
  {
    HandInDialog& empty = dialog();
    empty.findChild<QLineEdit*>(QStringLiteral("hand_in_student"))->setText(QStringLiteral("Ada"));
    CHECK_FALSE(save(empty)->isEnabled());
    empty.reject();
    REQUIRE(QTest::qWaitFor([&] { return open.window.findChild<HandInDialog*>() == nullptr; }, patience_ms));
  }
  open.go_to_stop(0);
  open.questions.type(QStringLiteral("5"));
  open.press(Qt::Key_Return);
  open.questions.type(QStringLiteral("6"));
  open.press(Qt::Key_Return);
  HandInDialog& ask = dialog();
  CHECK_FALSE(save(ask)->isEnabled());  // no name yet
  QTest::keyClicks(ask.findChild<QLineEdit*>(QStringLiteral("hand_in_student")), QStringLiteral("Ada Lovelace"));
  REQUIRE(save(ask)->isEnabled());
  open.click(*save(ask));
  REQUIRE(
      QTest::qWaitFor([&] { return open.window.findChild<QFileDialog*>(QStringLiteral("file_dialog")); }, patience_ms));
  auto* files = open.window.findChild<QFileDialog*>(QStringLiteral("file_dialog"));
  CHECK(files->selectedFiles().value(0).endsWith(QStringLiteral("Ada Lovelace.kdresults")));
  const QString path = folder.filePath(QStringLiteral("ada.kdresults"));
  auto* name = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  REQUIRE(name);
  name->setText(path);
  QTest::keyClick(name, Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return QFile::exists(path); }, patience_ms));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const auto results = read_results(file.readAll().toStdString(), path.toStdString()).value();
  CHECK(results.student == "Ada Lovelace");
  REQUIRE(results.attempts.size() == 2);
  CHECK(results.attempts[0].outcome == Outcome::wrong);
  CHECK(results.attempts[1].outcome == Outcome::right);
}

TEST_CASE("what is handed in during a presentation are one's own answers, not those of the class") {
  Asking open;
  open.go_to_stop(0);
  open.questions.type(QStringLiteral("6"));
  open.press(Qt::Key_Return);
  open.questions.ask_class(true);
  open.questions.type(QStringLiteral("5"));
  open.questions.check();
  REQUIRE(open.questions.answers().attempts().back().outcome == Outcome::wrong);
  const HandInDialog dialog(open.workbench, QStringLiteral("Ada"), &open.window);
  REQUIRE(dialog.attempts().size() == 1);
  CHECK(dialog.attempts().front().outcome == Outcome::right);
}

TEST_CASE("questions that are added to a step are asked there until another run opens") {
  Asking open;
  open.press(Qt::Key_Home);
  open.settle();
  CHECK_FALSE(open.panel.isVisible());
  Question question;
  question.text = "What is every tag?";
  question.answer = "Zero.";
  question.hidden_rows = {"tags"};
  question.expects.emplace();
  question.expects->kind = AnswerKind::number;
  open.questions.add({{{"", "build / initialise tags", 0, question.text}, question}});
  open.settle();
  REQUIRE(open.panel.isVisible());
  CHECK(open.row_text("tags").startsWith(QLatin1Char('?')));
  open.press(Qt::Key_Right);
  CHECK_FALSE(open.panel.isVisible());
  open.press(Qt::Key_Left);
  REQUIRE(open.panel.isVisible());
  open.questions.type(QStringLiteral("0"));
  open.press(Qt::Key_Return);
  CHECK(open.questions.answers().attempts().back().lesson.empty());
  CHECK(open.questions.answers().attempts().back().stop == "build / initialise tags");
  CHECK(open.row_text("tags").startsWith(QLatin1Char('0')));
  open.open_lesson("wald/ten-points");
  open.press(Qt::Key_Home);
  CHECK_FALSE(open.panel.isVisible());
}

TEST_CASE("the program asks about any step, and another question like it on fresh data") {
  Asking open;
  open.press(Qt::Key_Home);
  open.settle();
  auto* repeat = open.window.findChild<QAction*>(QStringLiteral("another_like_this"));
  REQUIRE(repeat);
  CHECK_FALSE(repeat->isEnabled());
  open.press(Qt::Key_G);
  open.settle();
  REQUIRE(open.questions.count() > 0);
  REQUIRE(open.panel.isVisible());
  REQUIRE(open.questions.place());
  CHECK(open.questions.place()->lesson.empty());
  const QString asked = open.panel.words();
  CHECK_FALSE(asked.trimmed().isEmpty());
  REQUIRE(repeat->isEnabled());
  open.press(Qt::Key_A);
  CHECK(open.panel.words().size() > asked.size());
  CHECK(open.questions.answers().attempts().back().outcome == Outcome::revealed);

  const auto before = open.workbench.playback().trace();
  open.press(Qt::Key_G, Qt::ShiftModifier);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace() != before; },
                          patience_ms));
  REQUIRE(QTest::qWaitFor([&] { return open.questions.count() == 1; }, patience_ms));
  CHECK(open.workbench.lessons().lesson() == nullptr);
  CHECK(open.workbench.playback().trace()->header.n == before->header.n);
  CHECK(open.workbench.playback().trace()->header.algorithm == before->header.algorithm);
  CHECK(open.questions.is_open());
  CHECK(open.panel.isVisible());
  CHECK(open.progress().isEmpty());  // there is no lesson
  CHECK(repeat->isEnabled());
}

}  // namespace kdscope::kept_answers_gui_test
