#include "algorithms/applications/ray_tracing/ray_tracer.hpp"

#include <algorithm>
#include <chrono>

#include "algorithms/applications/has_cuda.hpp"
#include "algorithms/applications/ray_tracing/median_tree.hpp"
#include "algorithms/applications/ray_tracing/picture_faults.hpp"
#include "algorithms/applications/ray_tracing/picture_memory.hpp"
#include "algorithms/applications/ray_tracing/trace_picture.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/trees/split_planes/exact_sah.hpp"

namespace kdscope {
namespace {

/// Returns "a picture of 800 x 600 pixels and 200000 photons needs".
std::string subject_of(const PictureRequest& request) {
  const Camera& camera = request.camera;
  return "a picture of " + std::to_string(camera.width) + " x " + std::to_string(camera.height) + " pixels" +
         (request.photons ? " and " + std::to_string(request.photons->count) + " photons" : "") + " needs";
}

/// Returns the tree through which all pictures are traced; null if each builds its own. ms: receives the time of
/// building it.
std::shared_ptr<const SplitPlaneTree> tree_of_all(const PictureRequest& request, const RunControl& control,
                                                  double& ms) {
  if (request.kept || request.tree == SceneTree::zhou_sah) return request.kept;
  const auto from = std::chrono::steady_clock::now();
  auto tree = std::make_shared<const SplitPlaneTree>(request.tree == SceneTree::median
                                                         ? median_tree(request.scene, control.stop)
                                                         : exact_sah_tree(request.scene, 1, 64, control.stop));
  ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  return tree;
}

}  // namespace

const Application& ray_tracing::application() {
  static const Application pictures{"zhou-sah", "ray-stack", SearchQuestion::nearest_hit, {}, "toys"};
  return pictures;
}

SearchOfRun ray_tracing::search_of_pixel(const Camera& camera, std::uint32_t x, std::uint32_t y) {
  const Vector3 along = camera.direction(x, y);
  return application().search_of({camera.eye.x, camera.eye.y, camera.eye.z, along.x, along.y, along.z});
}

const char* name_of(SceneTree tree) {
  switch (tree) {
    case SceneTree::zhou_sah:
      return ray_tracing::application().algorithm.c_str();
    case SceneTree::exact_sah:
      return "exact-sah";
    case SceneTree::median:
      break;
  }
  return "median";
}

Result<Picture> trace_picture(const PictureRequest& request, const RunControl& control) {
  if (auto fault = ray_tracing::fault_of(request)) return *fault;
  const auto builder = ray_tracing::application().builder_options(request.parameters);
  if (!builder) return builder.error();
  const auto device = choose_device(request.backend, true, has_cuda);
  if (!device) return device.error();
  const auto share = limited(*device, request.processors);
  if (!share) return share.error();
  const auto photon_tree = photon_mapping::application().builder_options(request.photon_tree);
  if (!photon_tree) return photon_tree.error();
  const auto photon_search = photon_mapping::application().search_options(request.photon_search);
  if (!photon_search) return photon_search.error();
  const ray_tracing::PictureOptions options{*builder, *photon_tree, *photon_search};
  if (auto lack = lack_of_memory(memory_of(request, *builder), *share, available_memory(), subject_of(request),
                                 request.photons ? "ask for fewer pixels or photons" : "ask for fewer pixels"))
    return *lack;
  return guarded(*share, [&] {
    double once_ms = 0;
    const auto of_all = tree_of_all(request, control, once_ms);
    Picture picture;
#if defined(KDSCOPE_HAS_CUDA)
    if (share->backend == Backend::cuda)
      picture = ray_tracing::trace_on_cuda(request, options, of_all.get(), *share, control);
#endif
    if (share->backend == Backend::cpu) {
      CpuExec exec(control.stop);
      picture = ray_tracing::trace_on(exec, request, options, of_all.get(), control);
    }
    picture.device = *share;
    picture.once_ms = once_ms;
    if (of_all && request.keep_tree) picture.tree = of_all;
    return picture;
  });
}

std::uint32_t heat_end(const std::vector<std::uint32_t>& visited) {
  // A few pixels at edges see far more than the others.
  std::vector<std::uint32_t> sorted = visited;
  if (sorted.empty()) return 1;
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) * 99 / 100);
  std::ranges::nth_element(sorted, at);
  return std::max(*at, 1u);
}

std::vector<std::uint32_t> heat_of(const std::vector<std::uint32_t>& visited) {
  const std::uint32_t most = heat_end(visited);
  // Viridis: its lightness grows evenly, also for people who see fewer colours.
  constexpr double scale[5][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
  std::vector<std::uint32_t> pixels(visited.size());
  for (std::size_t i = 0; i < visited.size(); ++i) {
    const double share = 4 * std::min(1.0, static_cast<double>(visited[i]) / most);
    const int band = std::min(3, static_cast<int>(share));
    std::uint32_t word = 0xff;
    for (int c = 0; c < 3; ++c)
      word = word << 8 |
             static_cast<std::uint32_t>(scale[band][c] + (share - band) * (scale[band + 1][c] - scale[band][c]) + 0.5);
    pixels[i] = word;
  }
  return pixels;
}

}  // namespace kdscope
