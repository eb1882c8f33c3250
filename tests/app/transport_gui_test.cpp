// Tests every key and button of the transport: they stop at the ends and are inactive in text fields.

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

#include "app/panes/message_bar.hpp"
#include "app/recording/navigation.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;

TEST_CASE("keys move through the steps and stop at the ends") {
  OpenWorkbench open;
  REQUIRE(open.last_step() > 4);
  CHECK(open.step() == 0);
  open.press(Qt::Key_Left);
  CHECK(open.step() == 0);
  open.press(Qt::Key_Home);
  CHECK(open.step() == 0);
  REQUIRE(open.workbench.lessons().at_introduction());
  open.press(Qt::Key_Right);  // begins the lesson
  CHECK(open.step() == 0);
  CHECK(open.workbench.lessons().stop_index() == 0);
  for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
    open.press(Qt::Key_Right);
    REQUIRE(open.step() == step);
  }
  open.press(Qt::Key_Right);
  CHECK(open.step() == open.last_step());
  open.press(Qt::Key_Left);
  CHECK(open.step() == open.last_step() - 1);
  open.press(Qt::Key_End);
  CHECK(open.step() == open.last_step());
  open.press(Qt::Key_Home);
  CHECK(open.step() == 0);
}

TEST_CASE("Ctrl with arrows moves by level") {
  OpenWorkbench open;
  const auto starts = level_starts(*open.workbench.playback().trace());
  REQUIRE(starts.size() > 2);
  for (std::size_t level = 1; level < starts.size(); ++level) {
    open.press(Qt::Key_Right, Qt::ControlModifier);
    REQUIRE(open.step() == starts[level]);
  }
  open.press(Qt::Key_Right, Qt::ControlModifier);
  CHECK(open.step() == open.last_step());
  open.press(Qt::Key_Home);
  open.press(Qt::Key_Left, Qt::ControlModifier);
  CHECK(open.step() == 0);
}

TEST_CASE("buttons move through the steps, and those that lead nowhere are off") {
  OpenWorkbench open;
  auto& first = open.find<QToolButton>("First step");
  auto& back = open.find<QToolButton>("Step back");
  auto& forward = open.find<QToolButton>("Step forward");
  auto& last = open.find<QToolButton>("Last step");
  CHECK_FALSE(first.isEnabled());
  CHECK_FALSE(back.isEnabled());
  open.click(forward);  // begins the lesson
  CHECK(open.workbench.lessons().stop_index() == 0);
  open.click(forward);
  open.click(forward);
  CHECK(open.step() == 2);
  open.click(back);
  CHECK(open.step() == 1);
  open.click(last);
  CHECK(open.step() == open.last_step());
  CHECK_FALSE(forward.isEnabled());
  CHECK_FALSE(last.isEnabled());
  open.click(first);
  CHECK(open.step() == 0);
}

TEST_CASE("a step can be typed, and keys stay in the text until Return") {
  OpenWorkbench open;
  auto& number = open.find<QSpinBox>("step_number");
  open.press(Qt::Key_G, Qt::ControlModifier);
  REQUIRE(QTest::qWaitFor([&] { return number.hasFocus(); }, patience_ms));
  QTest::keyClicks(&number, QStringLiteral("5"));
  CHECK(open.step() == 0);
  QTest::keyClick(&number, Qt::Key_Left);
  QTest::keyClick(&number, Qt::Key_Home);
  CHECK(open.step() == 0);
  QTest::keyClick(&number, Qt::Key_Return);
  CHECK(open.step() == 5);
  REQUIRE(QTest::qWaitFor([&] { return !number.hasFocus(); }, patience_ms));
  open.press(Qt::Key_Left);
  CHECK(open.step() == 4);
  open.press(Qt::Key_G, Qt::ControlModifier);
  QTest::keyClicks(&number, QStringLiteral("99999"));
  QTest::keyClick(&number, Qt::Key_Return);
  CHECK(open.step() <= open.last_step());
}

