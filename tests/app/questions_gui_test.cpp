// Tests questions in the window and in a presentation, by keys and mouse: what would answer a question is hidden in
// every pane until it is answered, shown or skipped.

#include <QDockWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>

#include "app/panes/before_badge.hpp"
#include "app/panes/curtain.hpp"
#include "app/present/presentation.hpp"
#include "app/views/code_view.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "app/workbench/open_questions.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/asking.hpp"
#include "tests/app/painted_texts.hpp"

namespace kdscope::questions_gui_test {

namespace {

bool is_covered(QWidget& pane) {
  for (const auto* curtain : pane.findChildren<Curtain*>())
    if (curtain->isVisibleTo(&pane)) return true;
  return false;
}

QString painted(QWidget& widget) {
  QStringList words;
  for (const PaintedText& text : painted_texts(widget)) words << text.text;
  return words.join(QLatin1Char(' '));
}

}  // namespace

TEST_CASE("where a stop has several questions, what is hidden names those that hide it") {
  Asking open;
  open.go_to_stop(0);
  const auto badge = [&] { return open.window.dock(QStringLiteral("tree"))->findChild<BeforeBadge*>()->text(); };
  const auto words = [&](bool Concealment::*part) {
    return hidden_words(open.workbench, [part](const Concealment& concealed) { return concealed.*part; });
  };
  CHECK(words(&Concealment::tree) == QStringLiteral("Hidden until questions 1 and 2 are answered."));
  CHECK(words(&Concealment::code) == QStringLiteral("Hidden until question 1 is answered."));
  CHECK(badge() == QStringLiteral("Before answers 1 and 2"));
  open.press(Qt::Key_K);
  open.settle();
  REQUIRE(open.questions.state(0) == QuestionState::skipped);
  CHECK(words(&Concealment::tree) == QStringLiteral("Hidden until question 2 is answered."));
  CHECK(badge() == QStringLiteral("Before answer 2"));
}

TEST_CASE("no pane shows what answers a question until it is answered", "[screen]") {
  Asking open;
  const auto check_hidden = [&](ArrayTableView& table, TreeView& tree, SceneView& scene) {
    const bool asked = !open.workbench.lessons().at_introduction();
    for (std::uint64_t c = 0; c < 10; ++c) {
      if (asked) CHECK(table.shown_text(open.row("tags"), c) == QStringLiteral("?"));
      for (std::size_t row = 0; row < table.table()->rows().size(); ++row) {
        const TableCell cell = table.table()->cell(row, c);
        CHECK((asked || cell.text != concealed_text));
        CHECK_FALSE(cell.pivot);
        CHECK_FALSE(cell.changed);
        CHECK_FALSE(cell.place);
      }
      if (asked) CHECK_FALSE(table.cell_tip(open.row("tags"), c).contains(QRegularExpression(QStringLiteral(": \\d"))));
    }
    CHECK_FALSE(painted(*table.viewport()).contains(QRegularExpression(QStringLiteral("\\b1 1 1\\b"))));
    CHECK(tree.diagram().nodes.empty());
    CHECK(painted(*tree.viewport()).contains(QStringLiteral("Hidden until")));
    CHECK(tree.node_tip({0}).isEmpty());
    CHECK_FALSE(scene.place_of_plane({0}));
    CHECK_FALSE(scene.place_of_cell({1}));
    CHECK(scene.scene().role_marks().points.empty());
  };
  // The introduction shows the step of the first stop, too.
  REQUIRE(open.workbench.lessons().at_introduction());
  CHECK_FALSE(open.panel.isVisible());
  check_hidden(open.table(), open.window.tree(), open.window.scene());
  const auto speaks_of_hiding = [&] {
    for (const QLabel* label : open.window.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QStringLiteral("idden"))) return true;
    return false;
  };
  open.window.dock(QStringLiteral("source"))->raise();
  open.settle();
  CHECK_FALSE(speaks_of_hiding());  // no question is in sight
  open.window.dock(QStringLiteral("narration"))->raise();
  open.settle();
  auto& begin = open.find<QPushButton>("begin");
  CHECK(begin.isVisible());
  QTest::mouseClick(&begin, Qt::LeftButton);
  CHECK_FALSE(begin.isVisible());
  open.go_to_stop(0);
  CHECK(speaks_of_hiding());
  REQUIRE(open.panel.isVisible());
  check_hidden(open.table(), open.window.tree(), open.window.scene());
  CHECK(open.row_text("data[i].x") == QStringLiteral("10 15 25 40 44 45 46 53 62 68"));
  CHECK(is_covered(*open.window.dock(QStringLiteral("source"))->widget()));
  CHECK(is_covered(*open.window.dock(QStringLiteral("biography"))->widget()));
  CHECK(open.workbench.playback().baseline() == nullptr);
  CHECK(open.workbench.playback().changes().size() == 0);
  // A selected point stays a point: its position is known, its node is not.
  open.workbench.playback().select({Space::point, 3});
  CHECK(open.workbench.playback().linked().nodes.empty());
  CHECK_FALSE(open.workbench.playback().linked().positions.empty());
  const QImage hidden = open.window.scene().picture();

