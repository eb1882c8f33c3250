// render: traces a picture of a scene, its tree built anew for every picture.

#include <algorithm>

#include "algorithms/applications/ray_tracing/picture_file.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
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

std::string times_text(const std::vector<double>& ms) {
  const auto [least, most] = std::ranges::minmax(ms);
  return duration_text(median_ms(ms)) + "  median of " + std::to_string(ms.size()) + ", " + duration_text(least) +
         " to " + duration_text(most);
}

std::vector<double> whole_ms(const Picture& picture) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < picture.trace_ms.size(); ++i)
    sums.push_back(picture.build_ms[i] + picture.photon_ms[i] + picture.trace_ms[i]);
  return sums;
}

void report_photons(const PhotonReport& photons, Report& report) {
  std::string light;
  for (std::size_t end = 0; end < photon_ends; ++end) {
    const auto& of = photons.light[end];
    const double share = photons.emitted > 0 ? (of[0] + of[1] + of[2]) / (3.0 * photons.emitted) : 0;
    light += std::string(end == 0 ? "" : ", ") + name_of(static_cast<PhotonEnd>(end)) + " " +
             short_number(100 * share, 4) + " %";
  }
  report.line("photons", photons.emitted, " emitted, ", photons.stored, " stored, R = ", short_number(photons.radius));
  report.line("light of photons", light);
  report.line("photons traced", times_text(photons.trace_ms)).member("photons_traced_ms", photons.trace_ms);
  report.line("photon tree", times_text(photons.build_ms)).member("photon_tree_ms", photons.build_ms);
  report.line("photons gathered", times_text(photons.gather_ms), "  a part of the trace")
      .member("photons_gathered_ms", photons.gather_ms);
  report.member("photons", photons.emitted)
      .member("photons_stored", photons.stored)
      .member("photon_radius", photons.radius);
}

std::string rows_of_photons(const std::vector<Photon>& photons) {
  std::string rows = "x,y,z,red,green,blue\n";
  CsvWriter csv(rows);
  for (const Photon& photon : photons) {
    for (const float coordinate : photon.at) csv << coordinate;
    csv << photon.flux[0] << photon.flux[1] << photon.flux[2];
    csv.end_row();
  }
  return rows;
}

void report_picture(const PictureRequest& request, const Picture& picture, Report&& report) {
  const double whole = median_ms(whole_ms(picture));
  const std::size_t triangles = request.scene->triangles.size() / 3, lights = request.look.lights.size();
  const bool anew = request.tree == SceneTree::zhou_sah;
  report.line("scene", request.scene->name, ", ", triangles, " triangles, ", count_text(lights, "light", "lights"),
              ", ", count_text(request.look.bounces, "bounce", "bounces"));
  report.member("scene", request.scene->name)
      .member("triangles", triangles)
      .member("lights", lights)
      .member("bounces", request.look.bounces);
  report.line("picture", picture.width, " x ", picture.height, " pixels")
      .member("width", picture.width)
      .member("height", picture.height);
  report.device(picture.device);
  report.line("tree", name_of(request.tree), anew ? ", built for every picture" : ", built once on the host")
      .member("tree", name_of(request.tree));
  report.line("build", anew ? times_text(picture.build_ms) : duration_text(picture.once_ms) + ", once")
      .member("once_ms", picture.once_ms)
      .member("build_ms", picture.build_ms)
      .member("photon_ms", picture.photon_ms)
      .member("trace_ms", picture.trace_ms);
  if (picture.photons) report_photons(*picture.photons, report);
  report.line("trace", times_text(picture.trace_ms));
  report.line("pictures", short_number(whole > 0 ? 1000 / whole : 0, 4), " per second");
  report.line("rays", picture.rays.sum(), ": ", picture.rays.eye, " from the eye, ", picture.rays.mirrored,
              " reflected and refracted, ", picture.rays.shadow, " towards lights");
  report.member("eye_rays", picture.rays.eye)
      .member("mirrored_rays", picture.rays.mirrored)
      .member("shadow_rays", picture.rays.shadow);
  report.line("peak memory", bytes_text(picture.peak_bytes)).member("peak_bytes", picture.peak_bytes);
  report.member("stepped_ms", picture.stepped_ms).steps(picture.step_times);
}