TEST_CASE("keys do nothing while a file name is edited") {
  OpenWorkbench open;
  auto& source = open.find<QComboBox>("data_source");
  source.setCurrentIndex(source.findData(QString()));
  open.window.findChild<QDockWidget*>("run")->raise();
  auto& file = open.find<QLineEdit>("data_file");
  REQUIRE(QTest::qWaitFor([&] { return file.isVisible(); }, patience_ms));
  file.setFocus();
  REQUIRE(QTest::qWaitFor([&] { return file.hasFocus(); }, patience_ms));
  QTest::keyClicks(&file, QStringLiteral("a b"));
  QTest::keyClick(&file, Qt::Key_Left);
  QTest::keyClick(&file, Qt::Key_Home);
  QTest::keyClick(&file, Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(&file, Qt::Key_End);
  CHECK(file.text() == "a b");
  CHECK(open.step() == 0);
  CHECK_FALSE(open.workbench.transport().playing());
}

TEST_CASE("Space plays and pauses, and playing stops at every open question and at the end") {
  OpenWorkbench open;
  auto& speed = open.find<QComboBox>("playing_speed");
  speed.setCurrentIndex(speed.count() - 1);
  open.window.setFocus();
  open.press(Qt::Key_Space);
  CHECK(open.workbench.transport().playing());
  open.press(Qt::Key_Space);
  CHECK_FALSE(open.workbench.transport().playing());
  const std::uint32_t paused = open.step();
  QTest::qWait(400);
  CHECK(open.step() == paused);
  int questions = 0;
  repeat_until([&] { return open.step() == open.last_step(); },
               [&] {
                 open.click(open.find<QToolButton>("play"));
                 REQUIRE(QTest::qWaitFor([&] { return !open.workbench.transport().playing(); }, patience_ms));
                 const bool asked = open.workbench.questions().is_open();
                 questions += asked;
                 CHECK((asked || open.step() == open.last_step()));
               });
  CHECK(questions > 1);
}

TEST_CASE("Space presses a focused button instead of playing") {
  OpenWorkbench open;
  open.press(Qt::Key_PageDown);
  auto& forward = open.find<QToolButton>("Step forward");
  forward.setFocus();
  REQUIRE(QTest::qWaitFor([&] { return forward.hasFocus(); }, patience_ms));
  QTest::keyClick(&forward, Qt::Key_Space);
  CHECK(open.step() == 1);
  CHECK_FALSE(open.workbench.transport().playing());
}

TEST_CASE("the slider goes where it is pressed") {
  OpenWorkbench open;
  auto* slider = open.window.findChild<StepSlider*>();
  REQUIRE(slider != nullptr);
  for (std::uint32_t step : {3u, 1u, open.last_step(), 0u}) {
    QTest::mouseClick(slider, Qt::LeftButton, {},
                      QPoint(static_cast<int>(slider->x_of(static_cast<int>(step))), slider->height() / 2));
    CHECK(open.step() == step);
  }
}

TEST_CASE("typing past the end goes to the end, and Escape gives the keys back") {
  OpenWorkbench open;
  auto& number = open.find<QSpinBox>("step_number");
  open.press(Qt::Key_G, Qt::ControlModifier);
  REQUIRE(QTest::qWaitFor([&] { return number.hasFocus(); }, patience_ms));
  QTest::keyClicks(&number, "99");
  QTest::keyClick(&number, Qt::Key_Return);
  CHECK(open.step() == open.last_step());
  CHECK(number.value() == static_cast<int>(open.last_step()));
  const auto& message = *open.window.findChild<MessageBar*>();
  CHECK(message.isVisible());
  CHECK(message.text().startsWith(QStringLiteral("There is no step 99")));
  open.press(Qt::Key_Home);
  open.press(Qt::Key_G, Qt::ControlModifier);
  REQUIRE(QTest::qWaitFor([&] { return number.hasFocus(); }, patience_ms));
  QTest::keyClick(&number, Qt::Key_Escape);
  CHECK_FALSE(number.hasFocus());
  open.press(Qt::Key_Right);
  CHECK(open.step() == 1);
}

TEST_CASE("choosing a speed with the mouse leaves Space to the transport") {
  OpenWorkbench open;
  auto& speed = open.find<QComboBox>("playing_speed");
  open.click(speed);
  CHECK_FALSE(speed.hasFocus());
  speed.hidePopup();
  speed.setCurrentIndex(speed.count() - 1);
  open.press(Qt::Key_Space);
  CHECK(QTest::qWaitFor([&] { return open.step() > 0; }, patience_ms));
}