  // The picture without planes differs from the one afterwards.
  open.workbench.playback().select(Selection{});
  open.press(Qt::Key_A);
  open.settle();
  REQUIRE(open.questions.state(0) == QuestionState::revealed);
  CHECK(open.row_text("tags") == QStringLiteral("1 1 1 1 1 1 0 2 2 2"));
  CHECK(open.table().table()->cell(1, 6).pivot);
  CHECK(open.window.scene().place_of_plane({0}));
  CHECK(differing_pixels(hidden, open.window.scene().picture()) > 500);
  CHECK_FALSE(is_covered(*open.window.dock(QStringLiteral("source"))->widget()));
  // The second question still hides the tree, and with it the changes, which name nodes.
  CHECK(open.window.tree().diagram().nodes.empty());
  open.press(Qt::Key_Return);
  open.press(Qt::Key_K);
  open.settle();
  CHECK_FALSE(open.window.tree().diagram().nodes.empty());
  CHECK(open.workbench.playback().changes().size() > 0);
}

TEST_CASE("a click answers a question about a cell of a table by node, and the right one is marked") {
  OpenWorkbench open;
  open.open_lesson("hu/many-dimensions");
  const Lesson& lesson = *open.workbench.lessons().lesson();
  Questions& questions = open.workbench.questions();
  const auto asks = [&](const Question& question) {
    return question.expects && question.expects->kind == AnswerKind::cell;
  };
  const auto stop =
      std::ranges::find_if(lesson.stops, [&](const Stop& each) { return std::ranges::any_of(each.questions, asks); });
  REQUIRE(stop != lesson.stops.end());
  open.workbench.lessons().go_to_stop(static_cast<int>(stop - lesson.stops.begin()));
  questions.go_to(static_cast<int>(std::ranges::find_if(stop->questions, asks) - stop->questions.begin()));
  open.settle();
  REQUIRE(questions.question()->expects->row == "split_dim");
  open.workbench.playback().click_cell(Space::node, "split_dim", 1);
  CHECK(questions.text() == QStringLiteral("1"));
  questions.check();
  CHECK(questions.wrong());
  open.workbench.playback().click_cell(Space::node, "split_dim", 2);
  questions.check();
  CHECK(questions.state() == QuestionState::right);
  open.settle();
  CHECK(open.workbench.playback().linked().nodes == std::vector<std::uint32_t>{2});
}

TEST_CASE("a walk over the changes ends at a stop that hides them, from both sides") {
  Asking open;
  Playback& playback = open.workbench.playback();
  const std::uint32_t stop = open.workbench.lessons().stop_steps()[0];
  for (const int direction : {1, -1}) {
    open.workbench.playback().seek(direction > 0 ? stop - 1 : stop + 1);
    for (int i = 0; i < 200 && playback.step() != stop; ++i) playback.walk_changes(direction);
    CHECK(playback.step() == stop);
    CHECK(playback.changes().size() == 0);
    CHECK_FALSE(playback.change());
  }
}

