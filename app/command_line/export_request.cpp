#include "app/command_line/export_request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>

namespace kdscope {
namespace {

constexpr const char* whats[] = {"view", "tree", "partition", "coordinates", "table", "page", "handout"};
constexpr const char* formats[] = {"png", "svg", "pdf", "gif", "mp4", "webm", "csv", "html"};
constexpr int smallest_side = 64;
constexpr int most_film_width = 3840, most_film_height = 2160;
constexpr int most_frames_per_step = 600;

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size();
}

std::string listed(std::span<const ExportFormat> choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i)
    text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + std::string(name_of(choices[i]));
  return text;
}

std::string size_text(int width, int height) { return std::to_string(width) + " x " + std::to_string(height); }

}  // namespace

const char* name_of(ExportWhat what) { return whats[static_cast<int>(what)]; }
const char* name_of(ExportFormat format) { return formats[static_cast<int>(format)]; }

std::optional<ExportWhat> export_what_named(std::string_view name) {
  const auto found = std::find(std::begin(whats), std::end(whats), name);
  return found == std::end(whats) ? std::nullopt : std::optional(static_cast<ExportWhat>(found - std::begin(whats)));
}

std::optional<ExportFormat> export_format_of(std::string_view path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  for (std::size_t i = 0; i < std::size(formats); ++i)
    if (ending == std::string(".") + formats[i]) return static_cast<ExportFormat>(i);
  return std::nullopt;
}

bool is_film(ExportFormat format) {
  return format == ExportFormat::gif || format == ExportFormat::mp4 || format == ExportFormat::webm;
}

bool is_of_lesson(ExportWhat what) { return what == ExportWhat::page || what == ExportWhat::handout; }

std::span<const ExportFormat> formats_of(ExportWhat what) {
  using enum ExportFormat;
  static constexpr ExportFormat pictures[] = {png, gif, mp4, webm}, figures[] = {svg, pdf, png, gif, mp4, webm},
                                tables[] = {csv, svg, pdf, png, gif, mp4, webm}, pages[] = {html}, handouts[] = {pdf};
  if (what == ExportWhat::view) return pictures;
  if (what == ExportWhat::table) return tables;
  if (what == ExportWhat::page) return pages;
  if (what == ExportWhat::handout) return handouts;
  return figures;
}

Result<void> check(const ExportRequest& request, const Trace& trace) {
  const std::uint32_t steps = static_cast<std::uint32_t>(trace.steps.size());
  if (request.path.empty()) return usage_error("no file is named", "choose where to write");
  const auto choices = formats_of(request.what);
  if (std::find(choices.begin(), choices.end(), request.format) == choices.end())
    return usage_error("a " + std::string(name_of(request.what)) + " cannot be written as " + name_of(request.format),
                       "choose " + listed(choices));
  if (request.first > request.last || request.last >= steps)
    return usage_error("there are no steps " + std::to_string(request.first) + " to " + std::to_string(request.last),
                       "this run has steps 0 to " + std::to_string(steps - 1));
  if (is_of_lesson(request.what)) return {};
  if (request.what == ExportWhat::table) {
    const std::vector<Space> tables = export_tables(trace);
    std::string names;
    for (const Space space : tables) names += (names.empty() ? "" : ", ") + std::string(name_of(space));
    if (std::find(tables.begin(), tables.end(), request.table) == tables.end())
      return usage_error("this run has no table of '" + std::string(name_of(request.table)) + "'",
                         "its tables are: " + names);
    if (request.format == ExportFormat::csv) return {};
  }
  const bool film = is_film(request.format);
  const int widest = film ? most_film_width : most_width, highest = film ? most_film_height : most_height;
  if (request.width < smallest_side || request.height < smallest_side || request.width > widest ||
      request.height > highest)
    return usage_error("a picture of " + size_text(request.width, request.height) + " pixels is asked for",
                       "choose from " + size_text(smallest_side, smallest_side) + " to " + size_text(widest, highest));
  if (!film) return {};
  if (!(request.steps_per_second >= 0.05 && request.steps_per_second <= 60))
    return usage_error("a film of " + std::to_string(request.steps_per_second) + " steps per second is asked for",
                       "choose 0.05 to 60");
  if (request.frames_per_step < 1 || request.frames_per_step > most_frames_per_step || request.frames_per_stop < 0 ||
      request.frames_per_stop > most_frames_per_step)
    return usage_error("a step lasts a number of frames that is not from 1 to " + std::to_string(most_frames_per_step),
                       "choose fewer");
  const double most_rate = request.format == ExportFormat::gif ? 50 : 120;  // GIF counts hundredths of a second
  if (frame_rate(request) > most_rate)
    return usage_error("the film would have " + std::to_string(std::lround(frame_rate(request))) + " frames per second",
                       "choose fewer frames per step, or fewer steps per second: " +
                           std::to_string(std::lround(most_rate)) + " frames per second at most");
  return {};
}

bool in_one_file(const ExportRequest& request) {
  return request.first == request.last || is_film(request.format) || request.format == ExportFormat::pdf ||
         is_of_lesson(request.what);
}

std::vector<std::string> files_of(const ExportRequest& request) {
  if (in_one_file(request)) return {request.path};
  const std::filesystem::path path(request.path);
  std::vector<std::string> files;
  for (std::uint32_t step = request.first; step <= request.last; ++step) {
    char number[16];
    std::snprintf(number, sizeof number, "-%03u", step);
    files.push_back((path.parent_path() / (path.stem().string() + number + path.extension().string())).string());
  }
  return files;
}

