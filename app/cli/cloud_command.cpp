// cloud: density and normals of a point cloud.

#include <algorithm>
#include <optional>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/text/csv.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/report.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

/// A cloud whose active handle was moved, as --handle, --fix and --move state.
struct Deformation {
  std::size_t active = 0, fixed = 0;  ///< points of the handles
  StrengthField field;
  DeformedCloud after;
};

/// Returns the rows of a cloud, whose places are those of the file: `shift` is added. Those of a deformed cloud also
/// have the strength of each point.
std::string rows_of_cloud(const PointSet& points, const std::vector<double>& shift, const Cloud& cloud,
                          const StrengthField* field) {
  std::string rows = "x,y,z,nx,ny,nz,radius,density";
  rows += field ? ",strength\n" : "\n";
  CsvWriter csv(rows);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::uint32_t d = 0; d < 3; ++d) {
      const float place = float_of(points.word(i, d));
      csv << (shift.empty() || shift[d] == 0 ? shortest(place) : shortest(place + shift[d]));
    }
    for (std::size_t d = 0; d < 3; ++d) csv << cloud.normals[3 * i + d];
    csv << cloud.radius[i] << cloud.density[i];
    if (field) csv << field->strength[i];
    csv.end_row();
  }
  return rows;
}

void report_cloud(const CloudRequest& request, const Cloud& cloud, const Deformation* moved, Report&& report) {
  const std::size_t points = cloud.radius.size();
  const double build = median_ms(cloud.build_ms), search = median_ms(cloud.search_ms);
  report.line("points", points, " (", request.points->name, "), k = ", request.k)
      .member("points", points)
      .member("data", request.points->name)
      .member("k", request.k);
  report.device(cloud.device);
  report.line("tree", duration_text(build), "  median of ", cloud.build_ms.size()).member("build_ms", build);
  report.line("neighbours", duration_text(search), "  principal components included").member("search_ms", search);
  report.line("orientation", duration_text(cloud.orient_ms), ", ", count_text(cloud.parts, "part", "parts"))
      .member("orient_ms", cloud.orient_ms)
      .member("parts", cloud.parts);
  report.line("without a normal", without_normal(cloud)).member("without_normal", without_normal(cloud));
  report
      .line("without extent", without_extent(cloud), "  coincide with their ", request.k,
            " nearest: radius 0, density inf")
      .member("without_extent", without_extent(cloud));
  report.line("peak memory", bytes_text(cloud.peak_bytes)).member("peak_bytes", cloud.peak_bytes);
  if (!moved) return;
  report.line("handles", count_text(moved->active, "point", "points"), " active, ", moved->fixed, " static")
      .member("active", moved->active)
      .member("static", moved->fixed);
  const auto times = [&](const char* title, const char* keys, const std::vector<double>& built, const char* tree,
                         const std::vector<double>& searched, const char* searches) {
    report.line(title, duration_text(median_ms(built)), tree, duration_text(median_ms(searched)), searches)
        .member(std::string(keys) + "_build_ms", median_ms(built))
        .member(std::string(keys) + "_search_ms", median_ms(searched));
  };
  const StrengthField& field = moved->field;
  const Cloud& after = moved->after.cloud;
  times("strength", "strength", field.build_ms, " for the trees, ", field.search_ms, " for the searches");
  times("deformed cloud", "deformed", after.build_ms, " for the tree, ", after.search_ms, " for the neighbours");
}