TEST_CASE("a person who only looks switches the hiding off, on the introduction and at a stop, and on again") {
  Asking open;
  auto& hide = open.find<QAction>("hide_answers");
  REQUIRE(hide.isChecked());
  const auto is_hidden = [&] {
    open.settle();
    const auto& rows = open.table().table()->rows();
    const bool row = open.workbench.lessons().at_introduction()
                         ? std::ranges::find(rows, "tags", &TableRow::name) == rows.end()
                         : open.row_text("tags").contains(QLatin1Char('?'));
    return row && open.window.tree().diagram().nodes.empty();
  };
  REQUIRE(open.workbench.lessons().at_introduction());
  for (const int stop : {-1, 0}) {
    if (stop >= 0) open.go_to_stop(stop);
    CHECK(is_hidden());
    hide.trigger();
    open.settle();
    CHECK(open.row_text("tags") == QStringLiteral("1 1 1 1 1 1 0 2 2 2"));
    CHECK_FALSE(open.window.tree().diagram().nodes.empty());
    CHECK_FALSE(is_covered(*open.window.dock(QStringLiteral("source"))->widget()));
    hide.trigger();
    CHECK(is_hidden());
  }
  // A question stays open meanwhile, and can be answered.
  hide.trigger();
  REQUIRE(open.questions.is_open());
  open.questions.type(QStringLiteral("6"));
  open.press(Qt::Key_Return);
  CHECK(open.questions.state() == QuestionState::right);
  hide.trigger();
  open.settle();
  CHECK(open.row_text("tags") == QStringLiteral("1 1 1 1 1 1 0 2 2 2"));
}

TEST_CASE("a question is answered by a click on a column: wrong, then right") {
  Asking open;
  open.go_to_stop(0);
  auto& check = open.find<QToolButton>("question_check");
  CHECK(open.panel.words().contains(QStringLiteral("Which position holds the root?")));
  CHECK_FALSE(open.panel.words().contains(QStringLiteral("six nodes")));
  CHECK(open.progress() == QStringLiteral("0 of 9 answered"));
  CHECK_FALSE(check.isEnabled());
  open.press(Qt::Key_Return);  // nothing to check
  CHECK(open.questions.answers().attempts().empty());
  open.click_cell(open.table(), 2, 5);
  CHECK(open.field.text() == QStringLiteral("5"));
  CHECK(open.table().selected() == std::vector<IndexRange>{{5, 6}});
  open.click(check);
  CHECK(open.feedback().contains(QStringLiteral("Not position 5")));
  CHECK(open.questions.is_open());
  CHECK(open.row_text("tags") == QStringLiteral("? ? ? ? ? ? ? ? ? ?"));
  open.click_cell(open.table(), 0, 6);
  CHECK(open.field.text() == QStringLiteral("6"));
  CHECK(open.feedback().isEmpty());
  open.press(Qt::Key_Return);
  open.settle();
  CHECK(open.feedback().contains(QStringLiteral("Right: position 6")));
  CHECK(open.panel.words().contains(QStringLiteral("six nodes")));
  CHECK(open.progress() == QStringLiteral("1 of 9 answered"));
  CHECK(open.row_text("tags") == QStringLiteral("1 1 1 1 1 1 0 2 2 2"));
  CHECK_FALSE(open.field.isVisible());
  const auto& attempts = open.questions.answers().attempts();
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[0].outcome == Outcome::wrong);
  CHECK(attempts[0].given.elements == std::vector<std::uint32_t>{5});
  CHECK(attempts[1].outcome == Outcome::right);
  CHECK(attempts[1].lesson == "wald/ten-points");
  CHECK(attempts[1].stop == "The root");
  CHECK(attempts[1].seconds > 1'600'000'000);
  // Enter goes on to the next question.
  open.press(Qt::Key_Return);
  CHECK(open.questions.current() == 1);
  CHECK(open.find<QLabel>("question_number").text() == QStringLiteral("Question 2 of 3"));
}

