#include "algorithms/applications/point_clouds/point_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/applications/finite.hpp"
#include "algorithms/applications/has_cuda.hpp"
#include "algorithms/applications/point_clouds/cloud_memory.hpp"
#include "algorithms/applications/point_clouds/estimate.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

std::optional<Error> fault_of(const CloudRequest& request) {
  if (!request.points) return Error{ErrorKind::bad_usage, "no cloud is open", "", "open one first"};
  const DataSet& data = *request.points;
  if (data.points.dim != 3 || data.points.type != ScalarType::float32)
    return Error{ErrorKind::bad_input, "normals need floats in three dimensions", data.name, "choose another cloud"};
  constexpr std::uint32_t least_k = 3, most_k = 64;
  if (request.k < least_k || request.k > most_k)
    return Error{ErrorKind::bad_usage, std::to_string(request.k) + " neighbours give no normal", "",
                 "ask for " + std::to_string(least_k) + " to " + std::to_string(most_k)};
  if (const std::uint64_t most = point_clouds::application().most_points(); most > 0 && data.points.size() > most)
    return Error{ErrorKind::bad_input, "a cloud of " + std::to_string(data.points.size()) + " points has no tree",
                 data.name, "use at most " + std::to_string(most)};
  if (data.points.size() <= request.k) {
    const std::size_t others = std::max<std::size_t>(data.points.size(), 1) - 1;
    return Error{ErrorKind::bad_usage,
                 "k is " + std::to_string(request.k) + ", and each of the " +
                     count_text(data.points.size(), "point has", "points has") + " only " + std::to_string(others) +
                     " others",
                 data.name,
                 others < least_k ? "take at least " + std::to_string(least_k + 1) + " points"
                                  : "ask for at most " + std::to_string(others) + " neighbours"};
  }
  return fault_of_coordinates(data);
}

/// Returns an error for a neighbourhood of different points that is so small that floats do not hold its density, and
/// perhaps not the squares of its distances either. neighbours: [n x k].
std::optional<Error> fault_of_densities(const CloudRequest& request, const Cloud& cloud,
                                        const std::vector<std::uint32_t>& neighbours) {
  const PointSet& points = request.points->points;
  for (std::size_t i = 0; i < cloud.radius.size(); ++i) {
    if (std::isfinite(cloud.density[i])) continue;
    for (std::size_t rank = 0; rank < request.k; ++rank) {
      const std::uint32_t j = neighbours[i * request.k + rank];
      if (j == no_id) continue;
      double most = 0;
      for (std::uint32_t d = 0; d < 3; ++d) most = std::max(most, std::abs(points.value(i, d) - points.value(j, d)));
      if (most > 0)
        return Error{ErrorKind::bad_input,
                     "points " + std::to_string(std::min<std::size_t>(i, j)) + " and " +
                         std::to_string(std::max<std::size_t>(i, j)) +
                         " are so close that floats cannot hold the density there: their coordinates differ by " +
                         short_number(most),
                     request.points->name, "multiply all coordinates by a large number, as scale= does for files"};
    }
  }
  return std::nullopt;
}

}  // namespace

const Application& point_clouds::application() {
  static const Application clouds{"zhou-vvh", "radius-histogram"};
  return clouds;
}

SearchOfRun point_clouds::search_of_point(const PointSet& points, std::size_t point, std::uint32_t k) {
  return application().search_of({points.value(point, 0), points.value(point, 1), points.value(point, 2)}, k + 1);
}

std::size_t without_extent(const Cloud& cloud) {
  return static_cast<std::size_t>(std::ranges::count(cloud.radius, 0.0f));
}

std::size_t without_normal(const Cloud& cloud) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < cloud.radius.size(); ++i)
    count += cloud.normals[3 * i] == 0 && cloud.normals[3 * i + 1] == 0 && cloud.normals[3 * i + 2] == 0;
  return count;
}

Result<Cloud> estimate_cloud(const CloudRequest& request, const RunControl& control) {
  if (auto fault = fault_of(request)) return *fault;
  const DataSet& data = *request.points;
  const auto builder = point_clouds::application().builder_options();
  if (!builder) return builder.error();
  const auto search = point_clouds::application().search_options();
  if (!search) return search.error();
  const auto device = choose_device(request.backend, true, has_cuda);
  if (!device) return device.error();
  const std::string subject = "estimating a cloud of " + std::to_string(data.points.size()) + " points with " +
                              std::to_string(request.k) + " neighbours needs";
  if (auto lack = lack_of_memory(memory_of_cloud(data.points.size(), request.k, request.oriented), *device,
                                 available_memory(), subject, "use fewer points or neighbours"))
    return *lack;
  std::vector<std::uint32_t> neighbours;
  auto estimated = guarded(*device, [&] {
    Cloud cloud;
#if defined(KDSCOPE_HAS_CUDA)
    if (device->backend == Backend::cuda)
      cloud = point_clouds::estimate_on_cuda(request, *builder, *search, *device, control, neighbours);
#endif
    if (device->backend == Backend::cpu) {
      CpuExec exec(control.stop);
      cloud = point_clouds::estimate_on(exec, request, *builder, *search, control, neighbours);
    }
    cloud.device = *device;
    return cloud;
  });
  if (estimated)
    if (auto fault = fault_of_densities(request, *estimated, neighbours)) return *fault;
  return estimated;
}

}  // namespace kdscope
