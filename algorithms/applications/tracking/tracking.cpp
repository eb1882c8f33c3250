#include "algorithms/applications/tracking/tracking.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/applications/finite.hpp"
#include "algorithms/applications/has_cuda.hpp"
#include "algorithms/applications/tracking/follow.hpp"
#include "algorithms/applications/tracking/tracking_memory.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/searches.hpp"
#include "datasets/generators/surface_samples.hpp"

namespace kdscope {
namespace {

bool has_float_places(const PointSet& points) { return points.dim == 3 && points.type == ScalarType::float32; }

bool turns_and_moves_only(const Placement& place) {
  constexpr double tolerance = 1e-3;
  const auto about = [](double value, double expected) { return std::abs(value - expected) <= tolerance; };
  return about(dot(place.x, place.x), 1) && about(dot(place.y, place.y), 1) && about(dot(place.z, place.z), 1) &&
         about(dot(place.x, place.y), 0) && about(dot(place.y, place.z), 0) && about(dot(place.z, place.x), 0) &&
         dot(cross(place.x, place.y), place.z) > 0;
}

std::optional<Error> fault_of_object(const TrackedObject* object) {
  constexpr std::uint32_t most_points = 1u << 22;
  const std::uint32_t m = object ? object->size() : 0;
  if (m == 0 || m > most_points)
    return Error{ErrorKind::bad_usage, "an object of " + std::to_string(m) + " points cannot be tracked", "",
                 "use 1 to " + std::to_string(most_points)};
  if (object->places.size() % 3 != 0)
    return Error{ErrorKind::bad_input, "the last point of the object lacks coordinates", "", "give three per point"};
  if (!object->normals.empty() && object->normals.size() != object->places.size())
    return Error{ErrorKind::bad_input, "the object has normals for some of its points only", "",
                 "give a normal for each, or none"};
  for (std::uint32_t i = 0; i < m; ++i) {
    const std::string where = "point " + std::to_string(i) + " of the object";
    if (!is_finite_float(kdscope::tracking::vector_at(object->places.data(), i)))
      return Error{ErrorKind::bad_input, "its place is infinite or not a number", where, "remove the point"};
    constexpr double longest = 1.001;  // the sums of pairs have room for unit vectors
    if (!object->normals.empty() && !(length(kdscope::tracking::vector_at(object->normals.data(), i)) <= longest))
      return Error{ErrorKind::bad_input, "its normal is longer than 1 or not a number", where,
                   "give a normal of length 1, or of zeros where it is not known"};
  }
  return {};
}

std::optional<Error> fault_of_search(const TrackingRequest& request) {
  constexpr std::uint32_t most_iterations = 1000;
  constexpr double most_radii = 1000;  // the sums of pairs have 40 bits behind the point
  double radius = 0;
  const std::vector<float>& places = request.object->places;
  for (std::uint32_t i = 0; i < request.object->size(); ++i)
    radius = std::max(radius, length(kdscope::tracking::vector_at(places.data(), i) -
                                     kdscope::tracking::vector_at(places.data(), 0)));
  if (radius > 0 && request.reach > most_radii * radius)
    return Error{ErrorKind::bad_usage, "neighbours cannot be searched so much farther away than the object is large",
                 "", "give a smaller reach, in units of the scans"};
  const auto square = static_cast<float>(request.reach * request.reach);
  if (!(request.reach > 0) || !std::isfinite(square) || !(square > 0))
    return Error{ErrorKind::bad_usage,
                 "neighbours cannot be searched within a distance that is not positive or not finite", "",
                 "give a reach in units of the scans"};
  if (request.iterations == 0 || request.iterations > most_iterations)
    return Error{ErrorKind::bad_usage, std::to_string(request.iterations) + " iterations per frame are not possible",
                 "", "ask for 1 to " + std::to_string(most_iterations)};
  if (!is_finite_float(request.start.origin) || !turns_and_moves_only(request.start))
    return Error{ErrorKind::bad_usage, "the object's first place is not finite, or does more than turn and move it", "",
                 "give a rotation and a translation"};
  if (request.camera && !is_finite_float(*request.camera))
    return Error{ErrorKind::bad_usage, "the camera's place is infinite or not a number", "",
                 "give three finite coordinates, or no camera"};
  return {};
}

std::optional<Error> fault_of_scans(const TrackingRequest& request) {
  if (auto fault = fault_of_object(request.object.get())) return fault;
  if (auto fault = fault_of_search(request)) return fault;
  for (std::size_t i = 0; i < request.scans.size(); ++i) {
    const auto& scan = request.scans[i];
    if (!scan)
      return Error{ErrorKind::bad_usage, "there is no scan", "frame " + std::to_string(i), "open one for each frame"};
    if (!has_float_places(scan->points))
      return Error{ErrorKind::bad_input, "scans need floats in three dimensions", scan->name, "choose another cloud"};
    if (auto fault = fault_of_coordinates(*scan)) {
      fault->where += (fault->where.empty() ? "frame " : ", frame ") + std::to_string(i);
      return fault;
    }
  }
  return {};
}

}  // namespace

const Application& tracking::application() {
  static const Application scans{"wehr", "priority-queue", SearchQuestion::nearest, {}, "workbench:n=20000"};
  return scans;
}

SearchOfRun tracking::search_of_place(Vector3 place) { return application().search_of({place.x, place.y, place.z}); }

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
  if (auto fault = fault_of_scans(request)) return *fault;
  const auto search = kdscope::tracking::application().search_options(request.search);
  if (!search) return search.error();
  const auto device = choose_device(request.backend, true, has_cuda);
  if (!device) return device.error();
  std::vector<TypedOptions> builders;
  for (const auto& scan : request.scans) {
    auto builder = resolved_options(kdscope::tracking::application().algorithm, request.builder, scan->points, *device);
    if (!builder) return builder.error();
    builders.push_back(std::move(*builder));
  }
  std::size_t largest = 0;
  for (const auto& scan : request.scans) largest = std::max(largest, scan->points.size());
  const std::string subject = "tracking " + std::to_string(request.object->size()) + " points in scans of up to " +
                              std::to_string(largest) + " needs";
  if (auto lack =
          lack_of_memory(memory_of(request, builders), *device, available_memory(), subject,
                         request.keep_nearest ? "use smaller scans, or keep no neighbours" : "use smaller scans"))
    return *lack;
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