TEST_CASE("a remote's two keys change the stop from the field of an answer, too") {
  Asking open;
  for (const auto& [key, stop] : {std::pair(Qt::Key_PageDown, 1), std::pair(Qt::Key_PageUp, 0)}) {
    open.go_to_stop(0);
    open.press(Qt::Key_T);
    REQUIRE(QTest::qWaitFor([&] { return open.field.hasFocus(); }, patience_ms));
    QTest::keyClick(&open.field, key);
    CHECK(open.workbench.lessons().stop_index() == stop);
  }
}

TEST_CASE("a field of digits leaves the letters to the commands, also after a wrong answer") {
  Asking open;
  open.go_to_stop(0);
  open.press(Qt::Key_T);
  REQUIRE(QTest::qWaitFor([&] { return open.field.hasFocus(); }, patience_ms));
  QTest::keyClick(&open.field, Qt::Key_5);
  QTest::keyClick(&open.field, Qt::Key_Return);
  REQUIRE(open.questions.wrong());
  CHECK(open.feedback().contains(QStringLiteral("Try again")));
  REQUIRE(open.field.hasFocus());
  QTest::keyClick(&open.field, Qt::Key_H);
  CHECK(open.questions.hinted());
  QTest::keyClick(&open.field, Qt::Key_A);
  CHECK(open.questions.state(0) == QuestionState::revealed);
  CHECK_FALSE(open.feedback().contains(QStringLiteral("Try again")));
}

