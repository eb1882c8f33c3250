// Tests presentation mode by keys: the views of the audience and the speaker. Closing it restores everything.

#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QWindow>
#include <tuple>

#include "app/panes/arrays_pane.hpp"
#include "app/panes/question_panel.hpp"
#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/app/rows_in_sight.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/share.hpp"

using namespace kdscope;

namespace {

const QRect full_hd(0, 0, 1920, 1080);

struct Presenting : OpenWorkbench {
  Presentation& presentation = *window.findChild<Presentation*>();

  void start(std::vector<QRect> screens = {full_hd}, std::size_t own = 0) {
    presentation.start(std::move(screens), own);
    REQUIRE(presentation.running());
    REQUIRE(QTest::qWaitForWindowExposed(presentation.audience(), patience_ms));
    wait();
  }
  void wait() {
    wait_until_idle(workbench);
    if (presentation.running()) {
      QApplication::setActiveWindow(presentation.audience());
      presentation.audience()->setFocus();
    }
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(presentation.audience(), key, modifiers);
    wait();
  }
  /// From the last stop on, goes past the end to the next lesson of the course.
  void go_past_the_end(const std::string& next) {
    workbench.lessons().go_to_stop(static_cast<int>(workbench.lessons().stop_steps().size()) - 1);
    wait();
    repeat_until([&] { return presentation.audience()->at_end(); }, [&] { key(Qt::Key_PageDown); });
    key(Qt::Key_PageDown);
    REQUIRE(QTest::qWaitFor([&] { return workbench.lessons().lesson()->id == next; }, patience_ms));
    wait();
  }
  void run_algorithm(const AlgorithmSpec& spec, const std::string& data) {
    RunRequest run;
    run.algorithm = spec.id;
    run.data = data;
    run.backend = Backend::cpu;
    open_another([&] { workbench.desk().run(run); });
  }
};

void check_sizes(AudienceWindow& audience, double least) {
  std::size_t texts = 0;
  // Digits that keep a wide table in sight may be smaller.
  const ArrayTableView& table = audience.arrays().view();
  const bool wide = table.isVisible() && table.table() && table.visible_count() == table.table()->column_count() &&
                    table.visible_count() > 20;
  const std::vector<PaintedText> digits = wide ? painted_texts(*table.viewport()) : std::vector<PaintedText>();
  for (const PaintedText& painted : painted_texts(audience, QWidget::DrawWindowBackground | QWidget::DrawChildren)) {
    INFO(painted.text.toStdString());
    const bool digit = std::ranges::any_of(
        digits, [&](const PaintedText& d) { return d.text == painted.text && d.pixels == painted.pixels; });
    CHECK(painted.pixels >= (digit ? least * least_digit_pixels / least_text_pixels : least));
    ++texts;
  }
  CHECK(texts >= 20);
  for (const auto& [words, pixels] : audience.scene().texts()) {
    INFO("in the view: " << words);
    CHECK(pixels >= least);
  }
}

}  // namespace

TEST_CASE("a presentation shows view, arrays and narration alone, by F5, and Escape restores everything") {
  Presenting open;
  open.workbench.looks().set_text_scale(110);
  auto* tree = open.window.dock(QStringLiteral("tree"));
  tree->setFloating(true);
  tree->move(60, 80);
  for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_Right, Qt::Key_Left}) {  // a longer question takes its room
    open.press(key);
    open.settle();
  }
  const QRect geometry = open.window.geometry(), floating = tree->geometry();
  const auto docks_now = [&] {
    std::vector<std::tuple<QString, QRect, bool, bool>> docks;
    for (QDockWidget* dock : open.window.docks())
      docks.emplace_back(dock->objectName(), dock->geometry(), dock->isFloating(), dock->isHidden());
    return docks;
  };
  QTest::qWait(500);
  const auto docks = docks_now();
  for (int round = 0; round < 3; ++round) {
    open.press(Qt::Key_F5);
    REQUIRE(open.presentation.running());
    AudienceWindow& audience = *open.presentation.audience();
    REQUIRE(QTest::qWaitForWindowExposed(&audience, patience_ms));
    open.wait();
    CHECK(audience.geometry() == audience.screen()->geometry());
    CHECK(audience.isFullScreen());
    CHECK(audience.findChildren<QMenuBar*>().isEmpty());
    CHECK(audience.findChildren<QToolBar*>().isEmpty());
    CHECK(audience.findChildren<QDockWidget*>().isEmpty());
    CHECK(audience.scene().isVisible());
    CHECK(audience.arrays().isVisible());
    CHECK(audience.narration().isVisible());
    QTest::qWait(200);
    CHECK(colours_in(audience.scene().picture()) > 20);
    open.key(Qt::Key_Right);
    open.key(Qt::Key_Left);
    open.key(Qt::Key_Escape);
    REQUIRE(QTest::qWaitFor([&] { return !open.presentation.running(); }, patience_ms));
    open.settle();
    CHECK(open.window.geometry() == geometry);
    CHECK((docks_now() == docks));
    CHECK(tree->isFloating());
    CHECK(tree->geometry() == floating);
    CHECK(open.workbench.looks().appearance().text_scale == 110);
    QTest::qWait(100);
    CHECK(colours_in(open.window.scene().picture()) > 20);
  }
}

