// Zhou et al. 2008, Table 5: building kd-trees over photons, and finding the nearest photons.

#include <array>
#include <string>

#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/experiments/measured_search.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::zhou_table_5 {
namespace {

enum Detail : std::size_t { picture, emitted, stored, ratio, paper_ratio };

/// A line of the table: times in ms, and what section 5.2 states about its picture.
struct Line {
  const char* picture;
  std::uint64_t photons;
  std::uint32_t k;
  std::array<const char*, 2> build, search;  ///< CPU, GPU
  const char* scene;                         ///< ours of the same picture
  std::uint64_t emitted;                     ///< photons of which the scene stores about `photons`
};
constexpr Line lines[] = {{"Fig. 7(a)", 200'000, 50, {"81", "9"}, {"508", "44"}, "metal-ring", 2'567'000},
                          {"Fig. 7(b)", 400'000, 40, {"237", "17"}, {"371", "50"}, "champagne", 6'980'000}};
constexpr std::uint32_t width = 800, height = 600;
constexpr std::uint64_t pixels = std::uint64_t{width} * height;
/// Parts of the photons: a tenth shows a scene's times within seconds on a CPU.
constexpr std::uint64_t parts[] = {10, 1};

bool is_of_scene(const ExperimentRow& row) { return !row.details[emitted].empty(); }

/// Traces pictures with photons, and takes the times of the photons' tree and of their gathering from them.
Result<void> measure_in_pictures(std::span<ExperimentRow> rows, const ExperimentOptions& options,
                                 const RunControl& control) {
  const ExperimentRow& first = rows.front();
  const auto device = device_on(first.backend);
  if (!device) {
    for (ExperimentRow& row : rows) row.reason = "no CUDA device", row.device.backend = first.backend;
    return {};
  }
  const auto scene = open_data_set(first.specification());
  if (!scene) return scene.error();
  PictureRequest request;
  request.scene = *scene;
  request.look = look_of(**scene);
  request.camera = camera_before(**scene, width, height);
  request.photons.emplace();
  request.photons->count = static_cast<std::uint32_t>(std::stoul(first.details[emitted]));
  for (const Line& line : lines)
    if (first.specification() == line.scene) request.photons->k = line.k;
  request.photon_tree = first.facts.parameters;
  request.backend = device->backend;
  // Photons take most of a picture's time, and the first picture prepares memory and code
  constexpr int usual = 3;
  request.repeat = 1 + (options.repeat > 0 ? options.repeat : usual);
  const auto traced = trace_picture(request, control);
  if (!traced && traced.error().kind == ErrorKind::out_of_memory) {
    for (ExperimentRow& row : rows) row.reason = "oom", row.device = *device;
    return {};
  }
  if (!traced) return traced.error();
  for (ExperimentRow& row : rows) {
    const std::vector<double>& times = row.searching() ? traced->photons->gather_ms : traced->photons->build_ms;
    row.samples = {{times.begin() + 1, times.end()}};
    row.device = traced->device;
    row.facts.parameters.erase("radius");  // the photon map sets its own
    row.details[stored] = std::to_string(traced->photons->stored);
  }
  return {};
}

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  return is_of_scene(rows.front()) ? measure_in_pictures(rows, options, control)
                                   : measure_searches(rows, options, control);
}

/// Adds the rows of a build and its search. of_scene: with photons of our scene, a part of the table's number.
void add_rows(ExperimentSpec& spec, const Line& line, bool gpu, bool of_scene, std::uint64_t part, int run) {
  const std::string& series = spec.series[2 * std::size_t(of_scene) + gpu];
  const std::uint64_t photons = line.photons / part;
  for (const bool search : {false, true}) {
    ExperimentRow& row = add_row(spec, series, photons);
    row.facet = spec.facets[search];
    row.run = run;
    row.builds("zhou-vvh", of_scene ? line.scene : "caustic:n=" + std::to_string(photons), 3, {},
               gpu ? Backend::cuda : Backend::cpu);
    if (search)
      row.searches("radius-histogram", of_scene ? "" : "caustic:n=" + std::to_string(pixels) + ",seed=2", line.k);
    row.details[picture] = line.picture;
    if (of_scene) row.details[emitted] = std::to_string(line.emitted / part);
    if (gpu) row.compared_with = spec.series[2 * std::size_t(of_scene)];
    if (part > 1) continue;
    const auto& times = search ? line.search : line.build;
    row.printed[gpu] = printed_value(times[gpu]);
    if (gpu) row.details[paper_ratio] = short_number(std::stod(times[0]) / std::stod(times[1]), 3);
  }
}

}  // namespace

Experiment declare() {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = "zhou-table-5";
  spec.citation = "Zhou et al. 2008, Table 5";
  spec.title = "times of builds over photons and of searches for the nearest photons";
  spec.notes =
      "The photons of the series CPU and GPU are generated ones of a metal ring's caustic in both rows; the source has "
      "those of Fig. 7(b) from a glass of champagne. There is one query for each of 800 x 600 pixels, placed like "
      "photons, where they are dense; the source's pixels also see parts of the table with few photons, and do not all "
      "see the table. The other two series take the times from pictures of our scenes, with the photons that these "
      "really store: only 7.8 % of the emitted ones for the ring, and 5.7 % for the glass, end on a matte surface "
      "after a mirror or glass, so that 2.6 and 7.0 million are emitted. Their searches start at the hits of rays on "
      "opaque surfaces, mirrored and refracted rays included, within the radius R of the photon map. A tenth of the "
      "photons shows the same within seconds. The printed CPU search uses a priority queue (Jensen 2001); all series "
      "here use the source's radius histograms. The source states that both are around 10 times faster on the GPU.";
  spec.counted = "photons";
  spec.facet_column = "columns";
  spec.series_column = "processor";
  spec.x_column = "photons";
  spec.x = {"photons", "", false};
  spec.y = {"time", "ms", true};
  spec.printed = {{"cpu", "CPU"}, {"8800_ultra", "8800 ULTRA"}};
  spec.facets = {"kd-tree", "KNN"};
  spec.series = {"CPU", "GPU", "CPU (scenes)", "GPU (scenes)"};
  spec.parameters = parameters_of("zhou-vvh", {"small", "radius"});
  spec.details = {"picture", "emitted", "stored", "ratio", "paper_ratio"};
  spec.ratio_detail = ratio;
  int run = 0;
  for (const bool gpu : {false, true})
    for (const Line& line : lines) add_rows(spec, line, gpu, false, 1, run++);
  for (const bool gpu : {false, true})
    for (const Line& line : lines)
      for (const std::uint64_t part : parts) add_rows(spec, line, gpu, true, part, run++);
  return made;
}

}  // namespace kdscope::zhou_table_5
