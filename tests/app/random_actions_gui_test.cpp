// Runs a thousand random keys, clicks, drags and wheel turns: whatever the user does, nothing crashes, nothing hangs,
// and memory does not grow with the number of actions.

#include <malloc.h>

#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QDrag>
#include <QElapsedTimer>
#include <QPointer>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "app/workspace/layouts.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/share.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::random_actions_gui_test {

namespace {

/// Makes random choices that the seed alone determines.
class Chooser {
 public:
  explicit Chooser(std::uint64_t seed) : hash_(seed, 0) {}
  int below(int n) { return static_cast<int>(hash_.unit(drawn_++) * n); }
  template <class T>
  const T& one_of(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))];
  }

 private:
  CounterHash hash_;
  std::uint64_t drawn_ = 0;
};

struct Press {
  Qt::Key key;
  Qt::KeyboardModifiers modifiers = Qt::NoModifier;
};

/// Returns all keys of the window's actions, and common keys for views, tables and texts.
std::vector<Press> keys_to_press(const QWidget& window) {
  std::vector<Press> keys{{Qt::Key_Escape},
                          {Qt::Key_Return},
                          {Qt::Key_Tab},
                          {Qt::Key_Backtab},
                          {Qt::Key_Up},
                          {Qt::Key_Down},
                          {Qt::Key_Left},
                          {Qt::Key_Right},
                          {Qt::Key_Home},
                          {Qt::Key_End},
                          {Qt::Key_PageUp},
                          {Qt::Key_Space},
                          {Qt::Key_Delete},
                          {Qt::Key_PageDown},
                          {Qt::Key_Backspace},
                          {Qt::Key_Down, Qt::AltModifier},
                          {Qt::Key_Up, Qt::AltModifier},
                          {Qt::Key_1},
                          {Qt::Key_7},
                          {Qt::Key_B},
                          {Qt::Key_Period}};
  for (const QAction* action : window.findChildren<QAction*>())
    for (const QKeySequence& sequence : action->shortcuts())
      if (sequence.count() == 1) keys.push_back({sequence[0].key(), sequence[0].keyboardModifiers()});
  return keys;
}

/// Disables the only forbidden action: quitting the program.
void forbid_quitting(QWidget& window) {
  for (QAction* action : window.findChildren<QAction*>())
    if (action->shortcut() == QKeySequence(QKeySequence::Quit)) action->setEnabled(false);
}

class Visitor {
 public:
  Visitor(OpenWorkbench& open, std::uint64_t seed) : open_(open), choose_(seed), keys_(keys_to_press(open.window)) {
    QDir::setCurrent(folder_.path());  // a dialog that a key accepts saves here
    // Answer dialogs, menus and drags from inside their own event loops.
    QObject::connect(&answers_, &QTimer::timeout, [] {
      QDrag::cancel();
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
    });
    answers_.start(20);
  }

  ~Visitor() { QDir::setCurrent(QDir::tempPath()); }

