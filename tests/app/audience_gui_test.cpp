// Tests what an audience sees: the panes that a stop names, one pane alone, the title card, the rows that a stop speaks
// of, pointer and pen; and the lecturer's own notes, the list of stops and the course, all by keys.

#include <QAction>
#include <QFile>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTemporaryDir>

#include "app/appearance/key_list.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/question_panel.hpp"
#include "app/panes/stop_list.hpp"
#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/own_lessons.hpp"

using namespace kdscope;

namespace {

const QRect small_screen(0, 0, 1280, 720);

/// A lesson on Wald's ten points, whose stops name panes.
constexpr const char* panes_lesson =
    "---\ntitle: Own & ten\nsource: \"Wald 2023\"\ndata: wald-10\nalgorithm: wald\naim: Follow one tag.\n"
    "minutes: 25\nbuilds_on: wald/first\n---\n\nAn introduction.\n\n"
    "## Tags alone\n\n```stop\nselect: level 0 / update tags\npanes: arrays\nnotes: Breathe "
    "first.\n```\n\nText.\n\n"
    "## Tree and source\n\n```stop\nselect: level 1 / sort\npanes: tree source arrays\n```\n\nText.\n\n"
    "## The usual\n\n```stop\nselect: level 1 / update tags\n```\n\nText.\n";

struct Lecture : OwnLessons, OpenWorkbench {
  Presentation& presentation = window.presentation();

  Lecture() : OwnLessons(panes_lesson) {}

  AudienceWindow& start() {
    presentation.start({small_screen}, 0);
    REQUIRE(presentation.running());
    REQUIRE(QTest::qWaitForWindowExposed(presentation.audience(), patience_ms));
    wait_until_idle(workbench);
    return *presentation.audience();
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QApplication::setActiveWindow(presentation.audience());
    presentation.audience()->setFocus();
    QTest::keyClick(presentation.audience(), key, modifiers);
    wait_until_idle(workbench);
  }
};

std::int64_t area(const QRect& rect) { return static_cast<std::int64_t>(rect.width()) * rect.height(); }

}  // namespace

TEST_CASE("panes share the screen without overlap, the first one the largest of its form") {
  const QRect room(0, 100, 1280, 600);
  const PaneRoom picture{PaneForm::picture, 0}, table{PaneForm::table, 300}, text{PaneForm::text, 400};
  for (const auto& panes : std::vector<std::vector<PaneRoom>>{{picture},
                                                              {table},
                                                              {text},
                                                              {picture, picture},
                                                              {picture, table},
                                                              {table, picture},
                                                              {table, text},
                                                              {text, picture},
                                                              {picture, picture, picture, table, text},
                                                              {picture, picture, text, table}}) {
    const std::vector<QRect> rects = share_out(room, panes, 2);
    REQUIRE(rects.size() == panes.size());
    for (std::size_t i = 0; i < rects.size(); ++i) {
      CHECK(room.contains(rects[i]));
      CHECK(rects[i].width() > 150);
      CHECK(rects[i].height() > 100);
      for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(rects[i].intersects(rects[j]));
      if (panes[i].form == panes[0].form) CHECK(area(rects[0]) >= area(rects[i]));
    }
  }
  CHECK(share_out(room, {table}, 2)[0] == room);
  // A text that knows its height leaves the rest to the next one, but not all.
  // The view stays on the left where another picture is larger.
  PaneRoom view = picture;
  view.on_the_left = true;
  const std::vector<QRect> swapped = share_out(room, {picture, view}, 2);
  CHECK(swapped[1].left() == room.left());
  CHECK(swapped[1].right() < swapped[0].left());
  CHECK(swapped[0].width() > swapped[1].width());
  CHECK(swapped[0].right() == room.right());

  PaneRoom brief = text;
  brief.height_for = [](int) { return 120; };
  brief.grows = false;
  std::vector<QRect> rects = share_out(room, {picture, brief, text}, 2);
  CHECK(rects[1].height() == 120);
  CHECK(rects[2].bottom() == room.bottom());
  brief.height_for = [](int) { return 500; };
  rects = share_out(room, {picture, brief, text}, 2);
  CHECK(rects[2].height() >= room.height() / 4);
}

