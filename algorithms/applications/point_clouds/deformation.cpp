#include "algorithms/applications/point_clouds/deformation.hpp"

#include <string_view>

#include "algorithms/applications/finite.hpp"
#include "algorithms/applications/has_cuda.hpp"
#include "algorithms/applications/point_clouds/cloud_memory.hpp"
#include "algorithms/applications/point_clouds/strength.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/registry/run_on.hpp"

namespace kdscope {

const Application& point_clouds::strength_application() {
  // Points far from a handle have most of it in their first rings; the nearest so far prunes more than counts do.
  static const Application strengths{"zhou-vvh", "radius-histogram", SearchQuestion::nearest,
                                     Parameters{{"rounds", "0"}}};
  return strengths;
}

std::vector<std::uint32_t> points_within(const PointSet& points, Vector3 centre, double radius) {
  std::vector<std::uint32_t> within;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (length(Vector3{points.value(i, 0), points.value(i, 1), points.value(i, 2)} - centre) <= radius)
      within.push_back(i);
  return within;
}

Result<StrengthField> strength_field(const StrengthRequest& request, const RunControl& control) {
  if (!request.points) return Error{ErrorKind::bad_usage, "no cloud is open", "", "open one first"};
  const DataSet& data = *request.points;
  if (data.points.dim != 3 || data.points.type != ScalarType::float32)
    return Error{ErrorKind::bad_input, "a deformation needs floats in three dimensions", data.name,
                 "choose another cloud"};
  if (request.active.empty())
    return Error{ErrorKind::bad_usage, "the active handle holds no points", data.name, "choose a larger radius"};
  for (const auto* handle : {&request.active, &request.fixed})
    for (const std::uint32_t point : *handle)
      if (point >= data.points.size())
        return Error{ErrorKind::bad_usage, "a handle has point " + std::to_string(point), data.name,
                     "the cloud has " + std::to_string(data.points.size()) + " points"};
  if (auto fault = fault_of_coordinates(data)) return *fault;
  const auto builder = point_clouds::strength_application().builder_options();
  if (!builder) return builder.error();
  const auto search = point_clouds::strength_application().search_options();
  if (!search) return search.error();
  const auto device = choose_device(request.backend, true, has_cuda);
  if (!device) return device.error();
  const std::string subject = "the strengths of " + std::to_string(data.points.size()) + " points need";
  if (auto lack = lack_of_memory(memory_of_strength(data.points.size(), request.active.size(), request.fixed.size()),
                                 *device, available_memory(), subject, "use fewer points"))
    return *lack;
  return guarded(*device, [&] {
    StrengthField field;
#if defined(KDSCOPE_HAS_CUDA)
    if (device->backend == Backend::cuda)
      field = point_clouds::strength_on_cuda(request, *builder, *search, *device, control);
#endif
    if (device->backend == Backend::cpu) {
      CpuExec exec(control.stop);
      field = point_clouds::strength_on(exec, request, *builder, *search, control);
    }
    field.device = *device;
    return field;
  });
}

PointSet deformed(const PointSet& points, const std::vector<float>& strength, Vector3 translation) {
  const float by[3]{static_cast<float>(translation.x), static_cast<float>(translation.y),
                    static_cast<float>(translation.z)};
  PointSet moved = points;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint32_t d = 0; d < 3; ++d)
      moved.words[i * points.stride() + d] = word_of(float_of(points.word(i, d)) + strength[i] * by[d]);
  return moved;
}

void keep_sides(const std::vector<float>& before, std::vector<float>& normals) {
  for (std::size_t i = 0; i + 2 < normals.size(); i += 3)
    if (before[i] * normals[i] + before[i + 1] * normals[i + 1] + before[i + 2] * normals[i + 2] < 0)
      for (std::size_t d = 0; d < 3; ++d) normals[i + d] = -normals[i + d];
}

Result<DeformedCloud> deform_cloud(const DeformRequest& deformation, const RunControl& control) {
  const CloudRequest& rest = deformation.rest;
  if (!rest.points) return Error{ErrorKind::bad_usage, "no cloud is open", "", "open one first"};
  auto moved = std::make_shared<DataSet>();
  constexpr std::string_view mark = ", deformed";
  moved->name = rest.points->name;
  if (!moved->name.ends_with(mark)) moved->name += mark;
  moved->up_axis = rest.points->up_axis;
  moved->points = deformed(rest.points->points, deformation.strength, deformation.translation);
  if (fault_of_coordinates(*moved))
    return Error{ErrorKind::bad_usage, "the handle takes points farther than floats reach", rest.points->name,
                 "move it by less"};
  CloudRequest request = rest;
  request.points = moved;
  request.oriented = false;
  auto cloud = estimate_cloud(request, control);
  if (!cloud) return cloud.error();
  keep_sides(deformation.normals, cloud->normals);
  return DeformedCloud{std::move(moved), std::move(*cloud)};
}

}  // namespace kdscope
