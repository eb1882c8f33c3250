// The application exists only while tests run, so that listing the tests needs no display.

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <QAbstractEventDispatcher>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "algorithms/variants/runners.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/workbench/guarded_application.hpp"

#if defined(__SANITIZE_ADDRESS__)
// Keep drivers loaded: the leak checker runs at the very end and cannot name unloaded drivers, and
// tests/support/lsan.supp matches names.
extern "C" int dlclose(void*) { return 0; }
#endif

namespace {

/// Ends the program where events cause events for ever, as if two widgets resize each other: Qt would never return from
/// delivering them, and a test would hang.
class EndlessEvents : public QObject {
 public:
  EndlessEvents() {
    qApp->installEventFilter(this);
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this, [this] { delivered_ = 0; });
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    constexpr int endless = 300'000;
    if (++delivered_ < endless) return false;
    std::fprintf(stderr, "events cause events for ever: %d without a pause, the last of type %d for %s \"%s\"\n",
                 endless, static_cast<int>(event->type()), watched->metaObject()->className(),
                 qPrintable(watched->objectName()));
    std::abort();
  }

 private:
  int delivered_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Catch::Session session;
  if (const int failed = session.applyCommandLine(argc, argv); failed != 0) return failed;
  const auto lists = [](std::string_view option) {
    return option.starts_with("--list") || option == "-l" || option == "-t";
  };
  if (std::any_of(argv + 1, argv + argc, lists)) return session.run();
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  kdscope::GuardedApplication application(argc, argv);
  const EndlessEvents watch;
  QApplication::setStyle(new kdscope::FlatStyle);
  // Builds run as in the window, in processes of their own.
  const auto runner = kdscope::variants::Runners::find_program();
  if (!runner) return std::fprintf(stderr, "%s\n", runner.error().message().c_str()), 1;
  kdscope::variants::use_runners(std::make_shared<kdscope::variants::Runners>(std::vector{*runner}));
  const int failed = session.run();
  kdscope::variants::use_runners(nullptr);
  return failed;
}
