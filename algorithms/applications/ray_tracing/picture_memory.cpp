#include "algorithms/applications/ray_tracing/picture_memory.hpp"

#include <algorithm>

#include "algorithms/applications/photon_mapping/photon_map.hpp"

namespace kdscope {

MemoryNeed memory_of(const PictureRequest& request, const TypedOptions& builder) {
  using namespace memory;
  const DataSet& scene = *request.scene;
  const std::uint64_t pixels = request.camera.pixels(), triangles = scene.triangles.size() / 3;
  const bool mirrors = photon_mapping::sphere_around_mirrors(scene, request.look).radius > 0;
  const std::uint64_t lights = request.look.lights.size(),
                      emitted = request.photons && mirrors && lights > 0 ? request.photons->count : 0,
                      stored = emitted / 2;

  // The tree that is built, and the one that rays pass: corners, two references and five nodes per triangle
  using Node = ray_tracing::TreeView::Node;
  const std::uint64_t corners = 3 * place * triangles,
                      built = request.kept
                                  ? 0
                                  : bytes_of_build(ray_tracing::application(), scene, builder).device + corners,
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
                      photon_build = stored * build_bytes_per_point(photon_mapping::application()),
                      photon_tree = stored * searched_bytes_per_point;

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

}  // namespace kdscope