TEST_CASE("a length is shared out by what each part needs at least, and what is left by weight") {
  using Lengths = std::vector<int>;
  CHECK(shared(100, {{}, {}}, 2) == Lengths{49, 49});
  CHECK(shared(100, {{0, 3}, {0, 1}}, 0) == Lengths{75, 25});
  CHECK(shared(100, {{0, 3}, {40, 1}}, 0) == Lengths{60, 40});    // at least
  CHECK(shared(100, {{20, 0}, {0, 1}}, 0) == Lengths{20, 80});    // and no more
  CHECK(shared(100, {{60, 1}, {140, 1}}, 0) == Lengths{30, 70});  // no room
  CHECK(shared(100, {{70, 1}, {0, 1}, {0, 1}}, 5) == Lengths{70, 10, 10});
  CHECK(shared(100, {}, 5).empty());
}

TEST_CASE("a stop names its panes, digits show one alone, and the heading stays") {
  Lecture open;
  AudienceWindow& audience = open.start();
  CHECK(audience.shown_panes().empty());
  CHECK(audience.findChild<QWidget*>(QStringLiteral("title_card"))->isVisible());
  CHECK_FALSE(audience.scene().isVisible());
  open.key(Qt::Key_Right);
  CHECK(open.workbench.lessons().stop_index() == 0);
  CHECK(audience.shown_panes() == std::vector<std::string>{"arrays"});
  CHECK(audience.arrays().isVisible());
  CHECK(audience.arrays().width() == audience.width());
  CHECK_FALSE(audience.scene().isVisible());
  CHECK(audience.heading() == QStringLiteral("Tags alone"));
  open.key(Qt::Key_PageDown);
  CHECK(audience.shown_panes() == std::vector<std::string>{"tree", "source", "arrays"});
  CHECK(audience.tree().isVisible());
  CHECK(audience.pane("source").isVisible());
  CHECK(area(audience.pane("tree").geometry()) > area(audience.pane("source").geometry()));
  CHECK(audience.heading() == QStringLiteral("Tree and source"));
  open.key(Qt::Key_1);
  CHECK(audience.shown_panes() == std::vector<std::string>{"view"});
  CHECK(audience.scene().isVisible());
  CHECK_FALSE(audience.tree().isVisible());
  CHECK(audience.heading() == QStringLiteral("Tree and source"));
  open.key(Qt::Key_1);
  CHECK(audience.shown_panes().size() == 3);
  open.key(Qt::Key_6);
  CHECK(audience.pane("histogram").isVisible());
  open.key(Qt::Key_0);
  CHECK(audience.shown_panes().size() == 3);
  CHECK_FALSE(audience.pane("histogram").isVisible());
  open.key(Qt::Key_Right);  // the next step has a stop, the last one
  CHECK(audience.shown_panes() == std::vector<std::string>{"view", "tree", "narration", "arrays"});
}

namespace {

/// The first lesson in front of an audience, with keys for it.
struct OnStage : OpenWorkbench {
  OnStage() {
    window.presentation().start({small_screen}, 0);
    REQUIRE(QTest::qWaitForWindowExposed(&audience(), patience_ms));
  }
  AudienceWindow& audience() { return *window.presentation().audience(); }
  void press_on_stage(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    audience().setFocus();
    QTest::keyClick(&audience(), key, modifiers);
    wait_until_idle(workbench);
  }
};

}  // namespace

TEST_CASE("a digit is a choice in sight, also once it is answered, and shows no pane alone") {
  OnStage open;
  AudienceWindow& audience = open.audience();
  open.workbench.lessons().go_to_stop(1);
  wait_until_idle(open.workbench);
  REQUIRE(open.workbench.questions().question()->expects->kind == AnswerKind::choice);
  const std::vector<std::string> panes = audience.shown_panes();
  open.press_on_stage(Qt::Key_A);
  REQUIRE_FALSE(open.workbench.questions().is_open());
  open.press_on_stage(Qt::Key_1);
  CHECK(audience.shown_panes() == panes);
  CHECK_FALSE(open.workbench.questions().is_open());
  open.press_on_stage(Qt::Key_1, Qt::AltModifier);
  CHECK(audience.shown_panes() == std::vector<std::string>{"view"});
}