TEST_CASE("a lecture by PageDown to its end and by PageUp back shows the same at every stop", "[share]") {
  Presenting open;
  for (const char* id : {"hu/ten-points", "wehr/tracking", "zhou/photons"}) {
    open.open_lesson(id);
    open.start({QRect(QPoint(), QSize(1280, 720))});
    AudienceWindow& audience = *open.presentation.audience();
    const LessonPlayer& lessons = open.workbench.lessons();
    std::map<int, QImage> there;  // by stop; -1: the introduction
    for (; !audience.at_end(); open.key(Qt::Key_PageDown))
      if (open.workbench.questions().current() <= 0) there[lessons.stop_index()] = audience.grab().toImage();
    CHECK(there.size() == lessons.stop_steps().size() + 1);
    open.key(Qt::Key_PageUp);
    REQUIRE(lessons.at_last_stop());
    while (open.workbench.questions().current() > 0) open.key(Qt::Key_PageUp);
    for (int stop = static_cast<int>(there.size()) - 2; stop >= -1; --stop, open.key(Qt::Key_PageUp)) {
      INFO(id << ", stop " << stop + 1);
      REQUIRE(lessons.stop_index() == stop);
      CHECK(differing_pixels(there[stop], audience.grab().toImage()) == 0);
    }
    open.key(Qt::Key_Escape);
    REQUIRE(QTest::qWaitFor([&] { return !open.presentation.running(); }, patience_ms));
    if (!test::everything()) break;
  }
}

TEST_CASE("keys of a presentation: stops, steps, levels, black, answers") {
  Presenting open;
  open.start();
  AudienceWindow& audience = *open.presentation.audience();
  CHECK(open.workbench.lessons().at_introduction());
  CHECK(audience.narration().text().toPlainText().startsWith(
      QString::fromStdString(open.workbench.lessons().lesson()->title)));
  open.key(Qt::Key_PageDown);
  CHECK(open.workbench.lessons().stop_index() == 0);
  const int questions = open.workbench.questions().count();
  REQUIRE(questions > 1);
  for (int question = 1; question < questions; ++question) {
    open.key(Qt::Key_PageDown);
    CHECK(open.workbench.lessons().stop_index() == 0);
    CHECK(open.workbench.questions().current() == question);
  }
  open.key(Qt::Key_PageDown);
  CHECK(open.workbench.lessons().stop_index() == 1);
  open.key(Qt::Key_PageUp);
  CHECK(open.workbench.lessons().stop_index() == 0);
  const std::uint32_t before = open.step();
  open.key(Qt::Key_Right);
  CHECK(open.step() == before + 1);
  open.key(Qt::Key_End);
  CHECK(open.step() == open.last_step());
  open.key(Qt::Key_Right);
  CHECK(open.step() == open.last_step());
  open.key(Qt::Key_Home);
  open.key(Qt::Key_Space);
  CHECK(open.workbench.transport().playing());
  open.key(Qt::Key_Space);
  CHECK_FALSE(open.workbench.transport().playing());

  for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
    open.key(key);
    CHECK(audience.is_black());
    CHECK(colours_in(audience.grab().toImage()) == 1);
    CHECK(audience.grab().toImage().pixelColor(500, 500) == QColor(Qt::black));
    open.key(key);
    CHECK_FALSE(audience.is_black());
    CHECK(colours_in(audience.grab().toImage()) > 50);
  }

  const Lesson& lesson = *open.workbench.lessons().lesson();
  open.key(Qt::Key_Home);
  REQUIRE_FALSE(lesson.stops[0].questions.empty());
  const auto& panel = *audience.findChild<QuestionPanel*>();
  const QString answer = QString::fromStdString(lesson.stops[0].questions[0].answer).left(20);
  CHECK(panel.isVisible());
  CHECK_FALSE(panel.words().contains(answer));
  const auto& foot = *audience.findChild<QLabel*>(QStringLiteral("place"));
  CHECK(foot.text().contains(QStringLiteral("A: answer")));
  open.key(Qt::Key_A);
  CHECK(panel.words().contains(answer));
  CHECK_FALSE(foot.text().contains(QStringLiteral("A: answer")));
  open.key(Qt::Key_A);  // puts the answer away
  CHECK(foot.text().contains(QStringLiteral("A: answer")));
}