  void act() {
    if (QWidget* popup = QApplication::activePopupWidget()) {
      QTest::keyClick(popup, choose_.below(3) == 0 ? Qt::Key_Down : Qt::Key_Escape);
      return;
    }
    if (open_.workbench.jobs().busy() && choose_.below(4) == 0) open_.workbench.jobs().cancel();
    switch (choose_.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const Press press = choose_.one_of(keys_);
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &open_.window, press.key, press.modifiers);
        break;
      }
      case 4:
        wheel();
        break;
      case 5:
        drag();
        break;
      default:
        click();
    }
  }

 private:
  struct Place {
    QWindow* window;
    QPoint at;
    QWidget* widget;
    QPoint in_widget;
  };
  /// Returns a random place of a random visible widget. Events go to the widget's window, as a mouse's events do,
  /// because the widget may disappear between a press and a release.
  Place somewhere() {
    std::vector<QWidget*> shown;
    for (QWidget* top : QApplication::topLevelWidgets()) {
      if (!top->isVisible() || !top->windowHandle() || top->windowType() == Qt::ToolTip) continue;
      for (QWidget* widget : top->findChildren<QWidget*>())
        if (widget->isVisible() && !widget->visibleRegion().isEmpty()) shown.push_back(widget);
    }
    QWidget* widget = shown.empty() ? &open_.window : choose_.one_of(shown);
    const QPoint at(choose_.below(std::max(1, widget->width())), choose_.below(std::max(1, widget->height())));
    return {widget->window()->windowHandle(), widget->mapTo(widget->window(), at), widget, at};
  }
  void click() {
    const Place place = somewhere();
    const int kind = choose_.below(8);
    if (kind == 0)
      QTest::mouseDClick(place.window, Qt::LeftButton, {}, place.at);
    else
      QTest::mouseClick(place.window, kind == 1 ? Qt::RightButton : Qt::LeftButton,
                        kind == 2   ? Qt::ShiftModifier
                        : kind == 3 ? Qt::ControlModifier
                                    : Qt::NoModifier,
                        place.at);
  }
  void drag() {
    const Place from = somewhere();
    const QPoint to(choose_.below(from.window->width()), choose_.below(from.window->height()));
    const QPointer<QWindow> window = from.window;
    QTest::mousePress(window, Qt::LeftButton, {}, from.at);
    for (const QPoint at : {(from.at + to) / 2, to})
      if (window) QTest::mouseMove(window, at);
    if (window) QTest::mouseRelease(window, Qt::LeftButton, {}, to);
  }
  void wheel() {
    const Place place = somewhere();
    QWheelEvent event(place.in_widget, place.widget->mapToGlobal(place.in_widget), {},
                      {0, choose_.below(2) ? 120 : -120}, Qt::NoButton,
                      choose_.below(3) ? Qt::NoModifier : Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(place.widget, &event);
  }

  QTemporaryDir folder_;
  OpenWorkbench& open_;
  Chooser choose_;
  std::vector<Press> keys_;
  QTimer answers_;
};

std::size_t heap_in_use() { return mallinfo2().uordblks; }

/// Restores the state after opening a lesson. Memory that is still in use then is leaked or cached.
void back_to(OpenWorkbench& open, const std::string& lesson) {
  open.workbench.jobs().cancel();
  open.finish_jobs();
  while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  for (QWidget* other : QApplication::topLevelWidgets())  // these windows hold their own runs
    if (other != &open.window && other->isVisible() && !qobject_cast<QDockWidget*>(other)) other->close();
  open.window.layouts().reset();
  open.workbench.looks().set_text_scale(100);
  open.workbench.looks().set_theme("light");
  open.workbench.transport().set_playing(false);
  open.open_lesson(lesson);
}

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

/// Returns one lesson of each algorithm that has any.
std::vector<std::string> lesson_of_each_algorithm(const Workbench& workbench) {
  std::map<std::string, std::string> lessons;
  for (const Lesson& lesson : workbench.lessons().catalogue().lessons) lessons.emplace(lesson.algorithm, lesson.id);
  std::vector<std::string> ids;
  for (const auto& [algorithm, id] : lessons) ids.push_back(id);
  return ids;
}

/// Returns the names in the folder of temporary files.
std::string temporary_files() {
  return QDir::temp().entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).join(' ').toStdString();
}

}  // namespace

TEST_CASE("a thousand random actions do no harm and leave no memory behind", "[screen][share]") {
  OpenWorkbench open;
  forbid_quitting(open.window);
  auto lessons = lesson_of_each_algorithm(open.workbench);
  REQUIRE(lessons.size() >= 2);
  if (!test::everything()) lessons.resize(2);
  Visitor visitor(open, 4);
  const auto act = [&](int actions) {
    for (int action = 0; action < actions; ++action) {
      INFO("action " << action);
      visitor.act();
      if (action % 10 == 9) QTest::qWait(1);
      REQUIRE(open.window.isVisible());
    }
  };
  // Fonts and glyphs of every size stay cached, at about 2 MB per size.
  for (int scale = min_text_scale; scale <= max_text_scale; scale += test::everything() ? 10 : 50) {
    open.workbench.looks().set_text_scale(scale);
    open.settle();
  }
  // Compare only the second half, because panes, and memory for the largest run, are allocated on first use.
  std::vector<std::size_t> held;
  for (int half = 0; half < 2; ++half) {
    for (const std::string& lesson : lessons) {
      INFO(lesson);
      back_to(open, lesson);
      act(static_cast<int>(500 / test::every_nth(10) / lessons.size()) + 1);
    }
    back_to(open, start_lesson);
    held.push_back(heap_in_use());
  }
  // Type sizes and runs differ between the halves by a few tens of MB; leaked frames would take 2 GB.
  CHECK(held[1] < held[0] + (std::size_t{64} << 20));
  // The workbench still works.
  open.workbench.playback().seek(3);
  CHECK(open.step() == 3);
  CHECK(colours_in(open.picture(), 50) == 50);
}

