// Zhou et al. 2008, section 3.5: scenes of less than 5K triangles, where the source prefers the CPU.

#include "app/experiments/zhou_2008.hpp"

namespace kdscope::zhou_small_scenes {
namespace {

using namespace zhou_2008;

enum Builder : std::size_t { exact, cpu, gpu };
const std::vector<std::string> builders{"exact SAH, 1 thread", "CPU", "GPU"};

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentRow& row = rows.front();
  if (row.series != builders[exact]) return measure_build(rows, options, control);
  const auto tree = measure_exact(row, options, control);
  return tree ? Result<void>() : tree.error();
}

}  // namespace

Experiment declare() {
  Experiment made = experiment("zhou-small-scenes", "section 3.5", "build times of small scenes, CPU and GPU", measure);
  ExperimentSpec& spec = made.spec;
  spec.notes =
      "The source states that below 5K triangles the overhead of launches is a bottleneck, and that a complete CPU "
      "method is then more efficient; it prints no times. The scenes are soups of random triangles. The ratio is that "
      "of the exact greedy builder's time to the row's: below 1, the row's builder loses.";
  spec.x_column = "triangles";
  spec.y = {"build time", "ms", true};
  spec.printed = {};
  spec.series = builders;
  spec.details = {"ratio"};
  spec.ratio_detail = 0;
  for (const std::string& builder : builders)
    for (const std::uint64_t triangles : {100, 250, 500, 1'000, 2'500, 5'000, 10'000, 25'000}) {
      ExperimentRow& row = kdscope::add_row(spec, builder, triangles);
      row.builds("zhou-sah", "triangles:n=" + std::to_string(triangles), 3, {});
      if (builder == builders[exact]) continue;
      row.backend = builder == builders[cpu] ? Backend::cpu : Backend::cuda;
      row.compared_with = builders[exact];
    }
  return made;
}

}  // namespace kdscope::zhou_small_scenes