std::vector<int> frames_of(const ExportRequest& request, std::span<const std::uint32_t> stops) {
  // A GIF stores how long each frame is shown, so one per step is enough.
  const bool held = request.format == ExportFormat::gif;
  const int per_step = request.frames_per_step,
            per_stop = request.frames_per_stop > 0 ? request.frames_per_stop : 3 * per_step;
  const int at_step = held ? 1 : per_step, at_stop = held ? (per_stop + per_step - 1) / per_step : per_stop;
  std::vector<int> frames;
  for (std::uint32_t step = request.first; step <= request.last; ++step)
    frames.push_back(std::binary_search(stops.begin(), stops.end(), step) ? at_stop : at_step);
  return frames;
}

double frame_rate(const ExportRequest& request) {
  return request.format == ExportFormat::gif ? request.steps_per_second
                                             : request.steps_per_second * request.frames_per_step;
}

std::vector<Space> export_tables(const Trace& trace) {
  std::vector<Space> spaces;
  for (const Trace::Array& array : trace.arrays)
    if (std::find(spaces.begin(), spaces.end(), array.info.index_space) == spaces.end())
      spaces.push_back(array.info.index_space);
  std::stable_partition(spaces.begin(), spaces.end(), [](Space space) { return space == Space::position; });
  return spaces;
}

std::vector<Option> export_options() {
  return {
      {"--what", "W",
       "view (2D/3D, needs a display or xvfb-run), tree, partition (of two dimensions), coordinates (all dimensions "
       "in parallel), table, page (.html); of a lesson: handout (.pdf of every stop).",
       false, false, "With --render"},
      {"--steps", "A-B",
       "One step or a range. Default: all steps of a film or folder; for a file, the step of a session or the last "
       "one."},
      {"--captions", "on|off", "The step's title and place above the picture. Default: on."},
      {"--answers", "on|off", "The answers below the questions of a handout. Default: off."},
      {"--speed", "S", "Steps per second of a film, 0.05 to 60. Films need the program ffmpeg. Default: 1."},
      {"--frames-per-step", "N", "Frames of a film per step. Default: 5."},
      {"--frames-per-stop", "N", "Frames of a film at each stop of a lesson. Default: three times those of a step."},
      {"--table", "SPACE", "What runs down the lines of a table: position, point, node, ..."}};
}

Result<ExportOptions> read_export_options(const Arguments& arguments) {
  ExportOptions options;
  ExportRequest& request = options.request;
  const auto what = arguments.choice("--what", {std::begin(whats), std::end(whats)});
  if (!what) return what.error();
  if (const auto given = export_what_named(*what)) {
    request.what = *given;
    options.what_given = true;
  }
  if (arguments.has("--steps")) {
    const std::string value = arguments.text("--steps");
    const std::size_t dash = value.find('-');
    const bool read =
        read_number(std::string_view(value).substr(0, dash), request.first) &&
        (dash == std::string::npos || read_number(std::string_view(value).substr(dash + 1), request.last));
    if (dash == std::string::npos) request.last = request.first;
    if (!read || request.last < request.first)
      return usage_error("--steps cannot be '" + value + "'", "give a step or a range like 3-12");
    options.steps_given = true;
  }
  if (arguments.has("--table")) {
    const auto space = space_named(arguments.text("--table"));
    if (!space)
      return usage_error("--table cannot be '" + arguments.text("--table") + "'",
                         "name what runs down its lines, such as position, point or node");
    request.table = *space;
    if (!options.what_given) request.what = ExportWhat::table;
  }
  if (arguments.has("--speed") && !read_number(arguments.text("--speed"), request.steps_per_second))
    return usage_error("--speed cannot be '" + arguments.text("--speed") + "'",
                       "give the steps per second, 0.05 to 60");
  const auto frames = [&](const char* option, int& value) -> Result<void> {
    const auto read = arguments.integer(option, static_cast<std::uint64_t>(value), 0, most_frames_per_step);
    if (!read) return read.error();
    value = static_cast<int>(*read);
    return {};
  };
  if (const auto read = frames("--frames-per-step", request.frames_per_step); !read) return read.error();
  if (const auto read = frames("--frames-per-stop", request.frames_per_stop); !read) return read.error();
  const auto captions = arguments.choice("--captions", {"on", "off"});
  if (!captions) return captions.error();
  request.captions = *captions != "off";
  const auto answers = arguments.choice("--answers", {"on", "off"});
  if (!answers) return answers.error();
  request.answers = *answers == "on";
  return options;
}

ExportRequest completed(ExportOptions options, const std::string& path, const Trace& trace,
                        std::optional<std::uint32_t> saved_step) {
  ExportRequest& request = options.request;
  request.path = path;
  const std::uint32_t last = trace.steps.empty() ? 0 : static_cast<std::uint32_t>(trace.steps.size() - 1);
  const auto format = export_format_of(path);
  const bool folder = !format;
  if (folder) {
    request.format = request.what == ExportWhat::table ? ExportFormat::csv : ExportFormat::png;
    request.path = (std::filesystem::path(path) / ("step." + std::string(name_of(request.format)))).string();
  } else {
    request.format = *format;
    // Default to the main use of the format.
    if (!options.what_given && request.format == ExportFormat::csv) request.what = ExportWhat::table;
    if (!options.what_given && request.format == ExportFormat::html) request.what = ExportWhat::page;
    if (!options.what_given && request.what == ExportWhat::view &&
        (request.format == ExportFormat::svg || request.format == ExportFormat::pdf))
      request.what = ExportWhat::partition;
  }
  if (is_of_lesson(request.what)) {
    request.first = 0;
    request.last = last;
  } else if (!options.steps_given) {
    const bool every_step = folder || is_film(request.format);
    request.first = every_step ? 0 : saved_step.value_or(last);
    request.last = every_step ? last : request.first;
  }
  return request;
}

}  // namespace kdscope
