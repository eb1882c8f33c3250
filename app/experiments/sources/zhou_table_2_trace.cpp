// Zhou et al. 2008, Table 2: times of tracing six scenes through three trees (T_trace).

#include "app/experiments/zhou_pictures.hpp"

namespace kdscope::zhou_table_2_trace {
namespace {

using namespace zhou_2008;

constexpr std::array trees{SceneTree::zhou_sah, SceneTree::exact_sah, SceneTree::median};
const std::vector<std::string> series_of_trees{"zhou-sah", "exact SAH", "median"};

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto picture = measure_pictures(rows[t], {trees[t]}, options, control);
    if (!picture) return picture.error();
    if (*picture) fill_picture_row(rows[t], (*picture)->trace_ms, **picture);
  }
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = picture_experiment(
      "zhou-table-2-trace", "Table 2, T_trace", "times of tracing six scenes through three trees", measure,
      "Pictures have 1024 x 1024 pixels. The exact greedy tree is that of the off-line builder. The median tree halves "
      "the triangles of a node and has no "
      "counterpart in the source: it shows what a cost is worth.");
  ExperimentSpec& spec = made.spec;
  spec.y = {"trace time", "ms", true};
  spec.series = series_of_trees;
  spec.printed = {{"off_line", "8800 ULTRA, tree of the off-line builder"}, {"8800_ultra", "8800 ULTRA"}};
  for (std::size_t s = 0; s < scenes.size(); ++s)
    for (std::size_t t = 0; t < trees.size(); ++t) {
      ExperimentRow& row = add_picture_row(spec, s, spec.series[t]);
      if (trees[t] == SceneTree::exact_sah) row.printed[0] = printed_value(printed_pictures[s].cpu_trace_ms);
      if (trees[t] == SceneTree::zhou_sah) row.printed[1] = printed_value(printed_pictures[s].gpu_trace_ms);
    }
  return made;
}

}  // namespace kdscope::zhou_table_2_trace
