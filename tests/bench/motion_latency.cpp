// Measures the motion of elements in the table of the arrays, for every algorithm that moves some: finding where they
// travel, once per step, and a frame, at 1900 x 460 pixels. Prints a Markdown table in milliseconds of processor time.
//   bench_motion_latency [points per run; default: 100000]
#include <QApplication>
#include <cstdio>
#include <ctime>

#include "algorithms/core/samples.hpp"
#include "app/recording/run.hpp"
#include "app/views/array_table_view.hpp"

using namespace kdscope;

namespace {

template <class Act>
double ms_of(Act&& act) {
  const std::clock_t from = std::clock();
  act();
  return 1000.0 * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  std::vector<std::string> sizes(argv + 1, argv + argc);
  if (sizes.empty()) sizes = {"100000"};
  std::printf(
      "| algorithm | points | moving steps | find p50 | p95 | moving frame p50 | p95 | still frame p50 |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const std::string& n : sizes) {
      RunRequest run{
          algorithm.takes_triangles ? "bunny" : "uniform:n=" + n + ",dim=3,seed=1", algorithm.id, {}, Backend::cpu};
      const auto recording = record_run(run);
      if (!recording) {
        std::printf("| %s | %s | %s |\n", algorithm.id.c_str(), n.c_str(), recording.error().message().c_str());
        continue;
      }
      Cursor now(recording->trace), before(recording->trace);
      ArrayTableView view;
      view.resize(1900, 460);
      view.show();
      view.open(now, Space::position, {0, 1, 2});
      std::vector<double> find, moving, still;
      for (std::uint32_t step = 1; step < now.step_count(); ++step) {
        before.seek(step - 1);
        now.seek(step);
        std::shared_ptr<const Motion> motion;
        const double found = ms_of([&] { motion = std::make_shared<const Motion>(before, now, Space::position); });
        if (motion->empty()) continue;
        find.push_back(found);
        view.show_step(now, &before);
        still.push_back(ms_of([&] { view.viewport()->grab(); }));
        for (const double way : {0.1, 0.5, 0.9}) {
          view.set_motion(motion, way);
          moving.push_back(ms_of([&] { view.viewport()->grab(); }));
        }
        view.set_motion(nullptr, 1);
      }
      std::printf("| %s | %s | %zu | %.1f | %.1f | %.1f | %.1f | %.1f |\n", algorithm.id.c_str(), n.c_str(),
                  find.size(), quantile(find, 0.5), quantile(find, 0.95), quantile(moving, 0.5), quantile(moving, 0.95),
                  quantile(still, 0.5));
      std::fflush(stdout);
    }
}
