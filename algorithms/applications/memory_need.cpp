#include "algorithms/applications/memory_need.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/applications/photon_mapping/photon_map.hpp"
#include "algorithms/applications/ray_tracing/passes.hpp"
#include "algorithms/builders/builders.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/queries/zhou-sah/zhou_sah.hpp"
#include "algorithms/registry/registry.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t word = 4, place = 3 * word, small_arrays = 1u << 18;

const Builder& builder_named(const std::string& id) {
  return **std::ranges::find(builders(), id, [](const Builder* builder) { return builder->spec.id; });
}

/// Returns what zhou-vvh takes per point, points included: its prediction grows in proportion to their number.
std::uint64_t build_bytes_per_point() {
  const Builder& builder = builder_named("zhou-vvh");
  const auto bytes_of = [&](std::size_t n) {
    DataSet data;
    data.points = PointSet{ScalarType::float32, 3, 0, std::vector<std::uint32_t>(3 * n)};
    return builder.device_bytes(data, {});
  };
  constexpr std::size_t sample = 1024;
  return (bytes_of(2 * sample) - bytes_of(sample)) / sample;
}

/// What a tree over a point keeps for searches: coordinates, an index, and 5 nodes per 4 points of 8 words and a box.
constexpr std::uint64_t searched_bytes_per_point = place + word + 5 * (8 * word + 2 * place) / 4;

std::uint64_t host_bytes(const MemoryNeed& need, const Device& device) {
  return std::max(need.host + (device.backend == Backend::cpu ? need.device : 0), need.host_after);
}

}  // namespace

std::optional<Error> lack_of_memory(const MemoryNeed& need, const Device& device, std::uint64_t available,
                                    const std::string& subject, const std::string& remedy) {
  if (const std::uint64_t bytes = host_bytes(need, device); bytes > available)
    return Error{
        ErrorKind::out_of_memory,
        subject + " about " + memory_text(bytes) + " of host memory, " + memory_text(available) + " are available", "",
        remedy + ", or close other programs"};
  if (device.backend == Backend::cuda && need.device > device.memory_bytes)
    return Error{ErrorKind::out_of_memory,
                 subject + " about " + memory_text(need.device) + " of GPU memory, " + device.name + " has " +
                     memory_text(device.memory_bytes),
                 "", remedy + ", or use the CPU back end"};
  return {};
}

MemoryNeed memory_of(const PictureRequest& request, const Parameters& parameters) {
  const DataSet& scene = *request.scene;
  const std::uint64_t pixels = request.camera.pixels(), triangles = scene.triangles.size() / 3;
  const bool mirrors = photon_mapping::sphere_around_mirrors(scene, request.look).radius > 0;
  const std::uint64_t lights = request.look.lights.size(),
                      emitted = request.photons && mirrors && lights > 0 ? request.photons->count : 0,
                      stored = emitted / 2;

  // The tree that is built, and the one that rays pass: corners, two references and five nodes per triangle
  using Node = ray_tracing::TreeView::Node;
  const std::uint64_t corners = 3 * place * triangles,
                      built = request.kept ? 0 : builder_named("zhou-sah").device_bytes(scene, parameters) + corners,
                      nodes = request.kept ? request.kept->size() : 5 * triangles,
                      references = request.kept ? request.kept->primitive_of_position.size() : 2 * triangles,
                      tree = corners + nodes * sizeof(Node) + references * word;

  // Sums, visits and pixels; and the arrays of passes, which remain from picture to picture
  const std::uint64_t sums = pixels * 5 * word + scene.materials.size(), sent = request.look.bounces > 0 && mirrors,
                      passes = pixels * ((1 + sent) * sizeof(ray_tracing::PathRay) + sizeof(ray_tracing::PathHit) +
                                         2 * word + lights + (request.photons ? place : 0));

  // Photons that travel, those that are stored, and the trees over them
  const std::uint64_t kept_photons = emitted * 2 * place,
                      travel = emitted * (2 * sizeof(ray_tracing::PathRay) + sizeof(ray_tracing::PathHit) + 5 * word),
                      photon_build = stored * build_bytes_per_point(), photon_tree = stored * searched_bytes_per_point;

  const bool again = request.repeat > 1 || request.time_steps;
  const std::uint64_t before = again ? passes : 0,
                      build_stage = built + before + (again ? kept_photons + photon_tree : 0),
                      photon_stage = tree + before + kept_photons + std::max(travel, photon_build),
                      trace_stage = tree + passes + kept_photons + photon_tree;
  MemoryNeed need;
  need.device = sums + std::max({build_stage, photon_stage, trace_stage}) + small_arrays;
  constexpr std::uint64_t bytes_per_node = 12 * word;
  need.host = pixels * 2 * word + (request.keep_tree ? nodes * bytes_per_node + references * word : 0) +
              (request.photons && request.photons->keep ? 4 * place * stored : 0);
  return need;
}

MemoryNeed memory_of_cloud(std::uint64_t n, std::uint32_t k, bool oriented) {
  const std::uint64_t neighbours = n * k * word, estimates = n * (place + word);
  MemoryNeed need;
  const std::uint64_t build = n * build_bytes_per_point();
  need.device = n * place + neighbours + estimates + build + small_arrays;
  const std::uint64_t results = neighbours + estimates + 2 * n * word;  // densities may reserve twice their number
  need.host = n * place + (results > build ? results - build : 0);      // the build is over when the results come
  // Kruskal's algorithm takes an edge per neighbour, and lists of a tree's neighbours
  constexpr std::uint64_t edge = 3 * word, lists = sizeof(std::vector<std::uint32_t>) + 64 + 4 * word;
  need.host_after = results + std::max(n * place, oriented ? n * (k * edge + lists) : 0);
  return need;
}

MemoryNeed memory_of_strength(std::uint64_t n, std::uint64_t active, std::uint64_t fixed) {
  MemoryNeed need;
  const std::uint64_t handle = std::max(active, fixed), distances = fixed > 0 ? 2 : 1;
  need.device = n * (place + (distances + 1) * word) + handle * (place + build_bytes_per_point()) + small_arrays;
  need.host = n * (place + word) + handle * place;
  return need;
}

MemoryNeed memory_of(const TrackingRequest& request, const std::vector<Parameters>& builders) {
  const std::uint64_t m = request.object->size();
  const Builder& wehr = builder_named("wehr");
  MemoryNeed need;
  for (std::size_t i = 0; i < request.scans.size(); ++i) {
    const PointSet& points = request.scans[i]->points;
    const std::uint64_t n = points.size(), slots = std::bit_ceil(n + 1) - 1,
                        build = wehr.host_bytes(*request.scans[i], builders[i], true),
                        searched = slots * (place + word);
    need.device = std::max(need.device, points.words.size() * word + std::max(build, searched));
  }
  need.device += m * (3 * place + word + 1) + small_arrays;
  const std::uint64_t steps = request.keep_nearest ? std::uint64_t(request.iterations) + 1 : 1;
  need.host = request.scans.size() * steps * m * word;
  return need;
}

}  // namespace kdscope
