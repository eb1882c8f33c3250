// Measures the latency of the window for every algorithm of the registry: recording and opening a run, a step and a
// selection (until every pane is painted), the longest time in each for which the event loop does not turn, successive
// subtrees, and a frame of the 2D/3D view while the camera moves and when it rests. Prints a Markdown table.
//   bench_workbench_latency [sizes=100000,1000000] [algorithms=all] [dim=3] [data=uniform] [size=1280x800] [steps=40]
//                           [csv=FILE]
// Needs a display: xvfb-run -a -s "-screen 0 1920x1080x24" bench_workbench_latency. A run that does not fit into the
// recording budget is recorded thinned (the last step of each level), and with fewer points if it still does not fit;
// the table states what was recorded. `processor` is the time that a step used on all processors together. It is the
// most reliable value on a busy machine.
#include <QApplication>
#include <QDockWidget>
#include <QMouseEvent>
#include <QOpenGLWidget>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>

#include "algorithms/core/samples.hpp"
#include "app/shell/main_window.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"
#include "tests/support/longest_turn.hpp"

namespace {

using namespace kdscope;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  return items;
}

/// A window, a run, and a counter of pictures shown on the screen.
struct Bench {
  Workbench workbench;
  MainWindow window{workbench};
  QOpenGLWidget* canvas = nullptr;
  int pictures = 0;
  QTimer tick;  // wakes waiting code, because polling would take time from the drawing threads

  explicit Bench(QSize size) {
    tick.start(20);
    window.resize(size);
    window.show();
  }

  /// Returns the milliseconds until every pane has painted the result of `act`.
  template <class Act>
  double painted(Act&& act) {
    settle();
    const int before = pictures;
    const auto from = Clock::now();
    act();
    while (pictures == before && ms_since(from) < 60000) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return ms_since(from);
  }

  /// Waits until no work is pending.
  void settle() {
    for (auto quiet = Clock::now(); ms_since(quiet) < 40;) {
      const int before = pictures;
      QApplication::processEvents(QEventLoop::WaitForMoreEvents);
      if (pictures != before) quiet = Clock::now();
    }
  }