TEST_CASE("behind an open question, the foot of the stage says how to come back to it") {
  Presenting open;
  open.start({QRect(0, 0, 1280, 720)});
  const auto& foot = *open.presentation.audience()->findChild<QLabel*>(QStringLiteral("place"));
  const auto says_it = [&] { return foot.text().contains(QStringLiteral("PageUp: question 1")); };
  REQUIRE(open.workbench.lessons().at_introduction());
  open.key(Qt::Key_PageDown);
  REQUIRE(open.workbench.questions().count() == 2);
  REQUIRE(open.workbench.questions().is_open());
  CHECK_FALSE(says_it());
  open.key(Qt::Key_PageDown);
  CAPTURE(foot.text().toStdString(), open.workbench.questions().current());
  CHECK(says_it());
  open.key(Qt::Key_PageUp);
  CHECK_FALSE(says_it());
  open.key(Qt::Key_A);
  open.key(Qt::Key_PageDown);
  CHECK_FALSE(says_it());
}

TEST_CASE(
    "every text of a presentation has 24 pixels on a full HD screen, for every algorithm, with and without a lesson",
    "[screen][share]") {
  Presenting open;
  open.start();
  AudienceWindow& audience = *open.presentation.audience();
  CHECK(audience.size() == full_hd.size());
  for (std::size_t stop = 0; stop <= open.workbench.lessons().stop_steps().size();
       ++stop) {  // the introduction comes first
    INFO("stop " << stop);
    check_sizes(audience, least_text_pixels);
    open.workbench.lessons().stop_forward();
    open.wait();
  }
  std::size_t number = 0;
  for (const AlgorithmSpec& spec : test::shown_point_algorithms()) {
    for (const char* data : {"wald-10", "uniform:n=40,dim=2,seed=5", "uniform:n=300,dim=3,seed=5"}) {
      INFO(spec.id << " on " << data);
      if (number++ % test::every_nth(4) != 0) continue;  // other points for each algorithm
      open.run_algorithm(spec, data);
      CHECK(open.workbench.lessons().stop_steps().empty());
      for (const std::uint32_t step : {0u, open.last_step() / 2, open.last_step()}) {
        open.workbench.playback().seek(step);
        open.wait();
        check_sizes(audience, least_text_pixels);
      }
    }
    open.workbench.playback().seek(0);
    open.key(Qt::Key_PageDown);  // goes one step on if there is no lesson
    CHECK(open.step() == 1);
    open.key(Qt::Key_PageUp);
    CHECK(open.step() == 0);
  }
}

TEST_CASE("a presentation has the keys of the window but those that open something there, whatever their names") {
  Presenting open;
  for (const char* menu : {"go", "practise"})
    for (QAction* action : open.window.menu(QLatin1String(menu)).actions()) {
      action->setText(action->text().remove(QChar(0x2026)));
      action->setObjectName({});
    }
  open.start();
  const QList<QAction*> keys = open.presentation.audience()->actions();
  const auto has = [&](const QKeySequence& key) {
    return std::any_of(keys.begin(), keys.end(), [&](const QAction* each) { return each->shortcuts().contains(key); });
  };
  CHECK(has(Qt::Key_Space));
  CHECK(has(Qt::Key_F4));
  CHECK(has(Qt::Key_H));
  CHECK_FALSE(has(Qt::CTRL | Qt::Key_G));   // the number of the step
  CHECK_FALSE(has(Qt::CTRL | Qt::Key_B));   // a bookmark's note
  CHECK_FALSE(has(Qt::SHIFT | Qt::Key_K));  // the pane "Be the kernel"
}