TEST_CASE("a question comes beside a pane alone when it is asked for") {
  OnStage open;
  AudienceWindow& audience = open.audience();
  open.press_on_stage(Qt::Key_PageDown);
  auto* question = audience.findChild<QuestionPanel*>();
  REQUIRE(question);
  CHECK(question->isVisible());
  QTest::keyClick(&audience, Qt::Key_2, Qt::AltModifier);  // a digit alone answers
  wait_until_idle(open.workbench);
  CHECK_FALSE(question->isVisible());
  const QRect alone = audience.tree().geometry();
  open.press_on_stage(Qt::Key_Q);
  CHECK(question->isVisible());
  CHECK_FALSE(audience.pane("tree").geometry().intersects(question->geometry()));
  open.press_on_stage(Qt::Key_Q);
  CHECK_FALSE(question->isVisible());
  CHECK(audience.tree().geometry() == alone);
  open.press_on_stage(Qt::Key_2);
  CHECK(question->isVisible());
}

TEST_CASE("pointer, spotlight and pen are on and off by keys, and strokes go with the step") {
  Lecture open;
  AudienceWindow& audience = open.start();
  open.key(Qt::Key_PageDown);
  DrawingLayer& layer = audience.drawing();
  CHECK_FALSE(layer.isVisible());
  const QImage before = audience.grab().toImage();
  open.key(Qt::Key_O);
  CHECK(layer.aid() == DrawingLayer::Aid::spotlight);
  CHECK(differing_pixels(before, audience.grab().toImage()) > before.width() * before.height() / 2);
  open.key(Qt::Key_P);
  CHECK(layer.aid() == DrawingLayer::Aid::pointer);
  open.key(Qt::Key_P);
  CHECK_FALSE(layer.isVisible());
  open.key(Qt::Key_D);
  REQUIRE(layer.has_pen());
  QTest::mousePress(&layer, Qt::LeftButton, {}, {300, 300});
  QTest::mouseMove(&layer, {500, 400});
  QTest::mouseRelease(&layer, Qt::LeftButton, {}, {500, 400});
  CHECK(layer.strokes() == 1);
  open.key(Qt::Key_D);
  CHECK(layer.isVisible());
  CHECK(differing_pixels(before, audience.grab().toImage()) > 100);
  open.key(Qt::Key_PageDown);
  CHECK(layer.strokes() == 0);
  CHECK_FALSE(layer.isVisible());
  open.key(Qt::Key_PageUp);
  CHECK(layer.strokes() == 1);
  open.key(Qt::Key_C);
  CHECK(layer.strokes() == 0);
  CHECK(differing_pixels(before, audience.grab().toImage()) == 0);
}

TEST_CASE("a lecturer's own notes are kept per stop between runs of the program") {
  QTemporaryDir data;
  {
    Lecture open;
    open.presentation.keep_notes_in(data.path());
    open.start();
    open.key(Qt::Key_PageDown);
    open.key(Qt::Key_E);
    REQUIRE(QTest::qWaitFor([&] { return open.presentation.notes() != nullptr; }, patience_ms));
    auto* editor = open.presentation.notes()->findChild<QPlainTextEdit*>(QStringLiteral("own_notes"));
    REQUIRE(editor);
    QTest::keyClicks(editor, QStringLiteral("ask Ann, 5 bcd"));
    QTest::keyClick(editor, Qt::Key_Escape);
    REQUIRE(open.presentation.running());
    CHECK(open.workbench.lessons().stop_index() == 0);
    open.key(Qt::Key_PageDown);
    CHECK(editor->toPlainText().isEmpty());
    open.key(Qt::Key_PageUp);
    CHECK(editor->toPlainText() == QStringLiteral("ask Ann, 5 bcd"));
  }
  LecturerNotes kept;
  REQUIRE(kept.open(data.path()));
  CHECK(kept.text("wald/ten-points", "Tags alone") == QStringLiteral("ask Ann, 5 bcd"));
  // Notes of another program stay, and damaged ones are kept aside.
  LecturerNotes other;
  REQUIRE(other.open(data.path()));
  REQUIRE(other.set("wald/ten-points", "The usual", QStringLiteral("x")));
  REQUIRE(kept.set("wald/ten-points", "Tags alone", {}));
  REQUIRE(other.open(data.path()));
  CHECK(other.text("wald/ten-points", "Tags alone").isEmpty());
  CHECK(other.text("wald/ten-points", "The usual") == QStringLiteral("x"));
  QFile file(kept.path());
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write("[1");
  file.close();
  CHECK_FALSE(kept.open(data.path()));
  CHECK(QFile::exists(kept.path() + QStringLiteral(".damaged")));
  CHECK(kept.text("wald/ten-points", "The usual").isEmpty());
}

