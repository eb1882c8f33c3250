// kdscope: the desktop workbench.

#include <QApplication>
#include <QScreen>
#include <QStyle>
#include <QTimer>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/runners.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/command_line/command_line.hpp"
#include "app/export/render.hpp"
#include "app/present/presentation.hpp"
#include "app/shell/main_window.hpp"
#include "app/shell/start_page.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/guarded_application.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workspace/end_signals.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/workspace.hpp"

namespace {

using namespace kdscope;

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_usage:
      return 2;
    case ErrorKind::bad_input:
      return 3;
    default:
      return 5;
  }
}

int complain(const Error& error) {
  std::fprintf(stderr, "kdscope: %s\n", printable(error.message()).c_str());
  return exit_code(error.kind);
}

/// Saves a picture of the window once the first run has been painted, or prints why there is no run, then quits. If a
/// run is open and only other input is damaged (another lesson, a part of the session), prints the problem, as --render
/// does, and still saves the picture.
void take_screenshot(QApplication& application, Workbench& workbench, MainWindow& window, const QString& path) {
  QObject::connect(&workbench.messages(), &Messages::failed, &application,
                   [&workbench](const Error& error, Offer, const RunRequest&) {
                     const int code = complain(error);
                     if (error.kind != ErrorKind::bad_input || !workbench.playback().cursor())
                       QCoreApplication::exit(code);
                   });
  QObject::connect(&workbench.playback(), &Playback::opened, &application, [&window, path] {
    // Layout, VTK's first frames and its camera settle within a few turns of the event loop.
    QTimer::singleShot(1200, &window, [&window, path] {
      // Draw all points of a large cloud, of which the first frames show a sample. The layout may have waited for these
      // frames, so the picture comes a little later.
      for (SceneView* view : window.findChildren<SceneView*>()) view->picture();
      QTimer::singleShot(100, &window, [&window, path] {
        const bool saved = window.grab().save(path);
        if (!saved) std::fprintf(stderr, "kdscope: %s: the picture cannot be written.\n", qPrintable(path));
        QCoreApplication::exit(saved ? 0 : 5);
      });
    });
  });
}

}  // namespace

int main(int argc, char** argv) try {
  // A file that reaches its size limit shall fail the write, not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto line = parse_command_line(arguments);
  if (!line) return complain(line.error());
  if (line->help) return std::fputs(command_line_help().c_str(), stdout), 0;
  if (line->version) return std::printf("kdscope %s\n", version()), 0;
  if (!line->render.empty()) {
    // Figures need fonts but no display. VTK connects to the X server by itself.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const auto rendered = render_steps(*line);
    return rendered ? 0 : complain(rendered.error());
  }

  if (!line->device.empty())
    if (const auto named = variants::remote::device_named(line->device); !named) return complain(named.error());

  // VTK uses OpenGL through GLX here. Shared contexts let views keep their resources when they move between windows.
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  GuardedApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("kdscope"));
  QApplication::setStyle(new FlatStyle);

  // Builds run in processes of their own, so that a crash of one leaves the window open.
  const auto runner = variants::Runners::find_program();
  if (runner && !line->in_process)
    variants::use_runners(std::make_shared<variants::Runners>(std::vector<std::string>{*runner}));

  Workbench workbench;
  application.report = [&workbench](const Error& error) { workbench.messages().report(error); };
  // A view without its values stays empty. Many views may miss the same ones, on any thread.
  Cursor::report_lost_contents([&workbench, waits = std::make_shared<std::atomic<bool>>(false)](const Error& error) {
    if (waits->exchange(true)) return;
    QMetaObject::invokeMethod(
        &workbench,
        [&workbench, waits, error] {
          *waits = false;
          workbench.messages().report(error);
        },
        Qt::QueuedConnection);
  });
  workbench.desk().set_backend(line->backend);
  if (const auto chosen = workbench.device_choice().choose(line->device); !chosen) return complain(chosen.error());
  MainWindow window(workbench);
  // Fill a laptop's or a projector's screen, and most of a larger one, until a person gives the window a size.
  constexpr QSize usual(1280, 800);
  constexpr int widest_filled = 1920;
  const QSize screen = window.screen()->availableSize();
  window.resize(line->screenshot.empty() ? usual.expandedTo(screen * 0.8).boundedTo(screen) : usual);
  if (window.screen()->size().width() <= widest_filled && line->screenshot.empty() && line->width == 0)
    window.setWindowState(Qt::WindowMaximized);
  // At the usual size, texts would be small beside empty panes on a screen of this height, in pixels.
  constexpr int high_screen = 1000, text_on_high_screen = 125;  // percent
  if (screen.height() >= high_screen && line->screenshot.empty() && line->width == 0)
    workbench.looks().set_usual_text_scale(text_on_high_screen);
  // Moves show what a step does, unless the system asks for less motion or a person switched them off.
  workbench.motion().set_enabled(line->screenshot.empty() && window.style()->styleHint(QStyle::SH_Widget_Animate));
  if (!line->fresh && line->screenshot.empty()) {
    window.workspace().remember({{}, state_folder()});
    window.presentation().keep_notes_in(data_folder());
    window.workspace().restore_looks();
  }
  window.workspace().show_for_this_run(line->theme, line->text_scale);
  if (line->equal_scales) workbench.looks().set_equal_scales(*line->equal_scales);
  if (line->width > 0) window.resize(line->width, line->height);
  if (const auto layout = layout_named(QString::fromStdString(line->layout))) window.layouts().start_with(*layout);
  window.show();
  if (!line->screenshot.empty()) workbench.playback().fetch_by(nullptr);  // the picture waits for them
  if (!line->screenshot.empty())
    take_screenshot(application, workbench, window, QString::fromStdString(line->screenshot));
  if (!runner && !line->in_process) workbench.messages().report(runner.error());
  workbench.desk().set_first_step(line->step);
  QTimer::singleShot(0, &workbench, [&workbench, &window, &line] {
    if (!line->algorithm.empty())
      workbench.desk().run({line->open, line->algorithm, line->parameters, line->backend});
    else if (!line->other.empty())
      workbench.desk().open_compared(QString::fromStdString(line->open), QString::fromStdString(line->other));
    else if (!line->open.empty())
      workbench.open(QString::fromStdString(line->open));
    else if (!line->lesson.empty() || !line->screenshot.empty())
      workbench.desk().open_lesson(line->lesson.empty() ? start_lesson : line->lesson);
    else
      (new StartPage(window, workbench))->show();
  });
  // What cannot be opened leaves nothing in the window: the page says why, and what else there is.
  QObject::connect(
      &workbench.messages(), &Messages::failed, &window,
      [&workbench, &window] {
        if (!workbench.playback().cursor() && !window.findChild<StartPage*>())
          (new StartPage(window, workbench))->show();
      },
      Qt::QueuedConnection);
  QTimer::singleShot(0, &window, [&window] { window.workspace().offer_restore(); });
  const EndSignals signals_to_end([&window] {
    window.workspace().end();
    QApplication::quit();
  });
  return QApplication::exec();
} catch (const std::exception&) {
  return complain(error_of_exception());
}
