// track: follows an object through scans, with a tree that is built for each.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "algorithms/applications/tracking/tracking.hpp"
#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/report.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"
#include "datasets/moving_data.hpp"

namespace kdscope::cli {
namespace {

/// What was tracked, and how far each frame's place is from the true one, where that is known.
struct Followed {
  std::string data, object;
  std::uint32_t samples = 0;
  std::vector<std::uint32_t> frames;  ///< their numbers
  Tracking tracking;
  std::vector<double> off;  ///< [frames] largest distance of a point from its true place; empty if it is not known
};

std::vector<double> values_of(const Tracking& tracking, double TrackedFrame::*value) {
  std::vector<double> values;
  for (const TrackedFrame& frame : tracking.frames) values.push_back(frame.*value);
  return values;
}

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Returns a place in the coordinates of the scans' files as it is kept, without their shift and scale.
Vector3 kept_as(const DataSet& scan, Vector3 place) {
  const auto along = [&](double at, std::size_t d) {
    return (at - (scan.shift.empty() ? 0 : scan.shift[d])) * scan.scale;
  };
  return {along(place.x, 0), along(place.y, 1), along(place.z, 2)};
}
/// The reverse.
Vector3 in_files(const DataSet& scan, Vector3 place) {
  const auto along = [&](double at, std::size_t d) {
    return at / scan.scale + (scan.shift.empty() ? 0 : scan.shift[d]);
  };
  return {along(place.x, 0), along(place.y, 1), along(place.z, 2)};
}

/// Reads a matrix of four rows and four columns that turns and moves: where the object is in the first scan.
Result<Placement> placement_in(const std::string& path) {
  constexpr const char* example = "write four rows of four numbers, the last one 0 0 0 1";
  constexpr std::size_t most_bytes = 1 << 16;
  auto text = value_of(read_file(path, most_bytes));
  std::ranges::replace_if(
      text, [](char c) { return c == ',' || c == ';' || c == '[' || c == ']'; }, ' ');
  std::vector<double> m;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    double number = 0;
    const auto [rest, failed] = std::from_chars(text.data() + at, text.data() + end, number);
    if (failed != std::errc() || rest != text.data() + end || !std::isfinite(number))
      return Error{ErrorKind::bad_input,
                   kdscope::quoted(text.substr(at, std::min<std::size_t>(end - at, 40))) + " is no number", path,
                   example};
    m.push_back(number);
    at = end;
  }
  if (m.size() != 16)
    return Error{ErrorKind::bad_input, "has " + count_text(m.size(), "number", "numbers") + ", a place has 16", path,
                 example};
  const Placement place{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
  constexpr double close = 1e-3;
  const auto is_near = [](double number, double wanted) { return std::abs(number - wanted) <= close; };
  if (!is_near(m[12], 0) || !is_near(m[13], 0) || !is_near(m[14], 0) || !is_near(m[15], 1))
    return Error{ErrorKind::bad_input, "its last row is not 0 0 0 1", path, example};
  const bool turns = is_near(dot(place.x, place.x), 1) && is_near(dot(place.y, place.y), 1) &&
                     is_near(dot(place.z, place.z), 1) && is_near(dot(place.x, place.y), 0) &&
                     is_near(dot(place.y, place.z), 0) && is_near(dot(place.z, place.x), 0) &&
                     dot(cross(place.x, place.y), place.z) > 0;
  if (!turns)
    return Error{ErrorKind::bad_input, "its matrix does more than turn and move", path,
                 "give columns of length 1 at right angles, which form no mirror image"};
  return place;
}

std::string rows_of_frames(const Followed& followed) {
  std::string rows =
      "frame,lost,iterations,pairs,facing,distance,build_ms,search_ms,rest_ms,xx,xy,xz,yx,yy,yz,zx,zy,zz,"
      "x,y,z\n";
  CsvWriter csv(rows);
  for (std::size_t i = 0; i < followed.tracking.frames.size(); ++i) {
    const TrackedFrame& frame = followed.tracking.frames[i];
    const auto& last = frame.steps.back();
    csv << followed.frames[i] << (frame.lost ? 1 : 0) << frame.iterations() << last.pairs << last.facing
        << last.distance << frame.build_ms << frame.search_ms << frame.rest_ms;
    for (const Vector3& axis : {frame.place.x, frame.place.y, frame.place.z, frame.place.origin})
      csv << axis.x << axis.y << axis.z;
    csv.end_row();
  }
  return rows;
}

std::size_t lost_in(const Tracking& tracking) {
  return static_cast<std::size_t>(std::ranges::count(tracking.frames, true, &TrackedFrame::lost));
}

std::vector<double> iterations_of(const Tracking& tracking) {
  std::vector<double> counts;
  for (const TrackedFrame& frame : tracking.frames) counts.push_back(frame.iterations());
  return counts;
}

void report_tracking(const Followed& followed, Report&& report) {
  const Tracking& tracking = followed.tracking;
  const auto build = values_of(tracking, &TrackedFrame::build_ms),
             search = values_of(tracking, &TrackedFrame::search_ms), rest = values_of(tracking, &TrackedFrame::rest_ms),
             iterations = iterations_of(tracking);
  const double whole = median_ms(build) + median_ms(search) + median_ms(rest);
  report.member("data", followed.data).member("object", followed.object).member("points", followed.samples);
  report.line("object", followed.object, ", ", count_text(followed.samples, "point", "points"))
      .line("scans", followed.data, ", ", count_text(tracking.frames.size(), "frame", "frames"));
  report.device(tracking.device);
  report.line("build", duration_text(median_ms(build)), "  median per frame").member("build_ms", build);
  report
      .line("search", duration_text(median_ms(search)), "  in ", short_number(mean(iterations), 3),
            " iterations per frame")
      .member("search_ms", search);
  report.line("rest", duration_text(median_ms(rest))).member("rest_ms", rest).member("iterations", iterations);
  report.line("frames", short_number(1000 / std::max(whole, 1e-9), 4), " per second");
  if (!followed.off.empty())
    report
        .line("off the truth", short_number(mean(followed.off), 3), " on average, at most ",
              short_number(std::ranges::max(followed.off), 3))
        .member("off", followed.off);
  report.line("lost", "in ", lost_in(tracking)).member("lost", lost_in(tracking));
  report.line("peak memory", bytes_text(tracking.peak_bytes)).member("peak_bytes", tracking.peak_bytes);
}

/// Opens a data set with float coordinates.
Result<std::shared_ptr<const DataSet>> floats_of(const std::string& specification) {
  auto opened = open_data_set(specification);
  return opened ? with_coordinates(std::move(*opened), ScalarType::float32) : opened;
}

/// What a command line asks for. Lists are empty if it leaves them to the scans.
struct Asked {
  std::string data, out;
  std::uint64_t there = 0;  ///< frames of the data
  std::uint64_t from = 0, count = 0, samples = 0, iterations = 0;
  TrackingFit fit = TrackingFit::planes;
  std::vector<double> reach, turn, camera;
  std::optional<Placement> start;
  Parameters parameters, search;
  Backend backend = Backend::automatic;
};

Result<Asked> asked_by(const Arguments& arguments) {
  Asked asked;
  asked.data = arguments.text("--data", "workbench");
  asked.there = frames_of(asked.data);
  asked.out = arguments.text("--out");
  struct Whole {
    const char* option;
    std::uint64_t Asked::*member;
    std::uint64_t usual, least, most;
  };
  for (const Whole& each : {Whole{"--from", &Asked::from, frame_of(asked.data), 0, asked.there - 1},
                            {"--frames", &Asked::count, std::min<std::uint64_t>(asked.there, 100), 1, 100'000},
                            {"--samples", &Asked::samples, 4000, 1, 1u << 22},
                            {"--iterations", &Asked::iterations, 40, 1, 1000}}) {
    asked.*each.member = value_of(arguments.integer(each.option, each.usual, each.least, each.most));
  }
  const auto fit = value_of(arguments.choice("--fit", {"planes", "points"}));
  if (fit == "points") asked.fit = TrackingFit::points;
  std::vector<double> at;
  for (const auto& [option, count, example, list] : {std::tuple{"--reach", 1, "0.02", &asked.reach},
                                                     {"--at", 3, "0.28,1.36,0.75", &at},
                                                     {"--turn", 3, "0,0,90", &asked.turn},
                                                     {"--camera", 3, "0.12,-0.35,1.55", &asked.camera}}) {
    *list = value_of(arguments.numbers(option, static_cast<std::size_t>(count), example));
  }
  for (const auto& [option, example, named] :
       {std::tuple{"--param", "tpb=64", &asked.parameters}, {"--search-param", "queue=8", &asked.search}}) {
    *named = value_of(arguments.named_values(option, example));
  }
  if (arguments.has("--start")) {
    for (const char* other : {"--at", "--turn"})
      if (arguments.has(other))
        return Error{ErrorKind::bad_usage, std::string("--start and ") + other + " exclude each other", "",
                     "give one of them"};
    asked.start = value_of(placement_in(arguments.text("--start")));
  } else if (!at.empty()) {
    asked.start = Placement().moved(at[0], at[1], at[2]);
  }
  asked.backend = value_of(backend_named(arguments.text("--backend", "auto")));
  return asked;
}

/// Opens scans by their names, each once: laps show the same scans again. Warns about those that are not the model.
Result<std::vector<std::shared_ptr<const DataSet>>> scans_named(const std::vector<std::string>& names,
                                                                const DataSet& model, const RunControl& control,
                                                                Console& console) {
  std::vector<std::shared_ptr<const DataSet>> scans;
  std::map<std::string, std::shared_ptr<const DataSet>> read;
  for (const std::string& name : names) {
    if (control.progress)
      control.progress(static_cast<double>(scans.size()) / static_cast<double>(names.size()), "read scans");
    auto& kept = read[name];
    if (!kept) {
      if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "cancelled", "", ""};
      const auto scan = value_of(floats_of(name));
      if (scan->name != model.name) print_warnings(*scan, console);
      kept = scan;
    }
    scans.push_back(kept);
    ensure(check_same_origin(*scans.front(), *kept));
  }
  return scans;
}

Result<ExitCode> run_track(const Arguments& arguments, Console& console) {
  const auto asked = value_of(asked_by(arguments));
  const std::string& data = asked.data;
  const auto known = known_scan(with_frame(data, static_cast<std::uint32_t>(asked.from)));
  Followed followed;
  followed.data = data;
  followed.object = arguments.text("--object", known ? known->object : "");
  if (followed.object.empty())
    return Error{ErrorKind::bad_usage, "it is not known which object is in these scans", data,
                 "name its mesh or its points with --object"};
  const bool is_known = known && followed.object == known->object;
  if (!is_known && !asked.start)
    return Error{ErrorKind::bad_usage, "it is not known where the object is in the first scan", data,
                 "give about its place with --at X,Y,Z, or with --start FILE"};
  constexpr std::uint32_t sources_end = 1'000'000;
  if (asked.there > sources_end && !arguments.has("--frames"))
    return Error{ErrorKind::bad_usage, "it is not known how many scans there are", data, "give --frames N"};
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < asked.count; ++i) {
    followed.frames.push_back(static_cast<std::uint32_t>((asked.from + i) % asked.there));
    names.push_back(with_frame(data, followed.frames.back()));
  }
  if (!asked.out.empty()) {
    ensure(check_folder_of(asked.out));
    std::vector<std::string> inputs{followed.object};
    inputs.insert(inputs.end(), names.begin(), names.end());
    for (const std::string& input : inputs) ensure(check_output_is_not_input("--out", asked.out, input));
  }
  const auto model = value_of(floats_of(followed.object));
  print_warnings(*model, console);
  auto object = value_of(tracked_object(*model, static_cast<std::uint32_t>(asked.samples)));
  followed.samples = object.size();

