// Zhou et al. 2008, Table 2: costs of trees in percent of the costs of the off-line builder's trees.

#include "app/experiments/zhou_2008.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::zhou_table_2_sah {
namespace {

using namespace zhou_2008;

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentRow& row = rows.front();
  ExperimentOptions once = options;  // the tree is the same each time
  once.repeat = 1;
  const auto built = build_row(row, {}, false, once, share_of(control, 0, 0.3));
  if (!built) return built.error();
  if (built->empty()) return {};
  const auto data = open_data_set(row.specification());
  if (!data) return data.error();
  const auto exact = exact_tree(*data, row, control);
  if (!exact) return exact.error();
  const double cost = cost_of(built->front().tree), exact_cost = cost_of(*exact);
  fill_row(row, {100 * cost / exact_cost}, built->front());
  row.details[1] = decimal(cost);
  row.details[2] = decimal(exact_cost);
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = experiment("zhou-table-2-sah", "Table 2 (SAH)",
                               "SAH costs of trees, in percent of an off-line builder's", measure);
  ExperimentSpec& spec = made.spec;
  spec.notes =
      "100 % is the tree of an exact greedy builder (Wald & Havran 2006) on the same scene. The scenes are ours, so "
      "only ratios can be compared with the printed ones.";
  spec.y = {"SAH cost, exact builder = 100 %", "%", false};
  spec.series = {"zhou-sah"};
  spec.details = {"scene", "sah", "exact_sah", "paper_sah", "paper_exact_sah"};
  for (const Scene& scene : scenes) {
    ExperimentRow& row = add_row(spec, scene, "zhou-sah");
    row.printed[0] = printed_value(percent_of(scene.gpu_sah, scene.cpu_sah));
    row.details = {scene.data, "", "", scene.gpu_sah, scene.cpu_sah};
  }
  return made;
}

}  // namespace kdscope::zhou_table_2_sah
