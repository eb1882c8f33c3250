// Zhou et al. 2008, Table 4: pictures per second of six scenes, the tree built for each picture.

#include "app/experiments/zhou_pictures.hpp"

namespace kdscope::zhou_table_4 {
namespace {

using namespace zhou_2008;

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto picture = measure_pictures(rows.front(), {}, options, control);
  if (!picture) return picture.error();
  if (!*picture) return {};
  fill_picture_row(rows.front(), pictures_per_second(**picture), **picture);
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = picture_experiment(
      "zhou-table-4", "Table 4", "pictures per second, the tree built for each", measure,
      "Pictures have 1024 x 1024 pixels. Build and trace together, with the triangles resident on the device. The "
      "printed rates of Wald et al. 2007 are "
      "from an Opteron at 2.6 GHz, those of Shevtsov et al. 2007 from two processors of two cores at 3 GHz.");
  ExperimentSpec& spec = made.spec;
  spec.y = {"pictures", "1/s", true};
  spec.series = {"zhou-sah"};
  spec.printed = {{"wald07", "Wald et al. 2007"}, {"shevtsov07", "Shevtsov et al. 2007"}, {"8800_ultra", "8800 ULTRA"}};
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    ExperimentRow& row = add_picture_row(spec, s, spec.series.front());
    const PrintedPictures& values = printed_pictures[s];
    std::size_t column = 0;
    for (const char* value : {values.wald07, values.shevtsov07, values.gpu_pictures}) {
      if (*value) row.printed[column] = printed_value(value);
      ++column;
    }
  }
  return made;
}

}  // namespace kdscope::zhou_table_4