  TrackingRequest request;
  request.object = std::make_shared<const TrackedObject>(std::move(object));
  if (is_known) request.start = known->place;
  if (known) request.camera = known->camera;
  if (!asked.reach.empty()) request.reach = asked.reach.front();
  request.fit = asked.fit;
  request.iterations = static_cast<std::uint32_t>(asked.iterations);
  request.builder = asked.parameters, request.search = asked.search;
  request.backend = asked.backend;
  const RunControl control = control_for(console);
  request.scans = value_of(scans_named(names, *model, control, console));
  // What was given is in the coordinates of the files
  const DataSet& first = *request.scans.front();
  if (asked.start) {
    request.start = *asked.start;
    request.start.origin = kept_as(first, asked.start->origin);
  }
  constexpr double degrees = 360;
  if (const auto& turn = asked.turn; !turn.empty())
    request.start = request.start.turned_z(turn[2] / degrees).turned_y(turn[1] / degrees).turned_x(turn[0] / degrees);
  if (const auto& camera = asked.camera; !camera.empty())
    request.camera = kept_as(first, {camera[0], camera[1], camera[2]});
  followed.tracking = value_of(kdscope::run(request, control));
  finish_progress(console);
  if (is_known)
    for (std::size_t i = 0; i < names.size(); ++i)
      followed.off.push_back(
          farthest_apart(*request.object, followed.tracking.frames[i].place, known_scan(names[i])->place));
  for (TrackedFrame& frame : followed.tracking.frames) frame.place.origin = in_files(first, frame.place.origin);
  if (!asked.out.empty()) ensure(replace_file(asked.out, rows_of_frames(followed)));
  report_tracking(followed, Report(console.out, arguments.has("--json")));
  return exit_ok;
}

}  // namespace

