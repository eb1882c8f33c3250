// Zhou et al. 2008, Fig. 6: pictures per second of a moving scene of 47K triangles, its tree built for each picture.

#include "app/experiments/zhou_pictures.hpp"

namespace kdscope::zhou_fig_6 {
namespace {

using namespace zhou_2008;

constexpr std::uint64_t triangles = 47'000;

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentRow& row = rows.front();
  const auto picture = measure_pictures(row, {SceneTree::zhou_sah, 800, 600}, options, control);
  if (!picture) return picture.error();
  if (*picture) fill_picture_row(row, pictures_per_second(**picture), **picture);
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = picture_experiment(
      "zhou-fig-6", "Fig. 6", "pictures per second of a moving scene of 47K triangles", measure,
      "Pictures have 800 x 600 pixels. The source's scene is a subdivision surface, which a GPU evaluates anew for "
      "each picture; this is part of its time. It is not shipped; here the museum has as many triangles, "
      "and its mobile moves.");
  ExperimentSpec& spec = made.spec;
  spec.y = {"pictures", "1/s", true};
  spec.series = {"zhou-sah"};
  ExperimentRow& row = kdscope::add_row(spec, spec.series.front(), triangles);
  row.builds("zhou-sah", "museum:triangles=" + std::to_string(triangles), 3, {});
  row.details.front() = row.specification();
  row.printed.front() = printed_value("22");
  return made;
}

}  // namespace kdscope::zhou_fig_6
