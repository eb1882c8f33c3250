// Zhou et al. 2008, Table 3 and Fig. 5: build times by the number of processors.

#include "app/experiments/zhou_2008.hpp"

namespace kdscope::zhou_table_3 {
namespace {

using namespace zhou_2008;

enum Detail : std::size_t { speedup, paper_speedup };

/// Measures one scene on all numbers of processors. Speedups are relative to the first row.
Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double all = static_cast<double>(rows.size());
    const auto built = build_row(rows[i], {}, false, options,
                                 share_of(control, static_cast<double>(i) / all, static_cast<double>(i + 1) / all));
    if (!built) return built.error();
    if (built->empty()) continue;
    fill_row(rows[i], built->front().build_ms, built->front());
    if (rows.front().measured())
      rows[i].details[speedup] = decimal(rows.front().samples.median() / rows[i].samples.median());
  }
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made =
      experiment("zhou-table-3", "Table 3 and Figure 5", "build times by the number of processors", measure);
  ExperimentSpec& spec = made.spec;
  spec.notes =
      "The source disabled processors of a GeForce 8800 ULTRA through its driver; here the builder runs on that many "
      "multiprocessors of the GPU (by green contexts, CUDA 12.5 or later) or threads of the CPU. One multiprocessor of "
      "today has 128 of the processors that the source counts. Speedups are relative to the smallest number. The "
      "scenes are ours, with the same numbers of triangles.";
  spec.facet_column = "processors";
  spec.series_column = "scene";
  spec.x_column = "count";
  spec.x = {"processors", "", false};
  spec.y = {"build time", "ms", true};
  spec.facets = {"GPU", "CPU"};
  spec.details = {"speedup", "paper_speedup"};
  for (const Scene& scene : scenes) spec.series.emplace_back(scene.data);
  int run = 0;
  for (const std::string& facet : spec.facets)
    for (const Scene& scene : scenes) {
      const bool gpu = facet == "GPU";
      for (std::size_t i = 0; i < processors.size(); ++i) {
        ExperimentRow& row = add_row(spec, scene, scene.data);
        row.facet = facet;
        row.run = run;
        row.what.processors = gpu ? processors[i] : 1 << i;
        row.x = row.what.processors;
        row.backend = gpu ? Backend::cuda : Backend::cpu;
        if (!gpu) continue;
        row.printed[0] = printed_value(scene.ms[i]);
        row.details[paper_speedup] = decimal(std::stod(scene.ms[0]) / std::stod(scene.ms[i]));
      }
      ++run;
    }
  return made;
}

}  // namespace kdscope::zhou_table_3