Command track_command() {
  return {{"track",
           "follow an object through scans",
           "Builds a tree over each scan with wehr and moves the object's points to their nearest neighbours in it, "
           "again and again, until they move it no more (iterative closest point; Wehr & Radkowski 2018, section I). "
           "Each frame begins where the object was in the one before. Prints the time per frame for the tree, the "
           "searches and the rest; --out writes the object's place in every frame as CSV.",
           {},
           {{"--data", "SCANS",
             "Scans with frames: workbench, or files with {frame} in their name. Default: workbench. A file without "
             "it is one scan, which stands still."},
            {"--object", "OBJECT", "A mesh or a cloud in the object's own coordinates. Default: piston."},
            {"--from", "F", "First frame. Default: that of the data, or 0."},
            {"--frames", "N", "Frames. Default: 100 of the workbench; files need it."},
            {"--samples", "M", "Points on the object if it is a mesh, 1 to 4194304. Default: 4000."},
            {"--at", "X,Y,Z",
             "About where the object is in the first frame. Default: the place of the piston in the workbench."},
            {"--turn", "A,B,C",
             "Turns the object before the first frame, in degrees about its x, then y, then z axis. Default: 0,0,0."},
            {"--start", "FILE",
             "Where the object is in the first frame as a matrix: four rows of four numbers that map the object's "
             "coordinates to those of the scans, as other programs write them. In place of --at and --turn."},
            {"--camera", "X,Y,Z",
             "Where the camera stands, for objects that are meshes: points that face away do not take part. Default: "
             "that of the workbench."},
            {"--reach", "R", "Neighbours farther away do not count. Default: 0.02."},
            {"--fit", "FIT",
             "planes: neighbours come near the planes through the points; points: near the points. Default: planes if "
             "the object is a mesh."},
            {"--iterations", "I", "Most iterations of a frame, 1 to 1000. Default: 40."},
            {"--param", "NAME=VALUE", "A parameter of wehr; may be repeated."},
            {"--search-param", "NAME=VALUE", "A parameter of priority-queue, for example queue=8; may be repeated."},
            {"--out", "FILE", "Write one row per frame: times, iterations, and the place as a matrix."},
            backend_option(),
            device_option(),
            json_option()},
           {"track --data workbench:n=280000 --frames 30", "track --fit points --reach 0.05 --out places.csv",
            "track --data scan-{frame}.ply --frames 30 --object part.stl --at 0,0.5,1 --turn 0,0,90"}},
          run_track};
}

}  // namespace kdscope::cli
