#pragma once
// A window with the first lesson. It is shown and ready for keys and clicks.

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QTest>
#include <QThread>
#include <set>

#include "app/shell/main_window.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workspace/layouts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/patience.hpp"

namespace kdscope {

/// Counts the events that change a window, and the events that deliver work deferred by earlier ones.
class Activity : public QObject {
 public:
  Activity() { qApp->installEventFilter(this); }
  int count = 0;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    switch (event->type()) {
      case QEvent::MetaCall:
      case QEvent::LayoutRequest:
      case QEvent::UpdateRequest:
      case QEvent::Paint:
      case QEvent::Move:
      case QEvent::Resize:
      case QEvent::Show:
      case QEvent::Hide:
      case QEvent::Expose:
      case QEvent::FontChange:
      case QEvent::PaletteChange:
      case QEvent::StyleChange:
      case QEvent::Polish:
      case QEvent::DeferredDelete:
        ++count;
        break;
      default:
        break;
    }
    return false;
  }
};

/// Waits until the program is idle, and returns whether it is: no job runs, and for many rounds of events none has
/// changed a window or deferred work. Docks distribute their space over several rounds. Gives up if a job or a window
/// never comes to rest. Counts rounds, as a busy machine would let any time pass without one.
inline bool wait_until_idle(const Workbench& workbench) {
  constexpr int enough_rounds = 20, most_rounds = 1000;  // at a millisecond each, longer than between two frames
  Activity activity;
  int quiet = 0;
  for (int round = 0; quiet < enough_rounds && round < most_rounds; ++round) {
    const int before = activity.count;
    QGuiApplication::sync();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    quiet = workbench.jobs().busy() || activity.count != before ? 0 : quiet + 1;
    QThread::msleep(1);
  }
  return quiet >= enough_rounds;
}

/// Repeats an action, such as a key, until what it leads to is reached, and fails if that never happens.
template <class Reached, class Action>
void repeat_until(const Reached& reached, const Action& action) {
  for (int times = 0; !reached(); ++times) {
    REQUIRE(times < 1000);
    action();
  }
}

struct OpenWorkbench {
  Workbench workbench;
  MainWindow window{workbench};

  explicit OpenWorkbench(QSize size = {1280, 800}) {
    window.resize(size);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window, patience_ms));
    open_lesson(start_lesson);
  }

  void open_lesson(const std::string& id) {
    open_another([&] { workbench.desk().open_lesson(id); });
    settle();
  }
  void open_run(const RunRequest& run) {
    open_another([&] { workbench.desk().run(run); });
    settle();
  }
  /// Does what opens another trace, and waits until that is open.
  template <class Action>
  void open_another(const Action& action) {
    const auto before = workbench.playback().trace();
    action();
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; },
                            patience_ms));
  }

  /// Shows what open questions hide, for tests of what a pane shows.
  void show_answers() {
    auto& hide = find<QAction>("hide_answers");
    if (hide.isChecked()) hide.trigger();
    settle();
  }

  /// Waits for pending layout and painting.
  void settle() {
    wait_until_idle(workbench);
    QApplication::setActiveWindow(&window);  // because a bare X server has no window manager that would do it
  }
  /// Waits until the layout is at rest. Only then is a user's change of the docks complete.
  void rest() {
    settle();
    REQUIRE(QTest::qWaitFor([&] { return !window.layouts().in_motion(); }, patience_ms));
    settle();
  }

  void finish_jobs() {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, patience_ms));
    settle();
  }
  void show_step(std::uint32_t step) {
    workbench.playback().seek(step);
    settle();
  }
  void show_end() {
    workbench.transport().last();
    settle();
  }
  /// Shows a dock in front of the others at its place.
  void show_dock(const char* id) {
    QDockWidget* dock = window.dock(QString::fromLatin1(id));
    dock->show();
    dock->raise();
    settle();
  }

  std::uint32_t step() const { return workbench.playback().step(); }
  std::uint32_t last_step() const { return workbench.playback().step_count() - 1; }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&window, key, modifiers);
  }

  template <class Widget>
  Widget& find(const char* name) {
    auto* widget = window.findChild<Widget*>(QString::fromLatin1(name));
    REQUIRE(widget != nullptr);
    return *widget;
  }

  void click(QWidget& widget) { QTest::mouseClick(&widget, Qt::LeftButton); }

  /// Returns the window as the user sees it.
  QImage picture() {
    settle();
    return window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  }
};

/// Returns the number of different colours in a picture, up to a limit. 1 means that the picture is blank.
inline int colours_in(const QImage& image, int limit = 1000) {
  std::set<QRgb> seen;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) {
      seen.insert(image.pixel(x, y));
      if (static_cast<int>(seen.size()) >= limit) return limit;
    }
  return static_cast<int>(seen.size());
}

/// Returns the number of pixels that differ between two pictures of the same size.
inline int differing_pixels(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return a.width() * a.height();
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  return count;
}

}  // namespace kdscope
