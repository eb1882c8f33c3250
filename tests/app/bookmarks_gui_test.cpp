// Bookmarks are set, named, listed, visited and removed, by keys and by mouse.

#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>

#include "app/appearance/appearance.hpp"
#include "app/panes/bookmarks_pane.hpp"
#include "app/views/step_slider.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct OpenMarks : OpenWorkbench {
  QLineEdit& note = find<QLineEdit>("bookmark_note_text");
  BookmarksPane& pane = *window.findChild<BookmarksPane*>();
  StepSlider& slider = *window.findChild<StepSlider*>();

  void ask() {
    press(Qt::Key_B, Qt::ControlModifier);
    REQUIRE(QTest::qWaitFor([&] { return note.isVisible(); }, patience_ms));
  }
  void mark(std::uint32_t step, const char* text) {
    workbench.playback().seek(step);
    ask();
    note.selectAll();
    QTest::keyClicks(&note, QString::fromLatin1(text));
    QTest::keyClick(&note, Qt::Key_Return);
    REQUIRE(QTest::qWaitFor([&] { return !note.isVisible(); }, patience_ms));
    settle();
  }
  const std::vector<Bookmark>& marks() const { return workbench.marks().all(); }
};

}  // namespace

TEST_CASE("Ctrl+B sets and edits, Ctrl with a digit goes there, for every algorithm", "[share]") {
  OpenMarks open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    RunRequest spec{"wald-10", algorithm.id, {}};
    open.open_another([&] { open.workbench.desk().run(spec); });
    INFO(algorithm.id);
    for (const Bookmark& mark : std::vector<Bookmark>(open.marks())) open.workbench.marks().remove(mark.step);
    open.mark(4, "the fourth step");
    open.mark(2, "the second");
    open.mark(4, "the fourth, again");
    CHECK(open.marks() == std::vector<Bookmark>{{2, "the second"}, {4, "the fourth, again"}});
    open.press(Qt::Key_1, Qt::ControlModifier);
    CHECK(open.step() == 2);
    open.press(Qt::Key_2, Qt::ControlModifier);
    CHECK(open.step() == 4);
    for (const Qt::Key key : {Qt::Key_3, Qt::Key_9}) {  // no bookmark has this digit
      open.press(key, Qt::ControlModifier);
      CHECK(open.step() == 4);
    }
    CHECK(open.slider.tip_at(4).contains(QStringLiteral("the fourth, again")));
    REQUIRE(open.pane.topLevelItemCount() == 2);
    CHECK(open.pane.topLevelItem(1)->text(0) == QStringLiteral("Ctrl+2"));
    CHECK(open.pane.topLevelItem(1)->font(1).bold());
    CHECK_FALSE(open.pane.topLevelItem(0)->font(1).bold());
  }
}

TEST_CASE("all nine digits lead to their bookmarks") {
  OpenMarks open;
  for (std::uint32_t step = 0; step < 9; ++step) open.workbench.marks().set(step, "");
  for (int n = 8; n >= 0; --n) {
    open.press(static_cast<Qt::Key>(Qt::Key_1 + n), Qt::ControlModifier);
    CHECK(open.step() == static_cast<std::uint32_t>(n));
  }
}

TEST_CASE("Escape takes a new bookmark back and leaves an old note, Remove removes, a click elsewhere keeps") {
  OpenMarks open;
  open.workbench.playback().seek(3);
  open.ask();
  CHECK(open.marks().size() == 1);  // shown on the slider at once
  QTest::keyClicks(&open.note, QStringLiteral("no"));
  QTest::keyClick(&open.note, Qt::Key_Escape);
  CHECK(open.marks().empty());
  open.mark(3, "kept");
  open.ask();
  QTest::keyClicks(&open.note, QStringLiteral("not this"));
  QTest::keyClick(&open.note, Qt::Key_Escape);
  CHECK(open.marks() == std::vector<Bookmark>{{3, "kept"}});
  open.ask();
  open.note.setText(QStringLiteral("elsewhere"));
  open.note.window()->close();
  CHECK(open.marks() == std::vector<Bookmark>{{3, "elsewhere"}});
  open.ask();
  open.click(open.find<QPushButton>("remove_bookmark"));
  CHECK(open.marks().empty());
}

