// cloud: density and normals of a point cloud.

#include <algorithm>

#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

std::string rows_of(const PointSet& points, const Cloud& cloud) {
  std::string rows = "x,y,z,nx,ny,nz,radius,density\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::uint32_t d = 0; d < 3; ++d) rows += shortest(float_of(points.word(i, d))) + ",";
    for (std::size_t d = 0; d < 3; ++d) rows += shortest(cloud.normals[3 * i + d]) + ",";
    rows += shortest(cloud.radius[i]) + "," + shortest(cloud.density[i]) + "\n";
  }
  return rows;
}

std::size_t without_normal(const Cloud& cloud) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < cloud.radius.size(); ++i)
    count += cloud.normals[3 * i] == 0 && cloud.normals[3 * i + 1] == 0 && cloud.normals[3 * i + 2] == 0;
  return count;
}

void print(const CloudRequest& request, const Cloud& cloud, std::ostream& out) {
  out << "points            " << cloud.radius.size() << " (" << request.points->name << "), k = " << request.k << "\n"
      << "back end          " << name_of(cloud.device.backend) << ", " << cloud.device.name << "\n"
      << "tree              " << duration_text(median_ms(cloud.build_ms)) << "  median of " << cloud.build_ms.size()
      << "\n"
      << "neighbours        " << duration_text(median_ms(cloud.search_ms)) << "  principal components included\n"
      << "orientation       " << duration_text(cloud.orient_ms) << " on one thread, "
      << count_text(cloud.parts, "part", "parts") << "\n"
      << "without a normal  " << without_normal(cloud) << "\n"
      << "peak memory       " << bytes_text(cloud.peak_bytes) << "\n";
}

void write(const CloudRequest& request, const Cloud& cloud, std::ostream& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("points", cloud.radius.size());
  json.member("data", request.points->name);
  json.member("k", request.k);
  json.member("backend", name_of(cloud.device.backend));
  json.member("device", cloud.device.name);
  json.member("build_ms", median_ms(cloud.build_ms));
  json.member("search_ms", median_ms(cloud.search_ms));
  json.member("orient_ms", cloud.orient_ms);
  json.member("parts", cloud.parts);
  json.member("without_normal", without_normal(cloud));
  json.member("peak_bytes", cloud.peak_bytes);
  json.end_object();
  out << "\n";
}

Result<ExitCode> run_cloud(const Arguments& arguments, Console& console) {
  const auto k = arguments.integer("--k", 10, 3, 64), repeat = arguments.integer("--repeat", 1, 1, 1'000'000);
  for (const auto* number : {&k, &repeat})
    if (!*number) return number->error();
  const std::string out = arguments.text("--out");
  if (const auto fits = check_output_of("--out", arguments); !fits) return fits.error();
  const auto backend = backend_named(arguments.text("--backend", "auto"));
  if (!backend) return backend.error();
  const auto points = open_data_set(arguments.text("--data"));
  if (!points) return points.error();
  print_warnings(**points, console);
  CloudRequest request;
  request.points = *points;
  request.k = static_cast<std::uint32_t>(*k);
  request.backend = *backend;
  request.repeat = static_cast<int>(*repeat);
  const auto cloud = estimate_cloud(request, control_for(console));
  finish_progress(console);
  if (!cloud) return cloud.error();
  if (!out.empty())
    if (const auto written = replace_file(out, rows_of((*points)->points, *cloud)); !written) return written.error();
  (arguments.has("--json") ? write : print)(request, *cloud, console.out);
  return exit_ok;
}

}  // namespace

Command cloud_command() {
  return {{"cloud",
           "estimate the density and the normals of a point cloud",
           "Builds a tree over the points, finds the k nearest of each, and takes the direction in which they extend "
           "least as the normal (Zhou et al. 2008, appendix B). Normals of neighbours are then turned to the same side "
           "along a minimum spanning tree. Prints the times; --out writes points, normals, radius and density as CSV.",
           {},
           {data_option(true),
            backend_option(),
            {"--k", "K", "Neighbours of a point, 3 to 64. Default: 10."},
            {"--repeat", "R", "Timed estimates, 1 to 1000000. Default: 1."},
            {"--out", "FILE", "Write one row per point: x, y, z, nx, ny, nz, radius, density."},
            json_option()},
           {"cloud --data bunny:sample=36000 --k 10 --out normals.csv"}},
          run_cloud};
}

}  // namespace kdscope::cli