TEST_CASE("a stop's questions are answered by keys alone") {
  Asking open;
  open.go_to_stop(0);
  open.press(Qt::Key_H);
  CHECK(open.panel.words().contains(QStringLiteral("Count the nodes")));
  // A digit goes to the field from anywhere in the window.
  open.window.setFocus();
  QTest::keyClick(&open.window, Qt::Key_1);
  CHECK(open.field.text() == QStringLiteral("1"));
  CHECK_FALSE(open.field.hasFocus());  // every other key stays a command
  QTest::keyClick(&open.window, Qt::Key_Backspace);
  CHECK(open.field.text().isEmpty());
  open.press(Qt::Key_T);
  REQUIRE(QTest::qWaitFor([&] { return open.field.hasFocus(); }, patience_ms));
  // Digits and signs are text there; every other key stays a command.
  const std::uint32_t step = open.step();
  QTest::keyClicks(&open.field, QStringLiteral("6-"));
  CHECK(open.field.text() == QStringLiteral("6-"));
  QTest::keyClick(&open.field, Qt::Key_V);
  CHECK(open.field.text() == QStringLiteral("6-"));
  QTest::keyClick(&open.field, Qt::Key_Return);
  CHECK(open.feedback().contains(QStringLiteral("cannot be read")));
  CHECK(open.questions.answers().attempts().empty());
  CHECK(open.step() == step);
  open.field.selectAll();
  QTest::keyClicks(&open.field, QStringLiteral("6"));
  CHECK(open.feedback().isEmpty());
  QTest::keyClick(&open.field, Qt::Key_Return);
  open.settle();
  CHECK(open.questions.state(0) == QuestionState::right);
  CHECK(open.questions.answers().attempts().back().hinted);
  open.press(Qt::Key_Return);
  // A choice by number.
  QTest::keyClick(&open.window, Qt::Key_1);
  CHECK(open.questions.chosen() == 0u);
  open.press(Qt::Key_Return);
  CHECK(open.feedback().contains(QStringLiteral("Not \u201cto the left\u201d")));
  QTest::keyClick(&open.window, Qt::Key_9);  // there is no ninth
  CHECK(open.questions.chosen() == 0u);
  QTest::keyClick(&open.window, Qt::Key_2);
  open.press(Qt::Key_Return);
  CHECK(open.questions.state(1) == QuestionState::right);
  for (const ChoiceButton* choice : open.panel.findChildren<ChoiceButton*>())
    CHECK(choice->isVisible() == (choice->verdict() == ChoiceButton::Verdict::right));
  // An open question: there is nothing to check.
  open.press(Qt::Key_Return);
  CHECK(open.questions.current() == 2);
  CHECK_FALSE(open.find<QToolButton>("question_check").isVisible());
  open.press(Qt::Key_A);
  CHECK(open.panel.words().contains(QStringLiteral("N alone gives the shape")));
  CHECK(open.progress() == QStringLiteral("3 of 9 answered"));
  // Back to the first one, and again.
  open.press(Qt::Key_PageUp, Qt::ControlModifier);
  open.press(Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(open.questions.current() == 0);
  open.click(open.find<QToolButton>("question_again"));
  CHECK(open.questions.is_open());
  CHECK(open.row_text("tags").startsWith(QLatin1Char('?')));
  open.press(Qt::Key_K);
  CHECK(open.feedback() == QStringLiteral("Skipped."));
  CHECK(open.row_text("tags") == QStringLiteral("1 1 1 1 1 1 0 2 2 2"));
}

TEST_CASE("each kind of answer is given by a click, and marked", "[screen]") {
  Asking open;
  open.go_to_stop(1);
  REQUIRE(open.questions.count() == 6);
  SceneView& scene = open.window.scene();
  const auto click_at = [&](QPointF at) {
    QTest::mouseClick(scene.canvas(), Qt::LeftButton, {}, scene.canvas()->mapFrom(&scene, at.toPoint()));
    open.settle();
  };
  const auto click_point = [&](std::uint32_t point) {
    scene.picture();
    const auto at = scene.place_of_point({point});
    REQUIRE(at);
    click_at(*at);
  };
  const auto check_and_go_on = [&] {
    open.press(Qt::Key_Return);
    INFO(open.feedback().toStdString());
    CHECK(open.questions.state() == QuestionState::right);
    open.press(Qt::Key_Return);
    open.settle();
  };
  click_point(9);
  CHECK(open.field.text() == QStringLiteral("p9"));
  click_point(3);
  click_point(5);
  CHECK(open.field.text() == QStringLiteral("p9 p3 p5"));
  CHECK(scene.selected_points() == std::vector<PointId>{{3}, {5}, {9}});
  click_point(3);  // again: removed
  CHECK(open.field.text() == QStringLiteral("p9 p5"));
  CHECK(scene.selected_points() == std::vector<PointId>{{5}, {9}});
  open.press(Qt::Key_Return);
  CHECK(open.questions.state() == QuestionState::right);
  // What was found stays marked, also in the table, where both stand alone in their segments.
  CHECK(scene.selected_points() == std::vector<PointId>{{5}, {9}});
  CHECK(open.workbench.playback().linked().positions.size() == 2);
  open.press(Qt::Key_Return);
  open.settle();

  CHECK(scene.selected_points().empty());  // marks of the last answer are gone
  TreeView& tree = open.window.tree();
  for (const std::uint32_t node : {1u, 2u}) {
    const auto at = tree.place_of_node({node});
    REQUIRE(at);
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, at->toPoint());
    open.settle();
  }
  CHECK(open.field.text() == QStringLiteral("1 2"));
  CHECK(tree.selected() == std::vector<NodeId>{{1}, {2}});
  check_and_go_on();

  open.click_cell(open.table(), open.row("data[i].x"), 4);
  open.press(Qt::Key_Return);
  CHECK(open.feedback().contains(QStringLiteral("Not position 4 of data[i].x")));
  open.click_cell(open.table(), open.row("tags"), 4);
  check_and_go_on();

  CHECK_FALSE(scene.place_of_plane({0}));
  const QImage before = scene.picture();
  const auto at = scene.place_of(std::vector<double>{46, 40});
  REQUIRE(at);
  click_at(scene.canvas()->mapTo(&scene, *at));
  CHECK(std::abs(open.field.text().toDouble() - 46) <= 1);
  CHECK(differing_pixels(before, scene.picture()) > 100);  // the line
  check_and_go_on();
  CHECK(scene.place_of_plane({0}));

  QTest::keyClick(&open.window, Qt::Key_4);
  CHECK(open.field.text() == QStringLiteral("4"));
  check_and_go_on();
  open.press(Qt::Key_T);
  QTest::keyClicks(&open.field, QStringLiteral("Update  TAGS"));
  QTest::keyClick(&open.field, Qt::Key_Return);
  CHECK(open.questions.state() == QuestionState::right);
  CHECK(open.progress() == QStringLiteral("6 of 9 answered"));
}

