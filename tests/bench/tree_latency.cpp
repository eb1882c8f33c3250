// Measures the latency of the tree diagram on large trees, for every algorithm of the registry: a step, a picture of
// the whole tree, opening a strip, walking. Prints a Markdown table in milliseconds.
//   bench_tree_latency [points per run; default: 100000 and 1000000]
#include <QApplication>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "algorithms/core/samples.hpp"
#include "app/recording/run.hpp"
#include "app/views/tree_view.hpp"

using namespace kdscope;

namespace {

template <class Act>
double ms_of(Act&& act) {
  const auto from = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  std::vector<std::string> sizes(argv + 1, argv + argc);
  if (sizes.empty()) sizes = {"100000", "1000000"};
  std::printf(
      "| algorithm | points | steps | layout | step p50 | p95 | changes p50 | p95 | paint p50 | p95 | open a strip p50 "
      "| p95 | key p50 |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const std::string& n : sizes) {
      RunRequest run{
          algorithm.takes_triangles ? "bunny" : "uniform:n=" + n + ",dim=3,seed=1", algorithm.id, {}, Backend::cpu};
      auto recording = record_run(run);
      run.thin = true;
      if (!recording) recording = record_run(run);
      if (!recording) {
        std::printf("| %s | %s | %s |\n", algorithm.id.c_str(), n.c_str(), recording.error().message().c_str());
        continue;
      }
      const auto trace = recording->trace;
      TreeView view;
      view.resize(400, 380);
      view.show();
      Cursor cursor(trace), before(trace);
      const double layout = ms_of([&] { view.show_step(cursor); });
      const auto steps = static_cast<std::uint32_t>(trace->steps.size()), stride = std::max(1u, steps / 40);
      std::vector<double> step, changes, paint, open, key;
      for (std::uint32_t at = 1; at < steps; at += stride) {
        before.seek(at - 1);
        cursor.seek(at);
        step.push_back(ms_of([&] { view.show_step(cursor); }));
        changes.push_back(ms_of([&] { view.set_changes(changed_nodes(before, cursor), at - 1); }));
        paint.push_back(ms_of([&] { view.viewport()->grab(); }));
      }
      const std::uint32_t nodes = view.diagram().layout().size();
      for (std::uint32_t i = 1; i <= 20; ++i) {
        view.show_all();
        open.push_back(ms_of([&] {
          view.reveal(view.diagram().layout().node(nodes - 1 - (i * 7919u) % (nodes / 2)));
          view.viewport()->grab();
        }));
        view.select_node(view.diagram().layout().node(nodes / 2 + i));
        key.push_back(ms_of([&] {
          QTest::keyClick(&view, i % 2 ? Qt::Key_Right : Qt::Key_Up, Qt::AltModifier);
          view.viewport()->grab();
        }));
      }
      std::printf("| %s | %s | %u | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
                  algorithm.id.c_str(), n.c_str(), steps, layout, quantile(step, 0.5), quantile(step, 0.95),
                  quantile(changes, 0.5), quantile(changes, 0.95), quantile(paint, 0.5), quantile(paint, 0.95),
                  quantile(open, 0.5), quantile(open, 0.95), quantile(key, 0.5));
      std::fflush(stdout);
    }
}