// tests/campaign.sh runs this case, with KDSCOPE_CAMPAIGN_ACTIONS actions in KDSCOPE_CAMPAIGN_LESSON and the seed
// KDSCOPE_CAMPAIGN_SEED.
TEST_CASE("a campaign of random actions in one lesson", "[screen][.campaign]") {
  const std::string lesson = setting("KDSCOPE_CAMPAIGN_LESSON", start_lesson);
  const int actions = std::stoi(setting("KDSCOPE_CAMPAIGN_ACTIONS", "200"));
  const int seed = std::stoi(setting("KDSCOPE_CAMPAIGN_SEED", "1"));
  // Use a separate folder, because other programs write to the system's folder at the same time.
  const test::TemporaryFolder own;
  const QByteArray systems = qgetenv("TMPDIR");
  const auto restore = qScopeGuard([&] { systems.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", systems); });
  qputenv("TMPDIR", QByteArray::fromStdString(own.path.string()));
  const std::string files_before = temporary_files();
  int done = 0, longest_ms = 0;
  {
    OpenWorkbench open;
    forbid_quitting(open.window);
    back_to(open, lesson);
    Visitor visitor(open, static_cast<std::uint64_t>(seed));
    QElapsedTimer all, one;
    all.start();
    for (; done < actions; ++done) {
      INFO("action " << done);
      one.start();
      visitor.act();
      if (done % 10 == 9) QTest::qWait(1);
      longest_ms = std::max(longest_ms, static_cast<int>(one.elapsed()));
      REQUIRE(open.window.isVisible());
      // Restore the lesson's run, which another run replaces sooner or later.
      if (done % 250 == 249) back_to(open, lesson);
      if (done % 100 == 99) {
        std::printf("%d actions, %.1f a second, the longest took %d ms\n", done + 1,
                    1000.0 * (done + 1) / static_cast<double>(all.elapsed()), longest_ms);
        std::fflush(stdout);
      }
    }
    // The workbench still works.
    back_to(open, lesson);
    open.workbench.playback().seek(3);
    CHECK(open.step() == 3);
    CHECK(colours_in(open.picture(), 50) == 50);
  }
  // Wait until timers close tool tips.
  CHECK(QTest::qWaitFor([] { return QApplication::topLevelWidgets().isEmpty(); }, patience_ms));
  for (const QWidget* left : QApplication::topLevelWidgets()) {
    std::string inside;
    for (const QWidget* child : left->findChildren<QWidget*>())
      inside += std::string(" ") + child->metaObject()->className() + ":" + child->objectName().toStdString();
    FAIL_CHECK(left->metaObject()->className() << " " << left->objectName().toStdString() << " with" << inside);
  }
  CHECK(temporary_files() == files_before);
}

TEST_CASE("walking through a run again and again takes no more memory", "[screen][share]") {
  OpenWorkbench open;
  const auto walk = [&] {
    for (std::uint32_t step = 0; step <= open.last_step(); ++step) {
      open.workbench.playback().seek(step);
      open.workbench.playback().select({Space::point, step % 10});
      QTest::qWait(1);
    }
    open.workbench.playback().select(Selection{});
    open.settle();
  };
  walk();
  // A leak grows in every walk. Caches take a megabyte and give it back, on a busy machine in every second walk, so the
  // median may be theirs: judge by the walks that grow least.
  std::vector<long long> grown;
  const auto before = static_cast<long long>(heap_in_use());
  long long held = before;
  for (int round = 0; round < (test::everything() ? 15 : 9); ++round) {
    walk();
    const auto now = static_cast<long long>(heap_in_use());
    grown.push_back(now - held);
    held = now;
  }
  CAPTURE(grown);
  std::nth_element(grown.begin(), grown.begin() + static_cast<int>(grown.size() / 4), grown.end());
  CHECK(grown[grown.size() / 4] < (32 << 10));
  CHECK(held < before + (4 << 20));
}

}  // namespace kdscope::random_actions_gui_test