TEST_CASE("an answer that is shown is marked, and Enter goes on: to the next question, then to the next stop") {
  Asking open;
  open.go_to_stop(1);
  open.press(Qt::Key_A);
  CHECK(open.questions.state() == QuestionState::revealed);
  CHECK(open.window.scene().selected_points() == std::vector<PointId>{{5}, {9}});
  CHECK(open.find<QToolButton>("question_go_on").text() == QStringLiteral("Next question"));
  open.press(Qt::Key_PageUp);
  REQUIRE(open.workbench.lessons().stop_index() == 0);
  CHECK(open.window.scene().selected_points().empty());
  for (int question = 0; question < 3; ++question) {
    open.press(Qt::Key_A);
    const bool last = question == 2;
    CHECK(open.find<QToolButton>("question_go_on").text() ==
          (last ? QStringLiteral("Next stop") : QStringLiteral("Next question")));
    open.press(Qt::Key_Return);
    open.settle();
  }
  CHECK(open.workbench.lessons().stop_index() == 1);
  CHECK(open.questions.current() == 1);  // the first open one there
}

TEST_CASE("what was answered stays answered after leaving the stop, and what was not is asked again") {
  Asking open;
  open.go_to_stop(0);
  open.questions.type(QStringLiteral("6"));
  open.press(Qt::Key_Return);
  open.press(Qt::Key_Right);
  open.settle();
  CHECK_FALSE(open.panel.isVisible());
  CHECK_FALSE(open.workbench.playback().concealment());
  CHECK_FALSE(open.window.tree().diagram().nodes.empty());
  open.press(Qt::Key_Left);
  open.settle();
  REQUIRE(open.panel.isVisible());
  CHECK(open.questions.current() == 1);  // the next open one
  CHECK(open.questions.state(0) == QuestionState::right);
  CHECK(open.row_text("tags") == QStringLiteral("1 1 1 1 1 1 0 2 2 2"));
  CHECK(open.window.tree().diagram().nodes.empty());
  open.press(Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(open.feedback() == QStringLiteral("\u2713 Right."));  // the explanation begins with the position
  // Opening the lesson again does not forget either.
  open.open_lesson("wald/ten-points");
  open.go_to_stop(0);
  CHECK(open.questions.current() == 1);
  CHECK(open.progress() == QStringLiteral("1 of 9 answered"));
}

TEST_CASE("a question has no more room than it needs, after one with more rows of choices too") {
  OpenWorkbench open({1280, 720});
  open.open_lesson("rank/how-fast");
  for (const int stop : {6, 7}) {
    open.workbench.lessons().go_to_stop(stop);
    open.rest();
    auto& panel = *open.window.dock(QStringLiteral("narration"))->findChild<QuestionPanel*>();
    CHECK(panel.height() <= panel.height_for(panel.width()));
  }
}

TEST_CASE("an explanation begins at its start, in large text too") {
  Asking open;
  open.workbench.looks().set_text_scale(200);
  open.go_to_stop(0);
  for (int i = 0; i < open.questions.count(); ++i) {
    open.questions.go_to(i);
    open.questions.reveal();
    open.settle();
    const auto& page = *open.panel.findChild<QTextBrowser*>(QStringLiteral("question_explanation"));
    CHECK(page.textCursor().atStart());  // what is shown later scrolls to it
    CHECK(page.verticalScrollBar()->value() == 0);
  }
}

TEST_CASE("the lecturer clicks what the class says, in a presentation", "[screen]") {
  Asking open;
  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(presentation.running());
  AudienceWindow& audience = *presentation.audience();
  REQUIRE(QTest::qWaitForWindowExposed(&audience, patience_ms));
  const auto key = [&](Qt::Key key) {
    QApplication::setActiveWindow(&audience);
    audience.setFocus();
    QTest::keyClick(&audience, key);
    wait_until_idle(open.workbench);
  };
  key(Qt::Key_PageDown);
  auto* panel = audience.findChild<QuestionPanel*>();
  REQUIRE(panel);
  REQUIRE(panel->isVisible());
  CHECK(panel->words().contains(QStringLiteral("Which position holds the root?")));
  ArrayTableView& table = audience.arrays().view();
  CHECK(table.shown_text(open.row("tags"), 0) == QStringLiteral("?"));
  CHECK(audience.tree().diagram().nodes.empty());
  CHECK_FALSE(audience.scene().place_of_plane({0}));
  // Digits write the answer, and neither hold the keyboard nor change the panes.
  const std::vector<std::string> panes = audience.shown_panes();
  for (const Qt::Key digit : {Qt::Key_3, Qt::Key_7, Qt::Key_Backspace}) key(digit);
  CHECK(open.questions.text() == QStringLiteral("3"));
  CHECK(audience.shown_panes() == panes);
  CHECK_FALSE(panel->isAncestorOf(QApplication::focusWidget()));
  open.click_cell(table, 2, 6);
  CHECK(panel->findChild<QLineEdit*>(QStringLiteral("question_field"))->text() == QStringLiteral("6"));
  key(Qt::Key_Return);
  CHECK(open.questions.state(0) == QuestionState::right);
  CHECK(table.shown_text(open.row("tags"), 6) == QStringLiteral("0"));
  key(Qt::Key_Return);
  // A click on a choice counts a vote, a right click takes one away, and the keyboard stays with the presentation.
  const QList<ChoiceButton*> choices = panel->findChildren<ChoiceButton*>();
  REQUIRE(choices.size() > 1);
  for (int i = 0; i < 3; ++i) QTest::mouseClick(choices[1], Qt::LeftButton);
  QTest::mouseClick(choices[1], Qt::RightButton);
  QTest::mouseClick(choices[0], Qt::RightButton);
  CHECK(open.questions.votes()[0] == 0);
  CHECK(open.questions.votes()[1] == 2);
  CHECK(choices[1]->accessibleDescription() == QStringLiteral("2 of 2 votes"));
  CHECK_FALSE(panel->isAncestorOf(QApplication::focusWidget()));
  CHECK_FALSE(open.questions.chosen());
  key(Qt::Key_2);
  key(Qt::Key_9);  // there is no ninth text
  CHECK(open.questions.chosen() == 1u);
  CHECK(audience.shown_panes() == panes);
  key(Qt::Key_Return);
  CHECK(open.questions.state(1) == QuestionState::right);
  for (const bool away : {false, true, false}) {  // the answer
    CHECK(choices[1]->isVisible());
    CHECK(choices[1]->accessibleDescription() == QStringLiteral("2 of 2 votes"));
    CHECK((choices[1]->verdict() == ChoiceButton::Verdict::right) == !away);
    key(Qt::Key_A);
  }
  key(Qt::Key_A);
  CHECK_FALSE(audience.tree().diagram().nodes.empty());
  key(Qt::Key_Return);
  key(Qt::Key_A);
  CHECK(panel->words().contains(QStringLiteral("N alone gives the shape")));
  key(Qt::Key_PageDown);
  CHECK(open.workbench.lessons().stop_index() == 1);
  key(Qt::Key_Escape);
  REQUIRE(QTest::qWaitFor([&] { return !presentation.running(); }, patience_ms));
  // The main window shows the same.
  CHECK(open.questions.current() == 0);
  CHECK(open.panel.words().contains(QStringLiteral("Which points are pivots?")));
}

}  // namespace kdscope::questions_gui_test