TEST_CASE("text of a presentation grows by keys and never falls below 24 pixels") {
  Presenting open;
  open.start();
  AudienceWindow& audience = *open.presentation.audience();
  const int least = audience.text_scale();
  int restyled = 0;  // the lecturer's window
  QObject::connect(&open.workbench.looks(), &Looks::changed, [&] { ++restyled; });
  const QFont text = audience.narration().findChild<QTextBrowser*>()->font();
  open.key(Qt::Key_Plus, Qt::ControlModifier);
  CHECK(audience.text_scale() > least);
  CHECK(audience.narration().findChild<QTextBrowser*>()->font().pointSizeF() > text.pointSizeF());
  CHECK(restyled == 0);
  open.key(Qt::Key_0, Qt::ControlModifier);
  open.key(Qt::Key_Minus, Qt::ControlModifier);
  CHECK(audience.text_scale() == least);
  CHECK(open.workbench.looks().appearance().text_scale == 100);
  check_sizes(audience, least_text_pixels);
}

TEST_CASE("a presentation takes over larger texts of the window, at most twice those that its screen needs") {
  for (const auto& [window, height, expected] :
       {std::tuple{100, 1080, presentation_scale(1080)}, {200, 720, 200}, {300, 720, 2 * presentation_scale(720)}}) {
    Presenting open;
    open.workbench.looks().set_text_scale(window);
    open.start({QRect(0, 0, height * 16 / 9, height)});
    CAPTURE(window, height);
    CHECK(open.presentation.audience()->text_scale() == expected);
    open.key(Qt::Key_Plus, Qt::ControlModifier);
    open.key(Qt::Key_0, Qt::ControlModifier);
    CHECK(open.presentation.audience()->text_scale() == expected);
  }
}

TEST_CASE("a second screen shows notes, answers, the next step and the time", "[screen]") {
  Presenting open;
  const QRect laptop(0, 0, 1280, 800), projector(1280, 0, 1024, 768);
  open.start({laptop, projector}, 0);
  NotesWindow* notes = open.presentation.notes();
  REQUIRE(notes != nullptr);
  CHECK(open.presentation.audience()->geometry() == projector);
  CHECK(notes->geometry() == laptop);
  const Lesson& lesson = *open.workbench.lessons().lesson();
  const auto label = [&](const char* name) { return notes->findChild<QLabel*>(QString::fromLatin1(name))->text(); };
  CHECK(notes->findChild<QTextBrowser*>()->toPlainText().contains(QString::fromStdString(lesson.title)));
  CHECK(label("next").contains(QString::fromStdString(lesson.stops[0].title).toHtmlEscaped()));
  CHECK(notes->next_step() == open.workbench.lessons().stop_steps()[0]);
  QTest::keyClick(notes, Qt::Key_PageDown);
  open.wait();
  for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop) {
    INFO(lesson.stops[stop].title);
    REQUIRE(open.workbench.lessons().stop_index() == static_cast<int>(stop));
    const QString text = notes->findChild<QTextBrowser*>()->toPlainText();
    CHECK(text.contains(QString::fromStdString(lesson.stops[stop].title)));
    for (const auto& question : lesson.stops[stop].questions)
      CHECK(text.contains(QString::fromStdString(question.answer).left(20)));
    if (stop + 1 < lesson.stops.size()) {
      CHECK(label("next").contains(QString::fromStdString(lesson.stops[stop + 1].title).toHtmlEscaped()));
      CHECK(notes->next_step() == open.workbench.lessons().stop_steps()[stop + 1]);
    } else {
      CHECK_FALSE(notes->next_step());
    }
    do {
      QTest::keyClick(notes, Qt::Key_PageDown);  // keys work in both windows
      open.wait();
    } while (open.workbench.questions().current() > 0 &&
             open.workbench.lessons().stop_index() == static_cast<int>(stop) &&
             !open.presentation.audience()->at_end());
  }
  CHECK(label("clock").size() >= 4);
  const QString elapsed = label("elapsed");
  CHECK(QTest::qWaitFor([&] { return label("elapsed") != elapsed; }, patience_ms));

  open.key(Qt::Key_S);
  CHECK(open.presentation.audience()->geometry() == laptop);
  CHECK(open.presentation.notes()->geometry() == projector);
  open.key(Qt::Key_N);
  CHECK(QTest::qWaitFor([&] { return open.presentation.notes() == nullptr; }, patience_ms));
  open.key(Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return !open.presentation.running(); }, patience_ms));
}