Result<ExitCode> run_render(const Arguments& arguments, Console& console) {
  const auto number = [&](const char* option, std::uint64_t usual, std::uint64_t least, std::uint64_t most) {
    return value_of(arguments.integer(option, usual, least, most));
  };
  const std::uint64_t width = number("--width", 640, 1, 16384), height = number("--height", 480, 1, 16384),
                      repeat = number("--repeat", 1, 1, 1'000'000), bounces = number("--bounces", 0, 0, 16),
                      photons = number("--photons", 0, 1, 1u << 28), k = number("--k", 50, 1, 128);
  const auto tree = value_of(arguments.choice("--tree", {"zhou-sah", "exact-sah", "median"}));
  const auto shows = value_of(arguments.choice("--show", {"picture", "visited"}));
  for (const auto& [option, is] : {std::pair{"--k", "is the number of photons in an estimate"},
                                   {"--photons-out", "names a file for the stored photons"}})
    if (arguments.has(option) && !arguments.has("--photons"))
      return Error{ErrorKind::bad_usage, std::string(option) + " " + is, "", "give --photons too"};
  const std::string out = arguments.text("--out"), photons_out = arguments.text("--photons-out");
  if (!out.empty() && !out.ends_with(".ppm")) return other_ending(out);
  for (const char* option : {"--out", "--photons-out"}) ensure(check_output_of(option, arguments));
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  const auto opened = value_of(open_data_set(arguments.text("--data")));
  print_warnings(*opened, console);
  const auto scene = value_of(with_coordinates(opened, ScalarType::float32));

  PictureRequest request;
  request.scene = scene;
  request.look = look_of(*scene);
  if (arguments.has("--bounces")) request.look.bounces = static_cast<std::uint32_t>(bounces);
  if (scene->points.dim == 3)
    request.camera = camera_before(*scene, static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
  for (const SceneTree each : {SceneTree::exact_sah, SceneTree::median})
    if (tree == name_of(each)) request.tree = each;
  if (arguments.has("--photons")) {
    request.photons.emplace();
    request.photons->count = static_cast<std::uint32_t>(photons);
    request.photons->k = static_cast<std::uint32_t>(k);
    request.photons->keep = !photons_out.empty();
  }
  request.backend = backend;
  request.repeat = static_cast<int>(repeat);
  request.time_steps = arguments.has("--time-steps");
  const auto picture = value_of(kdscope::run(request, control_for(console)));
  finish_progress(console);
  if (!out.empty()) {
    const auto& pixels = shows == "visited" ? heat_of(picture.visited) : picture.pixels;
    ensure(write_picture(out, picture.width, picture.height, pixels));
  }
  if (!photons_out.empty()) ensure(replace_file(photons_out, rows_of_photons(picture.photons->photons)));
  report_picture(request, picture, Report(console.out, arguments.has("--json")));
  return exit_ok;
}

}  // namespace

Command render_command() {
  return {
      {"render",
       "trace a picture of a scene",
       "Builds a tree over the triangles of a scene and traces rays from an eye through it: reflected and refracted "
       "rays in passes, and shadow rays towards every light (Zhou et al. 2008, section 4). The tree is built for "
       "every picture, as moving scenes need it. Prints the times of build and trace, with the triangles resident "
       "on the device. The picture is the same on every machine.",
       {},
       {data_option(true),
        backend_option(),
        device_option(),
        {"--width", "W", "Pixels in a row. Default: 640."},
        {"--height", "H", "Rows. Default: 480."},
        {"--bounces", "B", "How often light is mirrored or refracted, 0 to 16. Default: the scene's."},
        {"--tree", "TREE",
         "zhou-sah; or, built once on one thread, exact-sah (greedy, all planes) or median (halves). Default: "
         "zhou-sah."},
        {"--photons", "N",
         "Cast N photons from the lights through mirrors and glass, for caustics (section 5). Default: none."},
        {"--k", "K", "Photons in an estimate, 1 to 128. Default: 50."},
        {"--photons-out", "FILE", "Write one row per stored photon: x, y, z, red, green, blue."},
        {"--show", "WHAT", "picture; or visited, how many nodes the rays of each pixel visit. Default: picture."},
        {"--out", "FILE", "Write the picture to FILE, a portable pixmap, whose name ends in .ppm."},
        {"--repeat", "R", "Timed pictures, 1 to 1000000. Default: 1."},
        {"--time-steps", "", "Also time each step once, in a separate picture."},
        json_option()},
       {"render --data kitchen --width 1024 --height 1024 --out kitchen.ppm",
        "render --data metal-ring --photons 200K --k 50 --out ring.ppm",
        "render --data robots:frame=30 --tree median --show visited --out nodes.ppm"}},
      run_render};
}

}  // namespace kdscope::cli
