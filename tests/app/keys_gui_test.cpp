// Tests all keys of the window: each is unique, F1 lists it, and it is inactive while text is edited. Also tests the
// speed keys.

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QSpinBox>
#include <map>

#include "app/appearance/key_list.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/present/presentation.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;

namespace {

void actions_of(const QMenu& menu, std::vector<QAction*>& actions) {
  for (QAction* action : menu.actions()) {
    if (action->menu())
      actions_of(*action->menu(), actions);
    else
      actions.push_back(action);
  }
}

std::vector<QAction*> menu_actions(const MainWindow& window) {
  std::vector<QAction*> actions;
  for (const QAction* entry : window.menuBar()->actions())
    if (entry->menu()) actions_of(*entry->menu(), actions);
  return actions;
}

}  // namespace

TEST_CASE("no key of the window stands for two things") {
  OpenWorkbench open;
  std::map<QString, QStringList> uses;
  for (const QAction* action : open.window.findChildren<QAction*>()) {
    if (action->shortcutContext() != Qt::WindowShortcut || qobject_cast<KeyList*>(action->parent())) continue;
    if (qobject_cast<Presentation*>(action->parent()) && action->objectName().isEmpty()) continue;  // of other windows
    for (const QKeySequence& key : action->shortcuts())
      if (!key.isEmpty()) uses[key.toString()] << action->text();
  }
  CHECK(uses.size() > 20);
  for (const auto& [key, texts] : uses) {
    INFO(key.toStdString() << ": " << texts.join(QStringLiteral(" | ")).toStdString());
    CHECK(texts.size() == 1);
  }
}

TEST_CASE("no key of a presentation stands for two things, on its screen and on that of the notes") {
  OpenWorkbench open;
  Presentation& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720), QRect(1280, 0, 1280, 720)}, 0);
  REQUIRE(presentation.running());
  REQUIRE(presentation.notes());
  for (const QWidget* shown :
       {static_cast<QWidget*>(presentation.audience()), static_cast<QWidget*>(presentation.notes())}) {
    std::map<QString, QStringList> uses;
    for (const QAction* action : shown->actions())
      for (const QKeySequence& key : action->shortcuts())
        if (!key.isEmpty()) uses[key.toString()] << action->text();
    CHECK(uses.size() > 50);
    for (const auto& [key, texts] : uses) {
      INFO(key.toStdString() << ": " << texts.join(QStringLiteral(" | ")).toStdString());
      CHECK(texts.size() == 1);
    }
  }
  presentation.stop();
}

TEST_CASE("F1 lists every key, and closes its list") {
  OpenWorkbench open;
  open.press(Qt::Key_F1);
  auto& list = open.find<KeyList>("key_list");
  REQUIRE(QTest::qWaitFor([&] { return list.isVisible(); }, patience_ms));
  const QString text = list.text().simplified();
  CHECK(text.trimmed().startsWith(QStringLiteral("Used most")));
  CHECK(text.indexOf(QStringLiteral("Step forward")) < text.indexOf(QStringLiteral("Ctrl+O")));
  CHECK(text.indexOf(QStringLiteral("Next lesson stop")) < text.indexOf(QStringLiteral("Ctrl+O")));
  int keys = 0;
  for (const QAction* action : menu_actions(open.window)) {
    if (action->shortcut().isEmpty() ||
        (action->shortcut()[0].keyboardModifiers() == Qt::ControlModifier && action->shortcut()[0].key() >= Qt::Key_2 &&
         action->shortcut()[0].key() <= Qt::Key_8))
      continue;  // Ctrl+1 to Ctrl+9 are one line
    INFO(action->text().toStdString());
    CHECK(text.contains(action->shortcut().toString(QKeySequence::NativeText)));
    ++keys;
  }
  CHECK(keys > 20);
  for (const char* key : {"Space", "Left", "Ctrl+Right", "Home", "End", "Ctrl+G", "F8", "Shift+F8", "Ctrl+B",
                          "Ctrl+1 to Ctrl+9", "+ or =", "Alt+arrows"}) {
    INFO(key);
    CHECK(text.contains(QString::fromLatin1(key)));
  }
  QApplication::setActiveWindow(&list);
  auto& filter = open.find<QLineEdit>("key_filter");
  QTest::keyClicks(&filter, QStringLiteral("bookmark"));
  CHECK(list.text().contains(QStringLiteral("Ctrl+B")));
  CHECK_FALSE(list.text().contains(QStringLiteral("Ctrl+S")));
  filter.clear();
  CHECK(list.text().contains(QStringLiteral("Ctrl+S")));
  QTest::keyClick(&filter, Qt::Key_F1);
  CHECK(QTest::qWaitFor([&] { return !list.isVisible(); }, patience_ms));
}