TEST_CASE("keys do nothing but text while a note is typed") {
  OpenMarks open;
  open.workbench.playback().seek(3);
  open.workbench.marks().set(1, "");
  open.ask();
  for (const auto& [key, modifiers] :
       std::initializer_list<std::pair<Qt::Key, Qt::KeyboardModifiers>>{{Qt::Key_Right, {}},
                                                                        {Qt::Key_Home, {}},
                                                                        {Qt::Key_End, {}},
                                                                        {Qt::Key_Right, Qt::ControlModifier},
                                                                        {Qt::Key_F8, {}},
                                                                        {Qt::Key_PageDown, {}},
                                                                        {Qt::Key_1, Qt::ControlModifier},
                                                                        {Qt::Key_Plus, {}},
                                                                        {Qt::Key_Space, {}},
                                                                        {Qt::Key_G, Qt::ControlModifier}})
    QTest::keyClick(&open.note, key, modifiers);
  QTest::keyClicks(&open.note, QStringLiteral("a b"));
  CHECK(open.step() == 3);
  CHECK_FALSE(open.workbench.playback().change());
  CHECK_FALSE(open.workbench.transport().playing());
  CHECK(open.workbench.transport().steps_per_second() == 1.0);
  QTest::keyClick(&open.note, Qt::Key_Return);
  REQUIRE(open.marks().size() == 2);
  CHECK(open.marks()[1].note == "+ a b");
}

TEST_CASE("the pane goes, edits and removes") {
  OpenMarks open;
  open.mark(2, "two");
  open.mark(5, "five");
  open.window.dock(QStringLiteral("bookmarks"))->show();
  open.window.dock(QStringLiteral("bookmarks"))->raise();
  REQUIRE(QTest::qWaitFor(
      [&] {
        return open.pane.viewport()->isVisible() && open.pane.viewport()->visibleRegion().boundingRect().height() > 20;
      },
      patience_ms));
  QTest::mouseClick(open.pane.viewport(), Qt::LeftButton, {},
                    open.pane.visualItemRect(open.pane.topLevelItem(0)).center());
  CHECK(open.step() == 2);
  open.pane.setFocus();
  QTest::keyClick(&open.pane, Qt::Key_F2);
  auto* editor = open.pane.findChild<QLineEdit*>(QStringLiteral("note_editor"));
  REQUIRE(editor);
  QTest::keyClick(editor, Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(editor, Qt::Key_F8);
  CHECK(open.step() == 2);
  CHECK_FALSE(open.workbench.playback().change());
  editor->selectAll();
  QTest::keyClicks(editor, QStringLiteral("deux, a b"));
  QTest::keyClick(editor, Qt::Key_Return);
  CHECK(QTest::qWaitFor([&] { return open.marks().front().note == "deux, a b"; }, patience_ms));
  REQUIRE(QTest::qWaitFor([&] { return open.pane.hasFocus(); }, patience_ms));
  CHECK_FALSE(open.workbench.transport().playing());
  QTest::keyClick(&open.pane, Qt::Key_C);
  CHECK(open.workbench.playback().place().baseline == Baseline{ComparedWith::bookmark, 2});
  QTest::keyClick(&open.pane, Qt::Key_Delete);
  CHECK(open.marks() == std::vector<Bookmark>{{5, "five"}});
  CHECK(open.workbench.playback().place().baseline == Baseline{});
}

TEST_CASE("bookmarks are diamonds on the slider") {
  OpenMarks open;
  const Theme& t = theme_of(open.workbench.looks().appearance());
  const auto at = [&](std::uint32_t step) {
    open.settle();
    const QImage picture = open.slider.grab().toImage();
    const int y = picture.height() - static_cast<int>(open.slider.fontMetrics().height() * 0.95);
    return picture.pixelColor(static_cast<int>(open.slider.x_of(static_cast<int>(step))), y);
  };
  open.workbench.marks().set(5, "");
  CHECK(at(5) == colour(t.changed));
  CHECK_FALSE(at(3) == colour(t.changed));
  open.workbench.playback().seek(5);  // the knob also shows it
  CHECK(at(5) == colour(t.changed));
  open.workbench.marks().remove(5);
  CHECK_FALSE(at(5) == colour(t.changed));
}

TEST_CASE("bookmarks outlive the same run recorded again, not another run") {
  OpenMarks open;
  open.mark(2, "two");
  open.open_another([&] { open.workbench.desk().run_again(); });
  CHECK(open.marks().size() == 1);
  open.open_lesson("wald/six-points");
  CHECK(open.marks().empty());
}
