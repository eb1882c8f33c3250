// The application exists only while tests run, so that listing the tests needs no display.

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "algorithms/variants/runners.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/workbench/guarded_application.hpp"

#if defined(__SANITIZE_ADDRESS__)
// Keep drivers loaded: the leak checker runs at the very end and cannot name unloaded drivers, and
// tests/support/lsan.supp matches names.
extern "C" int dlclose(void*) { return 0; }
#endif

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
  QApplication::setStyle(new kdscope::FlatStyle);
  // Builds run as in the window, in processes of their own.
  const auto runner = kdscope::variants::Runners::find_program();
  if (!runner) return std::fprintf(stderr, "%s\n", runner.error().message().c_str()), 1;
  kdscope::variants::use_runners(std::make_shared<kdscope::variants::Runners>(std::vector{*runner}));
  const int failed = session.run();
  kdscope::variants::use_runners(nullptr);
  return failed;
}