TEST_CASE(
    "on one screen the notes belong to the presentation's window, so that no window manager puts them behind it") {
  Presenting open;
  open.start();
  open.key(Qt::Key_N);
  REQUIRE(QTest::qWaitFor(
      [&] { return open.presentation.notes() != nullptr && open.presentation.notes()->isVisible(); }, patience_ms));
  const NotesWindow& notes = *open.presentation.notes();
  CHECK(notes.windowHandle()->transientParent() == open.presentation.audience()->windowHandle());
  CHECK(notes.windowHandle()->type() == Qt::Dialog);  // for other window types Qt does not set the parent window in X
  CHECK(full_hd.contains(notes.geometry()));
  CHECK(notes.geometry().height() < full_hd.height() / 2);
  // Leaving the mode closes both windows.
  open.key(Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return !open.presentation.running() && open.presentation.notes() == nullptr; },
                        patience_ms));
}

TEST_CASE("an open question covers no line of a narration that shares its column, and no line is cut", "[screen]") {
  Presenting open;
  open.open_lesson("wehr/priority-queue");
  open.start({QRect(0, 0, 1280, 720)});
  for (const Stop& stop : open.workbench.lessons().lesson()->stops) {
    open.workbench.lessons().stop_forward();
    open.wait();
    INFO(stop.title);
    check_narration(*open.presentation.audience());
  }
}

TEST_CASE("an answer stands below the texts, which stay as they are, or covers them, until A puts it away",
          "[screen]") {
  Presenting open;
  open.open_lesson("textbook/first-tree");
  open.start({QRect(0, 0, 1280, 720)});
  AudienceWindow& audience = *open.presentation.audience();
  auto& card = *audience.findChild<QuestionPanel*>();
  int beside = 0;
  for (const Stop& stop : open.workbench.lessons().lesson()->stops) {
    open.workbench.lessons().stop_forward();
    open.wait();
    INFO(stop.title);
    while (open.workbench.questions().is_open()) {
      const auto* question = card.findChild<QTextBrowser*>(QStringLiteral("question_page"));
      const auto* answer = card.findChild<QTextBrowser*>(QStringLiteral("question_explanation"));
      const auto narration = [&] {
        const QTextBrowser& text = audience.narration().text();
        return std::pair(text.toPlainText(), text.font().pointSizeF());
      };
      const bool read = audience.narration().isVisible();
      const auto before = narration();
      const int top = card.y();
      open.key(Qt::Key_A);
      REQUIRE(card.isVisible());
      CHECK(question->isVisible());
      CHECK(question->geometry().bottom() < answer->geometry().top());
      CHECK(answer->geometry().bottom() < card.height());
      CHECK(answer->verticalScrollBar()->maximum() == 0);
      const bool covers = !audience.narration().isVisible();
      if (!covers) CHECK(narration() == before);
      if (!covers) CHECK(card.y() == top);
      for (const bool away : {true, false}) {
        open.key(Qt::Key_A);
        CHECK(card.isVisible());
        CHECK(question->isVisible());
        CHECK(answer->isVisible() == !away);
        CHECK(audience.narration().isVisible() == (away ? read : !covers));
        if (away) CHECK(narration() == before);
      }
      beside += covers ? 0 : 1;
      if (!covers) {
        CHECK_FALSE(audience.narration().geometry().intersects(card.geometry()));
        CHECK_FALSE(audience.narration().text().document()->isEmpty());
      }
      if (const auto open_one = open.workbench.questions().next_open()) open.workbench.questions().go_to(*open_one);
    }
  }
  CHECK(beside >= 7);
}

