// Zhou et al. 2008, Fig. 7: pictures per second with caustics, both trees built for each picture.

#include "app/experiments/zhou_pictures.hpp"

namespace kdscope::zhou_fig_7 {
namespace {

using namespace zhou_2008;

/// A picture of the figure, with what its caption and section 5.3 state.
struct Caustic {
  const char* data;
  std::uint64_t triangles;
  PhotonRequest photons;
  const char* per_second;
};
const std::array<Caustic, 2> caustics{
    {{"metal-ring", 3'000, {200'000, 50}, "12.2"}, {"champagne", 19'000, {400'000, 40}, "7.5"}}};

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentRow& row = rows.front();
  const auto& of = caustics[row.specification() == caustics[0].data ? 0 : 1];
  const auto picture = measure_pictures(row, {SceneTree::zhou_sah, 800, 600, of.photons}, options, control);
  if (!picture) return picture.error();
  if (*picture) fill_picture_row(row, pictures_per_second(**picture), **picture);
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = picture_experiment(
      "zhou-fig-7", "Fig. 7", "pictures per second with caustics", measure,
      "Pictures have 800 x 600 pixels. The trees over triangles and photons, the photons, and the trace together. "
      "200,000 photons and k = 50 for the ring, 400,000 and k = 40 for the glass.");
  ExperimentSpec& spec = made.spec;
  spec.y = {"pictures", "1/s", true};
  spec.series = {"zhou-sah"};
  for (const Caustic& caustic : caustics) {
    ExperimentRow& row = kdscope::add_row(spec, spec.series.front(), caustic.triangles);
    row.builds("zhou-sah", caustic.data, 3, {});
    row.details.front() = caustic.data;
    row.printed.front() = printed_value(caustic.per_second);
  }
  return made;
}

}  // namespace kdscope::zhou_fig_7
