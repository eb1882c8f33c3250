// Wehr & Radkowski 2018, Figure 1 and section III-E: time per frame of following the piston, split into the tree over
// the scan, the searches of the iterative closest point algorithm, and the rest.

#include "algorithms/applications/tracking/tracking.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/experiments/wehr_2018.hpp"
#include "datasets/datasets.hpp"
#include "datasets/moving_data.hpp"

namespace kdscope::wehr_tracking {
namespace {

using namespace wehr_2018;

enum Detail : std::size_t { frames, iterations, off_mm };
constexpr std::uint32_t samples = 4000;
/// The first frame prepares memory and code, and does not count.
constexpr std::uint32_t most_frames = 26, fewest_frames = 4;

constexpr std::array<double TrackedFrame::*, 3> shares{&TrackedFrame::build_ms, &TrackedFrame::search_ms,
                                                       &TrackedFrame::rest_ms};

/// Measures the three rows of a number of points.
Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto device = device_on(options.backend);
  if (!device) {
    for (ExperimentRow& row : rows) row.reason = "no CUDA device";
    return {};
  }
  const std::string data = rows.front().specification();
  const auto model = open_data_set(known_scan(data)->object);
  if (!model) return model.error();
  auto object = tracked_object(**model, samples);
  if (!object) return object.error();
  TrackingRequest request;
  request.object = std::make_shared<const TrackedObject>(std::move(*object));
  request.start = known_scan(data)->place;
  request.camera = known_scan(data)->camera;
  request.builder = rows.front().facts.parameters;
  request.backend = device->backend;
  const std::uint32_t wanted = options.repeat > 0                ? static_cast<std::uint32_t>(options.repeat) + 1
                               : device->backend == Backend::cpu ? fewest_frames
                                                                 : most_frames;
  for (std::uint32_t frame = 0; frame < wanted; ++frame) {
    if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "cancelled", "", ""};
    const auto scan = open_data_set(with_frame(data, frame % frames_of(data)));
    if (!scan) return scan.error();
    request.scans.push_back(*scan);
  }
  const auto tracking = track(request, control);
  if (!tracking) return tracking.error();
  double steps = 0, off = 0;
  for (std::uint32_t frame = 1; frame < wanted; ++frame) {
    const TrackedFrame& tracked = tracking->frames[frame];
    steps += static_cast<double>(tracked.iterations()) / (wanted - 1);
    const Placement truth = known_scan(with_frame(data, frame % frames_of(data)))->place;
    off = std::max(off, 1000 * farthest_apart(*request.object, tracked.place, truth));
  }
  for (std::size_t share = 0; share < rows.size(); ++share) {
    for (std::uint32_t frame = 1; frame < wanted; ++frame)
      rows[share].samples.values.push_back(tracking->frames[frame].*shares[share]);
    rows[share].device = tracking->device;
    rows[share].details[frames] = std::to_string(wanted - 1);
    rows[share].details[iterations] = short_number(steps, 3);
    rows[share].details[off_mm] = short_number(off, 3);
  }
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = experiment("wehr-tracking", "Figure 1 and section III-E",
                               "time per frame of following the piston: tree, searches, rest", {"tpb"});
  made.measure = measure;
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " The source prints no times of its tracking. The scans are simulated, of a desk on which a piston is lifted and "
      "turned; each frame begins where the piston was in the one before. Its 4,000 points are moved until their "
      "nearest neighbours move them no more. off_mm: largest distance of any of them from its true place in any frame.";
  spec.y = {"time per frame", "ms", true};
  spec.statistic = Statistic::median_and_range;
  spec.series = {"build", "search", "rest"};
  spec.details = {"frames", "iterations", "off_mm"};
  spec.usual_max_n_on_cpu = 50'000;
  int run = 0;
  for (const std::uint64_t n : {10'000, 50'000, 100'000, 280'000}) {
    for (const std::string& series : spec.series) {
      ExperimentRow& row = add_row(spec, series, Data::workbench, n, {});
      row.run = run;
    }
    ++run;
  }
  return made;
}

}  // namespace kdscope::wehr_tracking