TEST_CASE("Down shows all of a shortened text over the question, and Up the question again; p begins a point's name") {
  Presenting open;
  open.open_lesson("textbook/first-tree");
  open.start({QRect(0, 0, 1280, 720)});
  AudienceWindow& audience = *open.presentation.audience();
  auto& card = *audience.findChild<QuestionPanel*>();
  const auto& place = *audience.findChild<QLabel*>(QStringLiteral("place"));
  int shortened = 0, named = 0;
  for (const Stop& stop : open.workbench.lessons().lesson()->stops) {
    open.workbench.lessons().stop_forward();
    open.wait();
    INFO(stop.title);
    CHECK(place.text().contains("Down") == audience.narration().is_shortened());
    const QRect plot = audience.scene().geometry();
    const qsizetype length = audience.narration().text().toPlainText().size();
    if (audience.narration().is_shortened()) {
      ++shortened;
      open.key(Qt::Key_Down);
      CHECK(audience.narration().text().toPlainText().size() > length);
      CHECK(audience.narration().isVisible());
      CHECK_FALSE(card.isVisible());
      CHECK(audience.scene().geometry() == plot);
      for (int i = 0; i < 40 && !card.isVisible(); ++i) open.key(Qt::Key_Up);
      CHECK(card.isVisible());
      CHECK(audience.narration().text().toPlainText().size() == length);
    }
    const Question* question = open.workbench.questions().question();
    if (!question || !question->expects || question->expects->kind != AnswerKind::points) continue;
    ++named;
    QTest::keyClicks(&audience, "p8");
    CHECK(open.workbench.questions().text() == QStringLiteral("p8"));
    CHECK_FALSE(audience.drawing().has_pen());
    for (int i = 0; i < 2; ++i) open.key(Qt::Key_Backspace);
  }
  CHECK(shortened > 0);
  CHECK(named > 0);
}

TEST_CASE("two keys lead through a lesson, past its end into the next one, and a table is the same from both sides") {
  Presenting open;
  open.open_lesson("textbook/first-tree");
  open.start({QRect(0, 0, 1280, 720)});
  AudienceWindow& audience = *open.presentation.audience();
  const int stops = static_cast<int>(open.workbench.lessons().stop_steps().size());
  std::vector<std::string> first_rows;
  const auto seen = [&] { return audience.arrays().view().table()->rows()[1].name; };
  for (int stop = 0; stop < stops; ++stop) {
    open.key(Qt::Key_PageDown);
    REQUIRE(open.workbench.lessons().stop_index() == stop);
    first_rows.push_back(seen());
    for (int question = 1; question < open.workbench.questions().count(); ++question) {
      open.key(Qt::Key_PageDown);
      REQUIRE(open.workbench.lessons().stop_index() == stop);
      CHECK(open.workbench.questions().current() == question);
    }
  }
  CHECK_FALSE(audience.at_end());
  open.key(Qt::Key_PageDown);
  CHECK(audience.at_end());
  CHECK(audience.shown_panes().empty());
  open.key(Qt::Key_PageUp);
  CHECK_FALSE(audience.at_end());
  CHECK(open.workbench.lessons().stop_index() == stops - 1);
  for (int stop = stops - 2; stop >= 0; --stop) {
    repeat_until([&] { return open.workbench.questions().current() == 0; }, [&] { open.key(Qt::Key_PageUp); });
    open.key(Qt::Key_PageUp);
    REQUIRE(open.workbench.lessons().stop_index() == stop);
    CAPTURE(stop);
    CHECK(seen() == first_rows[static_cast<std::size_t>(stop)]);
  }
  open.go_past_the_end("wald/six-points");
  CHECK(open.workbench.lessons().at_introduction());
  CHECK_FALSE(audience.at_end());
  // Back over the same edge, but not before the first lesson
  const auto& lessons = open.workbench.lessons();
  open.key(Qt::Key_PageUp);
  const std::string first = "textbook/first-tree";
  REQUIRE(QTest::qWaitFor([&] { return lessons.lesson()->id == first && lessons.at_last_stop(); }, patience_ms));
  open.wait();
  open.workbench.lessons().go_to_stop(-1);
  open.wait();
  open.key(Qt::Key_PageUp);
  CHECK(lessons.lesson()->id == first);
  CHECK(lessons.at_introduction());
}

TEST_CASE("a presentation asks every question anew, and what a class answers ends with it") {
  Presenting open;
  const Questions& questions = open.workbench.questions();
  open.workbench.lessons().go_to_stop(0);
  open.settle();
  open.press(Qt::Key_A);
  REQUIRE(questions.state(0) == QuestionState::revealed);
  REQUIRE(questions.count() > 1);
  std::size_t kept = 0;
  QObject::connect(&questions, &Questions::attempted, &open.presentation, [&] { ++kept; });
  for (int lecture = 0; lecture < 2; ++lecture) {
    open.start();
    CHECK(questions.current() == 0);
    for (int question = 0; question < questions.count(); ++question)
      CHECK(questions.state(question) == QuestionState::open);
    open.key(Qt::Key_A);
    open.key(Qt::Key_PageDown);
    open.key(Qt::Key_A);
    CHECK(questions.state(1) == QuestionState::revealed);
    open.key(Qt::Key_Escape);
    REQUIRE_FALSE(open.presentation.running());
    CHECK(questions.state(0) == QuestionState::revealed);
    CHECK(questions.state(1) == QuestionState::open);
  }
  CHECK(kept == 0);
  CHECK(questions.answers().attempts().size() == 1);
}