TEST_CASE("no key of the Go menu acts while text is edited, except a remote's two") {
  OpenWorkbench open;
  open.workbench.marks().set(1, "");
  open.workbench.playback().seek(3);
  auto& source = open.find<QComboBox>("data_source");
  source.setCurrentIndex(source.findData(QString()));
  open.window.dock(QStringLiteral("run"))->raise();
  std::vector<QAction*> go;
  actions_of(open.window.menu(QStringLiteral("go")), go);
  REQUIRE(go.size() > 15);
  for (QWidget* field : {static_cast<QWidget*>(&open.find<QLineEdit>("data_file")),
                         static_cast<QWidget*>(&open.find<QSpinBox>("step_number"))}) {
    REQUIRE(QTest::qWaitFor([&] { return field->isVisible(); }, patience_ms));
    field->setFocus();
    REQUIRE(QTest::qWaitFor([&] { return field->hasFocus(); }, patience_ms));
    for (const QAction* action : go)
      for (const QKeySequence& key : action->shortcuts()) {
        int triggered = 0;
        const auto counting = QObject::connect(action, &QAction::triggered, [&] { ++triggered; });
        QTest::keyClick(field, key[0].key(), key[0].keyboardModifiers());
        QObject::disconnect(counting);
        INFO(field->objectName().toStdString() << ", " << key.toString().toStdString());
        const bool of_remote = key[0].key() == Qt::Key_PageUp || key[0].key() == Qt::Key_PageDown;
        CHECK(triggered == (of_remote ? 1 : 0));
        if (of_remote) open.workbench.playback().seek(3);
        CHECK(open.step() == 3);
        CHECK(field->hasFocus());
      }
    open.window.setFocus();
  }
}

TEST_CASE("every key of the Go menu acts elsewhere, and none fails at either end") {
  OpenWorkbench open;
  open.workbench.marks().set(2, "");
  std::vector<QAction*> go;
  actions_of(open.window.menu(QStringLiteral("go")), go);
  int tried = 0;
  for (const QAction* action : go) {
    if (action->shortcut().isEmpty() || action->objectName() == QStringLiteral("mark")) continue;
    for (const std::uint32_t step : {0u, open.last_step(), 3u}) {
      open.window.setFocus();
      open.workbench.playback().seek(step);
      if (!action->isEnabled()) continue;
      ++tried;
      int triggered = 0;
      const auto counting = QObject::connect(action, &QAction::triggered, [&] { ++triggered; });
      INFO(action->text().toStdString() << " at step " << step);
      open.press(action->shortcut()[0].key(), action->shortcut()[0].keyboardModifiers());
      QObject::disconnect(counting);
      CHECK(triggered == 1);
      CHECK(open.step() <= open.last_step());
      open.workbench.transport().set_playing(false);
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    }
  }
  CHECK(tried > 20);
}

TEST_CASE("plus and minus set the speed and stop at the ends") {
  OpenWorkbench open;
  auto& speed = open.find<QComboBox>("playing_speed");
  for (std::size_t i = 0; i < playing_speeds.size() + 2; ++i) open.press(Qt::Key_Plus);
  CHECK(open.workbench.transport().steps_per_second() == playing_speeds.back());
  CHECK(speed.currentIndex() == speed.count() - 1);
  for (std::size_t i = 0; i < playing_speeds.size() + 2; ++i) open.press(Qt::Key_Minus);
  CHECK(open.workbench.transport().steps_per_second() == playing_speeds.front());
  CHECK(speed.currentIndex() == 0);
  open.press(Qt::Key_Equal);
  CHECK(open.workbench.transport().steps_per_second() == playing_speeds[1]);
}

TEST_CASE("in the histogram plus and minus zoom instead") {
  OpenWorkbench open;
  for (const Lesson& lesson : open.workbench.lessons().catalogue().lessons) {
    open.open_lesson(lesson.id);
    if (!open.window.findChild<HistogramPane*>()->has_counts()) continue;
    HistogramView& view = open.window.findChild<HistogramPane*>()->view();
    open.workbench.playback().seek(open.last_step());
    REQUIRE(QTest::qWaitFor([&] { return view.isVisible(); }, patience_ms));
    view.setFocus();
    REQUIRE(QTest::qWaitFor([&] { return view.hasFocus(); }, patience_ms));
    const double before = open.workbench.transport().steps_per_second();
    QTest::keyClick(&view, Qt::Key_Plus);
    CHECK(open.workbench.transport().steps_per_second() == before);
    return;
  }
  FAIL("no lesson has counts");
}

TEST_CASE("each menu fits on a screen of 720 lines, in one column") {
  OpenWorkbench open({1280, 720});
  for (const QAction* entry : open.window.menuBar()->actions()) {
    INFO(entry->text().toStdString());
    CHECK(entry->menu()->sizeHint().height() <= 700);
    CHECK(entry->menu()->actionGeometry(entry->menu()->actions().back()).left() < 20);
  }
}
