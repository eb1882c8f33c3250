#include "algorithms/applications/tracking/tracking.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/applications/has_cuda.hpp"
#include "algorithms/applications/tracking/follow.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/searches.hpp"
#include "datasets/generators/surface_samples.hpp"

namespace kdscope {
namespace {

bool has_float_places(const PointSet& points) { return points.dim == 3 && points.type == ScalarType::float32; }

std::optional<Error> fault_of(const TrackingRequest& request) {
  constexpr std::uint32_t most_points = 1u << 22, most_iterations = 1000;
  const std::uint32_t m = request.object ? request.object->size() : 0;
  if (m == 0 || m > most_points)
    return Error{ErrorKind::bad_usage, "an object of " + std::to_string(m) + " points cannot be tracked", "",
                 "use 1 to " + std::to_string(most_points)};
  if (const auto& normals = request.object->normals;
      !normals.empty() && normals.size() != request.object->places.size())
    return Error{ErrorKind::bad_input, "the object has normals for some of its points only", "",
                 "give a normal for each, or none"};
  constexpr double most_radii = 1000;  // the sums of pairs have 40 bits behind the point
  double radius = 0;
  for (std::uint32_t i = 0; i < m; ++i)
    radius = std::max(radius, length(kdscope::tracking::vector_at(request.object->places.data(), i) -
                                     kdscope::tracking::vector_at(request.object->places.data(), 0)));
  if (radius > 0 && request.reach > most_radii * radius)
    return Error{ErrorKind::bad_usage, "neighbours cannot be searched so much farther away than the object is large",
                 "", "give a smaller reach, in units of the scans"};
  if (!(request.reach > 0) || !std::isfinite(request.reach) || !(float(request.reach * request.reach) > 0))
    return Error{ErrorKind::bad_usage, "neighbours cannot be searched within a distance that is not positive", "",
                 "give a reach in units of the scans"};
  if (request.iterations == 0 || request.iterations > most_iterations)
    return Error{ErrorKind::bad_usage, std::to_string(request.iterations) + " iterations per frame are not possible",
                 "", "ask for 1 to " + std::to_string(most_iterations)};
  for (const auto& scan : request.scans)
    if (!has_float_places(scan->points))
      return Error{ErrorKind::bad_input, "scans need floats in three dimensions", scan->name, "choose another cloud"};
  return {};
}

}  // namespace

Result<TrackedObject> tracked_object(const DataSet& data, std::uint32_t samples, std::uint64_t seed) {
  if (!has_float_places(data.points) || data.points.size() == 0)
    return Error{ErrorKind::bad_input, "an object needs points of floats in three dimensions", data.name,
                 "choose a mesh or a cloud"};
  std::vector<std::uint32_t> triangle_of;
  const PointSet drawn =
      data.triangles.empty() ? PointSet{} : sample_surface(data.points, data.triangles, samples, seed, &triangle_of);
  const PointSet& points = data.triangles.empty() ? data.points : drawn;
  TrackedObject object;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint32_t d = 0; d < 3; ++d) object.places.push_back(float_of(points.word(i, d)));
  for (const std::uint32_t t : triangle_of) {
    const auto corner = [&](std::size_t c) {
      const std::size_t v = data.triangles[3 * std::size_t(t) + c];
      return Vector3{data.points.value(v, 0), data.points.value(v, 1), data.points.value(v, 2)};
    };
    const Vector3 normal = cross(corner(1) - corner(0), corner(2) - corner(0));
    const double l = length(normal);
    for (const double c : {normal.x, normal.y, normal.z})
      object.normals.push_back(static_cast<float>(l > 0 ? c / l : 0));
  }
  return object;
}

Result<Tracking> track(const TrackingRequest& request, const RunControl& control) {
  if (auto fault = fault_of(request)) return *fault;
  const Search* const queue = find_search("priority-queue");
  const auto search = complete_parameters(queue->spec.id, queue->spec.parameters, request.search);
  if (!search) return search.error();
  const auto device = choose_device(request.backend, true, has_cuda);
  if (!device) return device.error();
  std::vector<Parameters> builders;
  for (const auto& scan : request.scans) {
    auto builder = resolved_parameters("wehr", request.builder, scan->points, *device);
    if (!builder) return builder.error();
    builders.push_back(std::move(*builder));
  }
  return guarded(*device, [&] {
    Tracking tracking;
#if defined(KDSCOPE_HAS_CUDA)
    if (device->backend == Backend::cuda)
      tracking = kdscope::tracking::track_on_cuda(request, builders, *search, *device, control);
#endif
    if (device->backend == Backend::cpu) {
      CpuExec exec(control.stop);
      tracking = kdscope::tracking::track_on(exec, request, builders, *search, control);
    }
    tracking.device = *device;
    return tracking;
  });
}

double farthest_apart(const TrackedObject& object, const Placement& one, const Placement& other) {
  double most = 0;
  for (std::uint32_t i = 0; i < object.size(); ++i) {
    const Vector3 at = kdscope::tracking::vector_at(object.places.data(), i);
    most = std::max(most, length(one(at) - other(at)));
  }
  return most;
}

}  // namespace kdscope
