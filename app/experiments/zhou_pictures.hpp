#pragma once
// Shared by the tables of Zhou et al. 2008 about tracing pictures of six scenes.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "app/experiments/zhou_2008.hpp"

namespace kdscope::zhou_2008 {

/// Values of a scene in Table 2 (T_trace, in ms) and Table 4 (pictures per second); empty: not printed.
struct PrintedPictures {
  const char *cpu_trace_ms, *gpu_trace_ms, *wald07, *shevtsov07, *gpu_pictures;
};
extern const std::array<PrintedPictures, 6> printed_pictures;

/// An experiment on pictures, as experiment() makes one, with details that measure_pictures() fills. notes: sentences
/// behind those that hold for all pictures.
Experiment picture_experiment(std::string id, const std::string& place, std::string title, Measure measure,
                              const std::string& notes);
/// Adds a row of a scene, which is measured together with the others of the scene.
ExperimentRow& add_picture_row(ExperimentSpec& spec, std::size_t scene, std::string series);

/// What the pictures of a row are: of 1024 x 1024 pixels without photons by default.
struct PictureKind {
  SceneTree tree = SceneTree::zhou_sah;
  std::uint32_t width = 1024, height = 1024;
  std::optional<PhotonRequest> photons = {};
};
/// Traces a row's scene as often as the options state, and fills the row's details. Empty if the row got a reason
/// instead. Errors: those of open_data_set() and trace_picture().
Result<std::optional<Picture>> measure_pictures(ExperimentRow& row, const PictureKind& kind,
                                                const ExperimentOptions& options, const RunControl& control);
/// Returns pictures per second, one number per picture: builds, photons and trace.
std::vector<double> pictures_per_second(const Picture& picture);
/// Sets the numbers of a row: one per picture.
void fill_picture_row(ExperimentRow& row, const std::vector<double>& values, const Picture& picture);

}  // namespace kdscope::zhou_2008
