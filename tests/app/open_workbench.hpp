#pragma once
// A window on the first lesson, shown and ready for keys and clicks.

#include <QApplication>
#include <QTest>
#include <set>
#include <utility>
#include <vector>

#include "app/shell/main_window.hpp"
#include "app/workbench/workbench.hpp"
#include "tests/support/catch.hpp"

namespace kdscope {

inline constexpr int patience_ms = 60000;  // software OpenGL on a busy machine

struct OpenWorkbench {
  Workbench workbench;
  MainWindow window{workbench};

  explicit OpenWorkbench(QSize size = {1280, 800}) {
    window.resize(size);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
    open_lesson(start_lesson);
  }

  void open_lesson(const std::string& id) {
    const auto before = workbench.trace();
    workbench.open_lesson(id);
    REQUIRE(QTest::qWaitFor([&] { return !workbench.busy() && workbench.trace() != before; }, patience_ms));
    settle();
  }

  /// Lets layout and painting catch up: docks share out their space over several rounds of events, so this waits until
  /// no visible widget moves any more.
  void settle() {
    const auto geometries = [&] {
      std::vector<std::pair<const QWidget*, QRect>> found;
      for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible()) found.emplace_back(widget, widget->geometry());
      return found;
    };
    auto before = geometries();
    for (int round = 0; round < 40; ++round) {
      QTest::qWait(25);
      auto now = geometries();
      if (round > 0 && now == before) break;
      before = std::move(now);
    }
    QApplication::setActiveWindow(&window);  // a bare X server has no window manager to do it
  }

  std::uint32_t step() const { return workbench.playback().step(); }
  std::uint32_t last_step() const { return workbench.step_count() - 1; }
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

  /// The window as a person sees it.
  QImage picture() {
    settle();
    return window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  }
};

/// Number of different colours in a picture, up to a limit: 1 means blank.
inline int colours_in(const QImage& image, int limit = 1000) {
  std::set<QRgb> seen;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) {
      seen.insert(image.pixel(x, y));
      if (static_cast<int>(seen.size()) >= limit) return limit;
    }
  return static_cast<int>(seen.size());
}

/// Pixels that differ between two pictures of one size.
inline int differing_pixels(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return a.width() * a.height();
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  return count;
}

}  // namespace kdscope
