// render: traces a picture of a scene, its tree built anew for every picture.

#include <algorithm>

#include "algorithms/applications/ray_tracing/picture_file.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "app/cli/commands.hpp"
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

std::string photons_text(const Picture& picture) {
  if (!picture.photons) return "";
  const PhotonReport& photons = *picture.photons;
  std::string text = "photons           " + std::to_string(photons.emitted) + " emitted, " +
                     std::to_string(photons.stored) + " stored, R = " + short_number(photons.radius) + "\n";
  text += "light of photons ";
  for (std::size_t end = 0; end < photon_ends; ++end) {
    const auto& light = photons.light[end];
    const double share = photons.emitted > 0 ? (light[0] + light[1] + light[2]) / (3.0 * photons.emitted) : 0;
    text += std::string(end == 0 ? " " : ", ") + name_of(static_cast<PhotonEnd>(end)) + " " +
            short_number(100 * share, 4) + " %";
  }
  return text + "\nphotons traced    " + times_text(photons.trace_ms) + "\nphoton tree       " +
         times_text(photons.build_ms) + "\nphotons gathered  " + times_text(photons.gather_ms) +
         "  a part of the trace\n";
}

std::string rows_of_photons(const std::vector<Photon>& photons) {
  std::string rows = "x,y,z,red,green,blue\n";
  for (const Photon& photon : photons) {
    for (const float coordinate : photon.at) rows += shortest(coordinate) + ",";
    rows += shortest(photon.flux[0]) + "," + shortest(photon.flux[1]) + "," + shortest(photon.flux[2]) + "\n";
  }
  return rows;
}

void print_picture_report(const PictureRequest& request, const Picture& picture, std::ostream& out) {
  const double whole = median_ms(whole_ms(picture));
  out << "scene             " << request.scene->name << ", " << request.scene->triangles.size() / 3 << " triangles, "
      << count_text(request.look.lights.size(), "light", "lights") << ", "
      << count_text(request.look.bounces, "bounce", "bounces") << "\n"
      << "picture           " << picture.width << " x " << picture.height << " pixels\n"
      << "back end          " << name_of(picture.device.backend) << ", " << picture.device.name << "\n"
      << "tree              " << name_of(request.tree)
      << (request.tree == SceneTree::zhou_sah ? ", built for every picture" : ", built once on the host") << "\n"
      << "build             "
      << (request.tree == SceneTree::zhou_sah ? times_text(picture.build_ms)
                                              : duration_text(picture.once_ms) + ", once")
      << "\n"
      << photons_text(picture) << "trace             " << times_text(picture.trace_ms) << "\n"
      << "pictures          " << short_number(whole > 0 ? 1000 / whole : 0, 4) << " per second\n"
      << "rays              " << picture.rays.sum() << ": " << picture.rays.eye << " from the eye, "
      << picture.rays.mirrored << " reflected and refracted, " << picture.rays.shadow << " towards lights\n"
      << "peak memory       " << bytes_text(picture.peak_bytes) << "\n";
  print_steps(picture.step_times, out);
}

void write_picture_report(const PictureRequest& request, const Picture& picture, std::ostream& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("scene", request.scene->name);
  json.member("triangles", request.scene->triangles.size() / 3);
  json.member("lights", request.look.lights.size());
  json.member("bounces", request.look.bounces);
  json.member("width", picture.width);
  json.member("height", picture.height);
  json.member("backend", name_of(picture.device.backend));
  json.member("device", picture.device.name);
  json.member("tree", name_of(request.tree));
  json.member("once_ms", picture.once_ms);
  const auto list = [&](const char* name, const std::vector<double>& times) {
    json.key(name);
    json.begin_array();
    for (const double ms : times) json.value(ms);
    json.end_array();
  };
  list("build_ms", picture.build_ms);
  list("photon_ms", picture.photon_ms);
  list("trace_ms", picture.trace_ms);
  if (const auto& photons = picture.photons) {
    list("photons_traced_ms", photons->trace_ms);
    list("photon_tree_ms", photons->build_ms);
    list("photons_gathered_ms", photons->gather_ms);
    json.member("photons", photons->emitted);
    json.member("photons_stored", photons->stored);
    json.member("photon_radius", photons->radius);
  }
  json.member("eye_rays", picture.rays.eye);
  json.member("mirrored_rays", picture.rays.mirrored);
  json.member("shadow_rays", picture.rays.shadow);
  json.member("peak_bytes", picture.peak_bytes);
  json.member("stepped_ms", picture.stepped_ms);
  write_steps(picture.step_times, json);
  json.end_object();
  out << "\n";
}