/// Moves the active handle of a cloud. handles, fixed: balls X, Y, Z, R.
Result<Deformation> deform(const CloudRequest& request, const Cloud& rest,
                           const std::vector<std::vector<double>>& handles,
                           const std::vector<std::vector<double>>& fixed, const std::vector<double>& by,
                           const RunControl& control) {
  const PointSet& points = request.points->points;
  const auto points_of = [&](const std::vector<std::vector<double>>& balls) {
    std::vector<std::uint32_t> all;
    for (const auto& ball : balls) {
      const auto within = points_within(points, {ball[0], ball[1], ball[2]}, ball[3]);
      all.insert(all.end(), within.begin(), within.end());
    }
    std::ranges::sort(all);  // balls may overlap
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  StrengthRequest strength{request.points, points_of(handles), points_of(fixed), request.backend, request.repeat};
  Deformation made;
  made.active = strength.active.size(), made.fixed = strength.fixed.size();
  if (made.active == 0)
    return Error{ErrorKind::bad_usage, "no point lies within --handle", request.points->name,
                 "move or enlarge the ball"};
  if (made.fixed == 0 && !fixed.empty())
    return Error{ErrorKind::bad_usage, "no point lies within --fix", request.points->name, "move or enlarge the ball"};
  made.field = value_of(kdscope::run(strength, control));
  made.after =
      value_of(kdscope::run(DeformRequest{request, made.field.strength, {by[0], by[1], by[2]}, rest.normals}, control));
  return made;
}

Result<ExitCode> run_cloud(const Arguments& arguments, Console& console) {
  const auto k = value_of(arguments.integer("--k", 10, 3, 64)),
             repeat = value_of(arguments.integer("--repeat", 1, 1, 1'000'000));
  const auto handles = value_of(arguments.all_numbers("--handle", 4, "0.1,0.5,0,0.2")),
             fixed = value_of(arguments.all_numbers("--fix", 4, "0,0,0,0.2"));
  const auto by = value_of(arguments.numbers("--move", 3, "0,0.3,0"));
  if (arguments.has("--handle") != arguments.has("--move") || (arguments.has("--fix") && !arguments.has("--handle")))
    return Error{ErrorKind::bad_usage, "a deformation needs a handle and a way to move it", "",
                 "give --handle X,Y,Z,R and --move DX,DY,DZ"};
  const std::string out = arguments.text("--out");
  ensure(check_output_of("--out", arguments));
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  const auto opened = value_of(open_data_set(arguments.text("--data")));
  print_warnings(*opened, console);
  const auto points = value_of(with_coordinates(opened, ScalarType::float32));
  CloudRequest request;
  request.points = points;
  request.k = static_cast<std::uint32_t>(k);
  request.backend = backend;
  request.repeat = static_cast<int>(repeat);
  const auto cloud = value_of(kdscope::run(request, control_for(console)));
  finish_progress(console);
  std::optional<Deformation> moved;
  if (arguments.has("--handle")) {
    moved = value_of(deform(request, cloud, handles, fixed, by, control_for(console)));
    finish_progress(console);
  }
  if (!out.empty()) {
    // Scaled coordinates stay so: radii and densities are in their unit.
    const std::vector<double> shift = points->scale == 1 ? points->shift : std::vector<double>();
    const std::string rows = moved
                                 ? rows_of_cloud(moved->after.points->points, shift, moved->after.cloud, &moved->field)
                                 : rows_of_cloud(points->points, shift, cloud, nullptr);
    ensure(replace_file(out, rows));
  }
  report_cloud(request, cloud, moved ? &*moved : nullptr, Report(console.out, arguments.has("--json")));
  return exit_ok;
}

}  // namespace

Command cloud_command() {
  return {
      {"cloud",
       "estimate the density and the normals of a point cloud",
       "Builds a tree over the points, finds the k nearest of each, and takes the direction in which they extend "
       "least as the normal (Zhou et al. 2008, appendix B). Normals of neighbours are then turned to the same side "
       "along a minimum spanning tree. With --handle and --move, the cloud is deformed: each point follows the handle "
       "the more, the nearer it is to it than to what is fixed. Prints the times, and how many points coincide with "
       "their K nearest, which have radius 0 and density inf; --out writes points, normals, radius and density as CSV, "
       "of a deformed cloud also the strength with which each point followed.",
       {},
       {data_option(true),
        backend_option(),
        device_option(),
        {"--k", "K", "Neighbours of a point, 3 to 64. Default: 10."},
        {"--repeat", "R", "Timed estimates, 1 to 1000000. Default: 1."},
        {"--handle", "X,Y,Z,R", "The points within R of a place are a handle.", false, true},
        {"--fix", "X,Y,Z,R", "Those within R stay where they are.", false, true},
        {"--move", "DX,DY,DZ", "Move the handle by so much."},
        {"--out", "FILE", "Write one row per point: x, y, z, nx, ny, nz, radius, density; if deformed, strength."},
        json_option()},
       {"cloud --data bunny:sample=36000 --k 10 --out normals.csv",
        "cloud --data bunny:sample=36000 --handle 0,9,-1.3,2 --fix -1.5,-0.5,0,3 --move 0,3,0 --out deformed.csv"}},
      run_cloud};
}

}  // namespace kdscope::cli
