// Zhou et al. 2008, section 3.5: peak memory of builds.

#include "app/experiments/zhou_2008.hpp"

namespace kdscope::zhou_memory {
namespace {

using namespace zhou_2008;

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentOptions once = options;  // peak memory is the same each time
  once.repeat = 1;
  ExperimentRow& row = rows.front();
  const auto built = build_row(row, {}, false, once, control);
  if (!built) return built.error();
  if (built->empty()) return {};
  const double bytes = static_cast<double>(built->front().peak_bytes);
  fill_row(row, {bytes / 1e6}, built->front());
  row.details[1] = decimal(bytes / static_cast<double>(row.n));
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made = experiment("zhou-memory", "section 3.5", "peak memory of builds, six scenes", measure);
  ExperimentSpec& spec = made.spec;
  spec.notes =
      "Peak memory of the back end, including the scene, in MB of 10^6 bytes. The source rounds its numbers and does "
      "not state what they include. Lists double in both; here the next level reuses a level's memory, which the "
      "source names as future work.";
  spec.y = {"peak memory", "MB", false};
  spec.series = {"zhou-sah"};
  spec.details = {"scene", "bytes_per_triangle"};
  for (const Scene& scene : scenes) {
    ExperimentRow& row = add_row(spec, scene, "zhou-sah");
    row.printed[0] = printed_value(scene.megabytes);
    row.details[0] = scene.data;
  }
  return made;
}

}  // namespace kdscope::zhou_memory
