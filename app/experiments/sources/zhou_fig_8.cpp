// Zhou et al. 2008, appendix B and Fig. 8: sampling density and normals of a point cloud at rest and of a deformed
// pose.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "app/experiments/zhou_2008.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::zhou_fig_8 {
namespace {

using namespace zhou_2008;

enum Detail : std::size_t { sides, density_5, density_95, mean_turn };
constexpr std::uint64_t points = 127'000;
constexpr std::uint32_t neighbours = 10;
const Vector3 translation{0, 3, 0};
const std::string rest_pose = "rest", deformed_pose = "deformed";
const std::string tree_step = "kd-tree", search_step = "KNN", spanning_step = "MST";

/// Returns a quantile of the densities. share: 0 to less than 1.
std::string density_at(const Cloud& cloud, double share) {
  std::vector<float> densities = cloud.density;
  const auto at = densities.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(densities.size()));
  std::ranges::nth_element(densities, at);
  return decimal(*at);
}

/// Returns the mean angle between the normals of two poses, in degrees.
double mean_angle(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < a.size(); i += 3)
    sum +=
        std::acos(std::clamp(double(a[i]) * b[i] + double(a[i + 1]) * b[i + 1] + double(a[i + 2]) * b[i + 2], -1., 1.));
  return sum / (static_cast<double>(a.size()) / 3) * 180 / std::numbers::pi;
}

struct Poses {
  Cloud rest, deformed;
};

/// Estimates the cloud at rest, moves the ear, and estimates it anew. Errors: those of the estimates.
Result<Poses> estimate_poses(const std::shared_ptr<const DataSet>& data, const Device& device, int repeat,
                             const RunControl& control) {
  CloudRequest request;
  request.points = data;
  request.k = neighbours;
  request.backend = device.backend;
  auto cloud = sample_repeats(
      request, repeat, [&](const CloudRequest& asked) { return estimate_cloud(asked, control); },
      [](const Cloud& made) { return sums_of(made.build_ms, made.search_ms); });
  if (!cloud) return cloud.error();
  StrengthRequest handles;
  handles.points = data;
  handles.active = points_within(data->points, ear.centre, ear.radius);
  handles.fixed = points_within(data->points, feet.centre, feet.radius);
  handles.backend = device.backend;
  const auto field = strength_field(handles, control);
  if (!field) return field.error();
  auto moved = deform_cloud({request, field->strength, translation, cloud->normals}, control);
  if (!moved) return moved.error();
  return Poses{std::move(*cloud), std::move(moved->cloud)};
}

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const auto give_reason = [&](const char* reason) {
    for (ExperimentRow& row : rows) row.reason = reason;
    return Result<void>();
  };
  const auto device = device_on(options.backend);
  if (!device) return give_reason("no CUDA device");
  const auto data = open_data_set(rows.front().specification());
  if (!data) return data.error();
  const auto poses = estimate_poses(*data, *device, options.repeat, control);
  if (!poses && poses.error().kind == ErrorKind::out_of_memory) return give_reason("oom");
  if (!poses) return poses.error();
  for (ExperimentRow& row : rows) {
    const Cloud& cloud = row.series == rest_pose ? poses->rest : poses->deformed;
    row.device = cloud.device;
    if (row.facet == spanning_step)
      row.samples = {{cloud.orient_ms}};
    else
      row.samples = {row.facet == tree_step ? cloud.build_ms : cloud.search_ms};
    row.details[density_5] = density_at(cloud, 0.05);
    row.details[density_95] = density_at(cloud, 0.95);
    if (row.series == deformed_pose) row.details[mean_turn] = decimal(mean_angle(poses->rest.normals, cloud.normals));
  }
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = "zhou-fig-8";
  spec.citation = "Zhou et al. 2008, appendix B and Fig. 8";
  spec.title = "sampling density and normals of a point cloud, at rest and deformed";
  spec.notes =
      "Each pose has a tree of its own, and searches for the 10 nearest of every point, here with principal components "
      "(KNN). Only the pose at rest has a minimum spanning tree (MST), which the source makes on the CPU: normals "
      "of the deformed pose take the sides of those at rest. The source's cloud of 127K points is not shipped; here as "
      "many "
      "points are drawn from the surface of the bunny, and an ear is moved while the feet stay. The source prints one "
      "time per step for all poses of its cloud. density_5 and density_95 are percentiles of k / radius^2, and "
      "mean_turn is the mean angle between the normals of both poses, in degrees.";
  spec.facet_column = "step";
  spec.series_column = "pose";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"time", "ms", true};
  spec.printed = {{"8800_ultra", "8800 ULTRA"}, {"cpu", "CPU"}};
  spec.facets = {tree_step, search_step, spanning_step};
  spec.series = {rest_pose, deformed_pose};
  spec.details = {"sides", "density_5", "density_95", "mean_turn"};
  int run = 0;
  for (const std::uint64_t n : {points / 10, points}) {
    for (const std::string& pose : spec.series)
      for (const std::string& step : spec.facets) {
        if (pose == deformed_pose && step == spanning_step) continue;
        ExperimentRow& row = add_row(spec, pose, n);
        row.facet = step;
        row.run = run;
        row.builds("zhou-vvh", "bunny:sample=" + std::to_string(n), 3, {});
        row.details[sides] = pose == rest_pose ? "minimum spanning tree" : "pose at rest";
        if (n != points) continue;
        if (step == spanning_step)
          row.printed[1] = printed_value("<30");
        else
          row.printed[0] = printed_value(step == tree_step ? "21" : "14");
      }
    ++run;
  }
  return made;
}

}  // namespace kdscope::zhou_fig_8