Result<ExitCode> run_render(const Arguments& arguments, Console& console) {
  const auto width = arguments.integer("--width", 640, 1, 16384), height = arguments.integer("--height", 480, 1, 16384),
             repeat = arguments.integer("--repeat", 1, 1, 1'000'000),
             bounces = arguments.integer("--bounces", 0, 0, 16);
  const auto photons = arguments.integer("--photons", 0, 1, 1u << 28), k = arguments.integer("--k", 50, 1, 128);
  for (const auto* number : {&width, &height, &repeat, &bounces, &photons, &k})
    if (!*number) return number->error();
  const auto tree = arguments.choice("--tree", {"zhou-sah", "exact-sah", "median"});
  if (!tree) return tree.error();
  const auto shows = arguments.choice("--show", {"picture", "visited"});
  if (!shows) return shows.error();
  for (const auto& [option, is] : {std::pair{"--k", "is the number of photons in an estimate"},
                                   {"--photons-out", "names a file for the stored photons"}})
    if (arguments.has(option) && !arguments.has("--photons"))
      return Error{ErrorKind::bad_usage, std::string(option) + " " + is, "", "give --photons too"};
  const std::string out = arguments.text("--out"), photons_out = arguments.text("--photons-out");
  if (!out.empty() && !out.ends_with(".ppm")) return other_ending(out);
  for (const char* option : {"--out", "--photons-out"})
    if (const auto fits = check_output_of(option, arguments); !fits) return fits.error();
  const auto backend = backend_named(arguments.text("--backend", "auto"));
  if (!backend) return backend.error();
  const auto opened = open_data_set(arguments.text("--data"));
  if (!opened) return opened.error();
  print_warnings(**opened, console);
  const auto scene = with_coordinates(*opened, ScalarType::float32);
  if (!scene) return scene.error();

  PictureRequest request;
  request.scene = *scene;
  request.look = look_of(**scene);
  if (arguments.has("--bounces")) request.look.bounces = static_cast<std::uint32_t>(*bounces);
  if ((*scene)->points.dim == 3)
    request.camera = camera_before(**scene, static_cast<std::uint32_t>(*width), static_cast<std::uint32_t>(*height));
  for (const SceneTree each : {SceneTree::exact_sah, SceneTree::median})
    if (*tree == name_of(each)) request.tree = each;
  if (arguments.has("--photons")) {
    request.photons.emplace();
    request.photons->count = static_cast<std::uint32_t>(*photons);
    request.photons->k = static_cast<std::uint32_t>(*k);
    request.photons->keep = !photons_out.empty();
  }
  request.backend = *backend;
  request.repeat = static_cast<int>(*repeat);
  request.time_steps = arguments.has("--time-steps");
  const auto picture = trace_picture(request, control_for(console));
  finish_progress(console);
  if (!picture) return picture.error();
  if (!out.empty()) {
    const auto& pixels = *shows == "visited" ? heat_of(picture->visited) : picture->pixels;
    if (const auto written = write_picture(out, picture->width, picture->height, pixels); !written)
      return written.error();
  }
  if (!photons_out.empty())
    if (const auto written = replace_file(photons_out, rows_of_photons(picture->photons->photons)); !written)
      return written.error();
  (arguments.has("--json") ? write_picture_report : print_picture_report)(request, *picture, console.out);
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