  bool record(const RunRequest& spec, std::string& problem) {
    const auto before = workbench.playback().trace();
    problem.clear();
    const auto heard = QObject::connect(&workbench.messages(), &Messages::failed,
                                        [&](const Error& error) { problem = error.message(); });
    workbench.desk().run(spec);
    while (workbench.jobs().busy()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();
    QObject::disconnect(heard);
    if (workbench.playback().trace() == before) return false;
    if (!canvas) {
      canvas = window.findChild<QOpenGLWidget*>(QStringLiteral("canvas"));
      if (canvas) QObject::connect(canvas, &QOpenGLWidget::frameSwapped, [this] { ++pictures; });
    }
    return canvas != nullptr;
  }

  void mouse(QEvent::Type type, QPointF at, Qt::MouseButtons buttons) {
    QMouseEvent event(type, at, canvas->mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      buttons, Qt::NoModifier);
    QApplication::sendEvent(canvas, &event);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options{
      {"sizes", "100000,1000000"}, {"algorithms", "all"}, {"dim", "3"}, {"data", "uniform"},
      {"size", "1280x800"},        {"steps", "40"},       {"csv", ""}};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    if (equals == std::string::npos || !options.count(argument.substr(0, equals)))
      return std::fprintf(stderr, "bench_workbench_latency: cannot use '%s'; give name=value\n", argv[i]), 2;
    options[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  if (!display_answers()) return std::fprintf(stderr, "no X server answers; run under xvfb-run\n"), 4;
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QApplication app(argc, argv);
  int width = 1280, height = 800;
  std::sscanf(options["size"].c_str(), "%dx%d", &width, &height);
  std::vector<std::string> ids = listed(options["algorithms"]);
  if (options["algorithms"] == "all") {
    ids.clear();
    for (const AlgorithmSpec& algorithm : algorithms()) ids.push_back(algorithm.id);
  }

  std::ofstream csv;
  if (!options["csv"].empty()) csv.open(options["csv"]);
  const char* columns[]{"algorithm",
                        "points",
                        "recorded",
                        "steps",
                        "opening",
                        "opening, processor",
                        "opening, longest block",
                        "step p50",
                        "step p95",
                        "of it painting",
                        "processor",
                        "step, longest block",
                        "all points drawn",
                        "selection p50",
                        "selection p95",
                        "selection, longest block",
                        "subtree after subtree p50",
                        "subtree after subtree p95",
                        "the same with the Points pane p95",
                        "frame moving p50",
                        "frame moving p95",
                        "frame resting"};
  for (std::size_t i = 0; i < std::size(columns); ++i) csv << (i ? "," : "") << columns[i] << (i > 3 ? " (ms)" : "");
  csv << '\n';
  std::printf(
      "| algorithm | points | recorded | steps | opening | processor | longest block | step p50 | p95 | of it painting "
      "| "
      "processor | longest block | all points drawn | selection p50 | p95 | longest block | subtree after subtree "
      "p50 | p95 | with the Points pane p95 | frame, moving p50 | p95 | "
      "resting |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  test::LongestTurn turns;
  Bench bench(QSize(width, height));
  for (const std::string& id : ids) {
    for (const std::string& asked : listed(options["sizes"])) {
      RunRequest spec;
      spec.algorithm = id;
      std::string problem = "not tried", kept;
      std::uint64_t n = std::stoull(asked);
      double opened = 0, opening_processor = 0, opening_block = 0;
      for (bool recorded = false; !recorded && n > 0; n = recorded ? n : n / 2)
        for (const bool thin : {false, true}) {
          spec.data = options["data"] + ":n=" + std::to_string(n) + ",dim=" + options["dim"] + ",seed=1";
          spec.thin = thin;
          const auto asked_at = Clock::now();
          const std::clock_t spent = std::clock();
          turns.take();
          recorded = bench.record(spec, problem);
          bench.settle();
          opened = ms_since(asked_at);
          opening_processor = 1000.0 * static_cast<double>(std::clock() - spent) / CLOCKS_PER_SEC;
          opening_block = static_cast<double>(turns.take());
          kept = (thin ? "last step of each level" : "every step");
          if (recorded) break;
          if (n < 1000) n = 1;
        }
      if (n == 0) {
        std::printf("| %s | %s | %s | | | | | | | | | | | | | | | | | | | |\n", id.c_str(), asked.c_str(),
                    problem.c_str());
        continue;
      }
      kept += ", " + std::to_string(bench.workbench.playback().trace()->stored_bytes() >> 20) + " MiB";
      const std::uint32_t steps = bench.workbench.playback().step_count();
      const std::uint32_t stride = std::max(1u, steps / static_cast<std::uint32_t>(std::stoul(options["steps"])));
      std::vector<double> step, paint, processor, whole, select, subtrees, subtrees_listed, moving, resting;
      for (std::uint32_t at = 1; at < steps; at += stride) {
        if (stride > 1 && at > 1) bench.painted([&] { bench.workbench.playback().seek(at - 1); });
        double handled = 0;
        bench.settle();
        const std::clock_t spent = std::clock();
        step.push_back(bench.painted([&] {
          const auto from = Clock::now();
          bench.workbench.playback().seek(at);
          handled = ms_since(from);
        }));
        processor.push_back(1000.0 * static_cast<double>(std::clock() - spent) / CLOCKS_PER_SEC);
        paint.push_back(step.back() - handled);
        const auto from = Clock::now();
        while (bench.window.scene().points_drawn() < n && ms_since(from) < 10000)
          QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        whole.push_back(step.back() + ms_since(from));
      }
      const auto step_block = static_cast<double>(turns.take());
      bench.painted([&] { bench.workbench.playback().seek(steps / 2); });
      bench.settle();
      turns.take();
      // Select points, nodes and segments of one eighth of all points, in turn.
      for (std::uint64_t i = 0; i < 30; ++i)
        select.push_back(bench.painted([&] {
          if (i % 3 == 0)
            bench.workbench.playback().select({Space::point, (i * 7919) % n});
          else if (i % 3 == 1)
            bench.workbench.playback().select({Space::node, i / 3});
          else
            bench.workbench.playback().select({Space::position, (i * 7919) % n, {}, n / 8 + 2});
        }));
      const auto select_block = static_cast<double>(turns.take());
      // Select each third of the points in turn. Like subtrees, a third is scattered in the input.
      const auto thirds = [&](std::vector<double>& times) {
        for (std::uint64_t i = 0; i < 9; ++i)
          times.push_back(bench.painted([&] {
            bench.workbench.playback().select({Space::position, i % 3 * (n / 3), {}, n / 3 + 2});
          }));
        bench.painted([&] { bench.workbench.playback().select(Selection{}); });
      };
      thirds(subtrees);
      QDockWidget* points = bench.window.dock(QStringLiteral("points"));
      points->show();
      points->raise();
      bench.settle();
      thirds(subtrees_listed);
      points->hide();
      bench.settle();
      const QPointF middle(bench.canvas->width() / 2.0, bench.canvas->height() / 2.0);
      bench.mouse(QEvent::MouseButtonPress, middle, Qt::LeftButton);
      bench.painted([&] { bench.mouse(QEvent::MouseMove, middle + QPointF(30, 0), Qt::LeftButton); });
      for (int i = 1; i <= 30; ++i)
        moving.push_back(
            bench.painted([&] { bench.mouse(QEvent::MouseMove, middle + QPointF(30 + 5 * i, i), Qt::LeftButton); }));
      bench.mouse(QEvent::MouseButtonRelease, middle, Qt::NoButton);
      bench.settle();
      for (int i = 0; i < 10; ++i)
        resting.push_back(bench.painted([&] {
          CameraState camera = bench.window.scene().camera();
          camera.position[0] += 0.01;
          bench.window.scene().set_camera(camera);
        }));
      bench.workbench.playback().select(Selection{});
      const double figures[]{opened,
                             opening_processor,
                             opening_block,
                             quantile(step, 0.5),
                             quantile(step, 0.95),
                             quantile(paint, 0.5),
                             quantile(processor, 0.5),
                             step_block,
                             quantile(whole, 0.5),
                             quantile(select, 0.5),
                             quantile(select, 0.95),
                             select_block,
                             quantile(subtrees, 0.5),
                             quantile(subtrees, 0.95),
                             quantile(subtrees_listed, 0.95),
                             quantile(moving, 0.5),
                             quantile(moving, 0.95),
                             quantile(resting, 0.5)};
      std::printf("| %s | %llu | %s | %u |", id.c_str(), static_cast<unsigned long long>(n), kept.c_str(), steps);
      csv << id << ',' << n << ",\"" << kept << "\"," << steps;
      for (const double figure : figures) {
        std::printf(" %.0f |", figure);
        csv << ',' << figure;
      }
      std::printf("\n");
      std::fflush(stdout);
      csv << '\n';
    }
  }
  return csv.is_open() && !csv ? 1 : 0;
}
