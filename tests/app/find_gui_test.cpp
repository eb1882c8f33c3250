// Edit > Find in the arrays: Ctrl+F, the typed text, Enter and F3, in tables and strips.

#include <QAction>
#include <QLineEdit>
#include <QMenu>

#include "app/panes/arrays_pane.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;

namespace {

struct OpenFind : OpenWorkbench {
  ArraysPane& arrays = window.arrays();
  FindBar& bar = arrays.find_bar();
  QLineEdit& text = find<QLineEdit>("find_text");

  void start() {
    press(Qt::Key_F, Qt::ControlModifier);
    REQUIRE(QTest::qWaitFor([&] { return bar.isVisible() && text.hasFocus(); }, patience_ms));
  }
  void type(const char* what) { text.setText(QString::fromUtf8(what)); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(&text, key, modifiers); }
  std::string words() const { return bar.words().toStdString(); }
  std::uint64_t framed() const { return arrays.view().framed().second; }
};

}  // namespace

TEST_CASE("Ctrl+F finds values, counts them, and walks through them with Enter, around the ends") {
  OpenFind open;
  open.show_answers();
  open.workbench.playback().seek(5);  // tags 0 3 3 3 1 4 4 5 2 6 in the paper's table
  open.start();
  open.type("tags == 3");
  CHECK(open.words() == "3 matches");
  for (const auto& [modifiers, wanted, words] : {std::tuple{Qt::NoModifier, 1, "1 of 3"},
                                                 {Qt::NoModifier, 2, "2 of 3"},
                                                 {Qt::NoModifier, 3, "3 of 3"},
                                                 {Qt::NoModifier, 1, "1 of 3"},
                                                 {Qt::ShiftModifier, 3, "3 of 3"},
                                                 {Qt::ShiftModifier, 2, "2 of 3"}}) {
    open.key(Qt::Key_Return, modifiers);
    CHECK(open.words() == words);
    CHECK(open.framed() == static_cast<std::uint64_t>(wanted));
    CHECK(open.arrays.view().framed().first == 1);
    // The element is selected in every pane.
    const std::vector<IndexRange>& selected = open.arrays.view().selected(1);
    REQUIRE(selected.size() == 1);
    CHECK(selected[0].begin == static_cast<std::uint64_t>(wanted));
    CHECK(open.text.hasFocus());
  }
  open.window.setFocus();
  open.press(Qt::Key_F3);
  CHECK(open.words() == "3 of 3");
  open.press(Qt::Key_F3, Qt::ShiftModifier);
  CHECK(open.words() == "2 of 3");

  // Another step has other matches. The search line stays and counts them.
  open.workbench.playback().seek(0);
  CHECK(open.words() == "no match at this step");
  open.workbench.playback().seek(5);
  CHECK(open.words() == "3 matches");
  open.type("7");
  open.key(Qt::Key_Return);
  CHECK(open.framed() == 7);
  open.key(Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return !open.bar.isVisible(); }, patience_ms));
  CHECK(open.arrays.view().framed().first == 0);
  CHECK(open.arrays.view().hasFocus());
}

TEST_CASE("a query that cannot be read is answered by one sentence, once Enter asks for it") {
  OpenFind open;
  open.workbench.playback().seek(5);
  open.start();
  open.type("tags ==");
  CHECK(open.words().empty());
  open.key(Qt::Key_Return);
  CHECK(open.words() == "No number follows ==; write, for example, tags == 30.");
  open.type("tgs == 3");
  CHECK(open.words().empty());
  open.key(Qt::Key_Return);
  CHECK(open.words().starts_with("This table has no row 'tgs'; its rows are tags"));
  open.type("99");
  open.key(Qt::Key_Return);
  CHECK(open.words() == "There is no position 99; this table has 0 to 9.");
  CHECK(open.step() == 5);  // no key changed the step
}

TEST_CASE("F1 and the Edit menu list the search, and F3 without a search opens it") {
  OpenFind open;
  const auto has = [&](const char* name, const QKeySequence& key) {
    for (const QAction* action : open.window.menu(QStringLiteral("edit")).actions())
      if (action->objectName() == QLatin1String(name)) return action->shortcut() == key;
    return false;
  };
  CHECK(has("find", QKeySequence(Qt::CTRL | Qt::Key_F)));
  CHECK(has("find_next", QKeySequence(Qt::Key_F3)));
  CHECK(has("find_previous", QKeySequence(Qt::SHIFT | Qt::Key_F3)));
  CHECK_FALSE(open.bar.isVisible());
  open.press(Qt::Key_F3);
  CHECK(QTest::qWaitFor([&] { return open.bar.isVisible(); }, patience_ms));
}

TEST_CASE("what is found opens strips at its element, and the table of another space where that one names it") {
  OpenFind open;
  RunRequest run{"uniform:n=300,dim=2,seed=5", "wald", {}, Backend::cpu};
  open.open_another([&] { open.workbench.desk().run(run); });
  open.show_end();
  open.arrays.show_strips(true);
  REQUIRE(open.arrays.shows_strips());
  open.start();
  open.type("tags == 250");
  CHECK(open.words() == "1 match");
  open.key(Qt::Key_Return);
  CHECK_FALSE(open.arrays.shows_strips());
  CHECK(open.framed() == 250);
  CHECK_FALSE(open.arrays.view().cell_rect(1, 250).isEmpty());
  open.type("p17");
  open.key(Qt::Key_Return);
  const ArrayTable& table = *open.arrays.view().table();
  REQUIRE(table.point_at(0, open.framed()));
  CHECK(table.point_at(0, open.framed()) == PointId{17});
  CHECK(open.workbench.playback().selection() == Selection{Space::point, 17});
}