TEST_CASE("behind a lesson in the plane, the card of one in space shows the points") {
  Presenting open;
  open.open_lesson("wald/ten-points");
  open.start({QRect(0, 0, 1280, 720)});
  AudienceWindow& audience = *open.presentation.audience();
  CHECK(audience.tree().isVisible());
  open.go_past_the_end("wald/bunny");
  REQUIRE(open.workbench.lessons().at_introduction());
  CHECK(audience.scene().isVisible());
  CHECK_FALSE(audience.tree().isVisible());
}

TEST_CASE("of forty columns, a small screen and a large one show so many as can be read, and scroll to what is asked",
          "[screen]") {
  Presenting open;
  open.open_lesson("brown/partition");
  for (const QSize screen : {QSize(1920, 1080), QSize(1280, 720)}) {
    open.start({QRect(QPoint(), screen)});
    for (int stop = 0; stop < 9; ++stop) {
      open.workbench.lessons().go_to_stop(stop);
      open.wait();
      CAPTURE(screen.width(), stop);
      const ArrayTableView& table = open.presentation.audience()->arrays().view();
      CHECK(table.visible_count() >= 20);
      CHECK(table.visible_count() < 40);
      CHECK(open.presentation.audience()->arrays().findChild<ColumnOverview*>()->isVisible());
      for (const PaintedText& text : painted_texts(*table.viewport()))
        CHECK(text.pixels >= least_digit_pixels * screen.height() / least_text_screen - 0.5);
    }
    if (screen.height() > 720) open.presentation.stop();
    open.settle();
  }
  ArrayTableView& view = open.presentation.audience()->arrays().view();
  // Half of the width has no room for all columns: the table scrolls to those that the question expects.
  open.workbench.lessons().go_to_stop(1);
  open.wait();
  const Stop& stop = open.workbench.lessons().lesson()->stops[1];
  REQUIRE(stop.questions[0].expects->elements == std::vector<std::uint32_t>{33, 36, 37, 38});
  view.setFixedWidth(view.width() / 2);
  open.wait();
  CHECK(view.visible_count() < 33);
  CHECK(columns_out_of_sight(stop, open.workbench.questions().question(), view) == std::vector<std::uint64_t>());
  // A step between stops asks for nothing: the table may be scrolled anywhere and stays there.
  view.show_columns({});
  view.show_from(0);
  CHECK(columns_out_of_sight(stop, open.workbench.questions().question(), view) ==
        std::vector<std::uint64_t>{33, 36, 37, 38});
}

TEST_CASE("an answer that is a cell is framed in the rows of its own order alone") {
  Presenting open;
  open.open_lesson("zhou/photons");
  open.start({QRect(0, 0, 1280, 720)});
  open.workbench.lessons().go_to_stop(1);
  open.wait();
  const ArrayTableView& view = open.presentation.audience()->arrays().view();
  const auto framed = [&] {
    std::vector<std::string> rows;
    for (std::size_t row = 0; row < view.table()->rows().size(); ++row)
      if (view.selected(row) == std::vector<IndexRange>{{2, 3}}) rows.push_back(view.table()->rows()[row].name);
    return rows;
  };
  CHECK(framed().empty());
  open.key(Qt::Key_A);
  open.wait();
  CHECK(framed() == std::vector<std::string>{"order(y)", "lefts(y)"});
}

TEST_CASE("a narration alone has its title and larger words, all of them in sight") {
  Presenting open;
  open.open_lesson("wald/bunny");
  open.start({QRect(0, 0, 1280, 720)});
  open.workbench.lessons().go_to_stop(1);
  open.wait();
  AudienceWindow& audience = *open.presentation.audience();
  const auto size = [&] { return audience.narration().text().font().pointSizeF(); };
  const double beside = size();
  audience.show_alone("narration");
  open.wait();
  CHECK(audience.findChild<QWidget*>("heading")->isVisible());
  CHECK(size() > 2 * beside);
  CHECK(audience.narration().text().verticalScrollBar()->maximum() == 0);
  audience.show_alone("narration");
  open.wait();
  CHECK(size() == beside);
}
