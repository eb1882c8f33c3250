// Watches: values at each step, steps where they hold, and stops while playing.

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>

#include "app/debug/watch_pane.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;

TEST_CASE("a watch has its value at every step, finds the steps where it holds, and stops playing there") {
  OpenWorkbench open;
  open.window.dock(QStringLiteral("watches"))->show();
  open.window.dock(QStringLiteral("watches"))->raise();
  auto& pane = *open.window.findChild<WatchPane*>();
  auto& table = open.find<QTableWidget>("watches");
  auto& field = open.find<QLineEdit>("watch_text");
  auto& status = open.find<QLabel>("watch_status");
  open.settle();
  const auto type = [&](const char* text) {
    QTest::keyClicks(&field, QString::fromLatin1(text));
    QTest::keyClick(&field, Qt::Key_Return);
  };
  open.workbench.playback().seek(0);
  type("count(tags, 0)");
  REQUIRE(pane.count() == 1);
  CHECK(table.item(0, 1)->text() == "10");
  CHECK(field.text().isEmpty());
  type("count(tugs, 0)");
  CHECK(pane.count() == 1);
  INFO(status.text().toStdString());
  CHECK(status.text().contains("did you mean tags"));
  CHECK(field.text() == "count(tugs, 0)");  // to be corrected
  field.clear();
  type("tags[6] == 0 && count(tags, 0) == 1");
  REQUIRE(pane.count() == 2);

  // The root's pivot alone keeps tag 0 from the first update on.
  open.press(Qt::Key_F12);
  const std::uint32_t found = open.step();
  CHECK(open.workbench.playback().cursor()->current().name == "update tags");
  CHECK(open.workbench.playback().cursor()->current().level == 0);
  CHECK(table.item(0, 1)->text() == "1");
  CHECK(table.item(0, 2)->text() == "10");
  CHECK(table.item(0, 1)->font().bold());
  open.press(Qt::Key_F12, Qt::ShiftModifier);
  CHECK(open.step() == found);
  CHECK(status.text().contains("holds at no earlier step"));

  // Playing stops there.
  open.workbench.lessons().ask_only_if([] { return false; });  // and at no question before
  open.workbench.playback().seek(0);
  pane.set_stops(1, true);
  open.workbench.transport().set_speed(16);
  open.workbench.transport().set_playing(true);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.transport().playing(); }, patience_ms));
  CHECK(open.step() == found);
  CHECK(status.text().startsWith("Stopped: "));

  // Another run may not have the arrays; the watch stays.
  open.open_lesson("hu/ten-points");
  CHECK(table.item(0, 1)->text() == "not in this run");
  open.open_lesson(start_lesson);
  CHECK(table.item(0, 1)->text() != "not in this run");
  table.setFocus();
  table.setCurrentCell(0, 0);
  QTest::keyClick(&table, Qt::Key_Delete);
  CHECK(pane.count() == 1);
}

TEST_CASE("keys run to a condition, forwards and backwards") {
  OpenWorkbench open;
  auto& pane = *open.window.findChild<WatchPane*>();
  auto& field = open.find<QLineEdit>("watch_text");
  auto& status = open.find<QLabel>("watch_status");
  open.show_answers();
  open.workbench.playback().seek(0);
  CHECK(field.placeholderText().contains("tags[17] == 4"));

  // The entry of the menu opens the pane, and the keyboard is in the field.
  open.press(Qt::Key_F12, Qt::ControlModifier);
  open.settle();
  REQUIRE(open.window.dock(QStringLiteral("watches"))->isVisible());
  CHECK(field.hasFocus());
  CHECK(status.text().contains("F12"));
  QTest::keyClicks(&field, QStringLiteral("any(tags == 4)"));
  QTest::keyClick(&field, Qt::Key_F12);
  CHECK(open.workbench.playback().cursor()->current().name == "update tags");
  CHECK(open.workbench.playback().cursor()->current().level == 1);
  CHECK(status.text().contains("any(tags == 4) holds at 5, 6"));
  CHECK(pane.count() == 1);
  CHECK(field.text().isEmpty());
  const std::uint32_t found = open.step();

  // Backwards, and to what no step meets
  open.workbench.transport().last();
  QTest::keyClicks(&field, QStringLiteral("count(tags, 4) == 2 && at(\"update tags\")"));
  QTest::keyClick(&field, Qt::Key_F12, Qt::ShiftModifier);
  CHECK(open.step() == found);
  QTest::keyClicks(&field, QStringLiteral("tags[6] == 44"));
  QTest::keyClick(&field, Qt::Key_F12);
  CHECK(open.step() == found);
  CHECK(status.text() == "tags[6] == 44 holds at no later step.");
  QTest::keyClicks(&field, QStringLiteral("tagz[6] == 44"));
  QTest::keyClick(&field, Qt::Key_F12);
  CHECK(open.step() == found);
  CHECK(status.text().contains("character 1: there is no array 'tagz' in this run; did you mean tags"));
  CHECK(field.text() == "tagz[6] == 44");
  field.clear();

  // In a large trace, a job searches.
  pane.set_searched_at_once(0);
  open.workbench.playback().seek(0);
  QTest::keyClicks(&field, QStringLiteral("any(tags == 4)"));
  QTest::keyClick(&field, Qt::Key_F12);
  CHECK(open.workbench.jobs().busy());
  CHECK(open.step() == 0);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.step() == found; }, patience_ms));
  CHECK(status.text().contains("any(tags == 4) holds at 5, 6"));
  // Another run in its place drops the result; a cancelled search says so, unless it had ended
  open.workbench.playback().seek(0);
  QTest::keyClick(&open.window, Qt::Key_F12);
  open.workbench.jobs().cancel();
  open.finish_jobs();
  CHECK((status.text() == "The run to any(tags == 4) was cancelled." || open.step() == found));

  // The example is of the open run.
  open.open_lesson("hu/ten-points");
  CHECK_FALSE(field.placeholderText().contains("tags["));
  CHECK_FALSE(field.placeholderText().isEmpty());
}