TEST_CASE("the list of stops goes to any stop, in the window and in a presentation") {
  Lecture open;
  open.press(Qt::Key_L);
  auto* list = open.window.findChild<StopList*>();
  REQUIRE(list);
  REQUIRE(QTest::qWaitFor([&] { return list->isVisible(); }, patience_ms));
  CHECK(list->list().count() == 4);
  CHECK(list->list().currentRow() == 0);
  list->list().setCurrentRow(3);
  QTest::keyClick(&list->list(), Qt::Key_Return);
  CHECK(open.workbench.lessons().stop_index() == 2);
  CHECK_FALSE(list->isVisible());
  open.workbench.lessons().go_to_stop(-1);
  CHECK(open.workbench.lessons().at_introduction());
  open.workbench.lessons().go_to_stop(7);
  CHECK(open.workbench.lessons().at_introduction());
  AudienceWindow& audience = open.start();
  open.key(Qt::Key_L);
  REQUIRE(QTest::qWaitFor([&] { return audience.findChild<StopList*>() != nullptr; }, patience_ms));
  auto* over = audience.findChild<StopList*>();
  over->list().setCurrentRow(2);
  QTest::keyClick(&over->list(), Qt::Key_Return);
  CHECK(open.workbench.lessons().stop_index() == 1);
}

TEST_CASE("F1 lists the keys of a presentation, there and in the window") {
  Lecture open;
  const auto lists = [](const KeyList& keys) {
    for (const char* words : {"Pointer on or off", "Black screen", "Histogram alone, or back", "Write your own notes",
                              "Go to a stop", "End the presentation"})
      CHECK(keys.text().contains(QString::fromLatin1(words)));
  };
  open.press(Qt::Key_F1);
  auto* of_window = open.window.findChild<KeyList*>();
  REQUIRE(of_window);
  lists(*of_window);
  of_window->close();
  AudienceWindow& audience = open.start();
  open.key(Qt::Key_F1);
  REQUIRE(QTest::qWaitFor([&] { return audience.findChild<KeyList*>() != nullptr; }, patience_ms));
  lists(*audience.findChild<KeyList*>());
  CHECK_FALSE(audience.findChild<KeyList*>()->text().contains(QStringLiteral("Save session")));
}

TEST_CASE("the Lessons menu shows how far a person came, and goes on there in the next run of the program") {
  const OwnLessons lessons(panes_lesson);
  QTemporaryDir state;
  const Memory memory{state.filePath(QStringLiteral("settings.ini")), state.path()};
  {
    OpenWorkbench open;
    open.window.workspace().remember(memory);
    QAction* entry = open.window.menu(QStringLiteral("lessons")).findChild<QAction*>(QStringLiteral("wald/ten-points"));
    REQUIRE(entry);
    CHECK(entry->text() == QStringLiteral("Own && ten (Wald 2023)\t25 min"));
    open.workbench.lessons().go_to_stop(1);
    entry = open.window.menu(QStringLiteral("lessons")).findChild<QAction*>(QStringLiteral("wald/ten-points"));
    CHECK(entry->text() == QStringLiteral("Own && ten (Wald 2023)\tstop 2 of 3, 25 min"));
  }
  {
    OpenWorkbench open;
    open.window.workspace().remember(memory);
    CHECK(open.workbench.lessons().at_introduction());
    QMenu& menu = open.window.menu(QStringLiteral("lessons"));
    auto* go_on = menu.findChild<QAction*>(QStringLiteral("continue_course"));
    REQUIRE(go_on);
    CHECK(go_on->text().contains(QStringLiteral("stop 2")));
    go_on->trigger();
    CHECK(QTest::qWaitFor([&] { return open.workbench.lessons().stop_index() == 1; }, patience_ms));
    open.press(Qt::Key_PageDown);
    CHECK(menu.findChild<QAction*>(QStringLiteral("wald/ten-points"))->text().startsWith(QStringLiteral("\u2713")));
  }
}
