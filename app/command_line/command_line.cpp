#include "app/command_line/command_line.hpp"

#include <charconv>
#include <limits>

#include "app/arguments/run_arguments.hpp"
#include "app/session/session_file.hpp"

namespace kdscope {
namespace {

constexpr int smallest_window = 200, largest_window = 16384;  // pixels

const CommandSpec& window_command() {
  static const CommandSpec spec = [] {
    CommandSpec command;
    command.name = "kdscope";
    command.description =
        "A workbench for parallel kd-tree construction. Without a file, data or lesson the start page opens.";
    command.operands = {{"FILE",
                         "A session (.kdsession), which opens at the step, with the points, marks and layout with "
                         "which it was saved; a trace (.kdtrace); or data, as --data takes them.",
                         false},
                        {"OTHER.kdtrace",
                         "A trace of the same data: FILE, a trace too, opens at the first step that differs, and every "
                         "step is compared.",
                         false}};
    command.options = {
        {"--lesson", "ID", "Open a lesson; `kdscope-cli list lessons` prints the ids."},
        data_option(false),
        algorithm_option("wald, or what suits the data"),
        parameter_option(),
        backend_option(),
        {"--step", "N", "Go to step N, from 0."},
        {"--theme", "T", "light, dark or high-contrast."},
        {"--text-scale", "PERCENT", "80 to 300."},
        {"--scales", "S", "equal: one scale for all axes (default); fill: each axis fills the view."},
        {"--layout", "L", "demonstrate, study or debug."},
        {"--fresh", "",
         "Start as if for the first time: no kept layout, no restoring, no recent files. Otherwise kdscope keeps them "
         "in XDG_CONFIG_HOME and XDG_STATE_HOME."},
        {"--in-process", "",
         "Build in the window's own process, for a debugger. Otherwise kdscope-runner builds, and a crash of a builder "
         "leaves the window open."},
        {"--device", "NAME",
         "Build and record on this device, another machine's GPU or CPU; `kdscope-cli device --help` explains how to "
         "add one."},
        {"--size", "WxH", "Size of the window or the pictures, in pixels."},
        {"--screenshot", "OUT.png", "Save the window once the run is shown, by default of ten points, then quit."},
        {"--version", "", "Print the version."},
        {"--render", "OUT",
         "Export to OUT without a window: a file that ends in .png, .svg, .pdf, .gif, .mp4, .webm, .csv or .html, or a "
         "folder for a picture of each step.",
         false, false, "Pictures without a window"}};
    for (Option& option : export_options()) command.options.push_back(std::move(option));
    command.examples = {"--lesson wald/ten-points --step 4", "--data uniform:n=1000,dim=2 --algorithm hu",
                        "--render film.mp4 --data bunny", "mine.kdtrace original.kdtrace"};
    command.notes =
        "Keys: Home, Left, Space, Right, End; Ctrl+Left and Ctrl+Right by level; PageUp and PageDown by lesson stop; "
        "Ctrl+G goes to a step. Exit codes: 0 done, 2 bad usage, 3 bad input, 5 the run failed.";
    return command;
  }();
  return spec;
}

template <class Integer>
bool read_integer(std::string_view text, Integer& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size();
}

Result<void> read_size(const Arguments& arguments, CommandLine& line) {
  if (!arguments.has("--size")) return {};
  const std::string value = arguments.text("--size");
  const std::size_t x = value.find('x');
  const auto fits = [](int side) { return side >= smallest_window && side <= largest_window; };
  if (x == std::string::npos || !read_integer(std::string_view(value).substr(0, x), line.width) ||
      !read_integer(std::string_view(value).substr(x + 1), line.height) || !fits(line.width) || !fits(line.height))
    return usage_error("--size cannot be '" + value + "'", "give WIDTHxHEIGHT in pixels, 200 to 16384 each");
  return {};
}

Result<void> looks_from(const Arguments& arguments, CommandLine& line) {
  const auto theme = arguments.choice("--theme", {"light", "dark", "high-contrast"});
  if (!theme) return theme.error();
  line.theme = *theme;
  const auto scales = arguments.choice("--scales", {"equal", "fill"});
  if (!scales) return scales.error();
  if (arguments.has("--scales")) line.equal_scales = *scales == "equal";
  const auto layout = arguments.choice("--layout", {"demonstrate", "study", "debug"});
  if (!layout) return layout.error();
  line.layout = *layout;
  if (arguments.has("--text-scale")) {
    const std::string value = arguments.text("--text-scale");
    const std::string number = value.ends_with('%') ? value.substr(0, value.size() - 1) : value;
    if (!read_integer(number, line.text_scale) || line.text_scale < min_text_scale || line.text_scale > max_text_scale)
      return usage_error("--text-scale cannot be '" + value + "'", "give a percentage from 80 to 300");
  }
  return read_size(arguments, line);
}

/// What to open, and what to run on it.
Result<void> run_from(const Arguments& arguments, CommandLine& line) {
  line.lesson = arguments.text("--lesson");
  line.open = arguments.text("--data", arguments.operand(0));
  line.other = arguments.operand(1);
  if (!line.other.empty() && (!is_trace_path(line.open) || !is_trace_path(line.other)))
    return usage_error("'" + line.open + "' and '" + line.other + "' cannot be compared", "name two trace files");
  if (arguments.has("--data") && arguments.operand_count() > 0)
    return usage_error("'" + arguments.operand(0) + "' and '" + line.open + "' cannot both be opened",
                       "name one of them");
  if (!line.lesson.empty() && !line.open.empty())
    return usage_error("a lesson brings its own data, so '" + line.open + "' cannot be opened with it",
                       "leave out one of them");
  line.algorithm = arguments.text("--algorithm");
  const auto parameters = parameters_from(arguments);
  if (!parameters) return parameters.error();
  line.parameters = *parameters;
  const char* option = !line.algorithm.empty() ? "--algorithm" : "--param";
  if (!line.algorithm.empty() || !line.parameters.empty()) {
    if (!line.lesson.empty()) return usage_error(std::string("a lesson brings its own algorithm, without ") + option);
    if (line.open.empty()) return usage_error(std::string(option) + " needs data to run on", "add --data SPEC");
    if (is_session_path(line.open) || is_trace_path(line.open))
      return usage_error("'" + line.open + "' holds its own run, so " + option + " does not apply",
                         "name the data instead");
    if (line.algorithm.empty()) return usage_error("--param needs the algorithm that takes it", "add --algorithm ID");
  }
  const auto backend = backend_named(arguments.text("--backend", "auto"));
  if (!backend) return backend.error();
  line.backend = *backend;
  if (!arguments.has("--step")) return {};
  const auto step = arguments.integer("--step", 0, 0, std::numeric_limits<std::uint32_t>::max());
  if (!step) return step.error();
  line.step = static_cast<std::uint32_t>(*step);
  return {};
}

}  // namespace

Result<CommandLine> parse_command_line(std::span<const std::string> words) {
  CommandLine line;
  for (const std::string& word : words) {
    if (word == "--") break;
    line.help = line.help || word == "--help" || word == "-h";
  }
  if (line.help) return line;
  const auto arguments = parse_arguments(window_command(), {words.begin(), words.end()});
  if (!arguments) return arguments.error();
  line.version = arguments->has("--version");
  line.fresh = arguments->has("--fresh");
  line.in_process = arguments->has("--in-process");
  line.device = arguments->text("--device");
  line.screenshot = arguments->text("--screenshot");
  line.render = arguments->text("--render");
  if (const auto read = run_from(*arguments, line); !read) return read.error();
  if (const auto read = looks_from(*arguments, line); !read) return read.error();
  const auto exported = read_export_options(*arguments);
  if (!exported) return exported.error();
  line.exported = *exported;
  for (const Option& option : export_options())
    if (line.render.empty() && arguments->has(option.name))
      return usage_error(option.name + " belongs to --render", "add --render OUT");
  if (line.step && line.exported.steps_given)
    return usage_error("--step and --steps exclude each other", "leave out one of them");
  if (!line.render.empty() && arguments->has("--backend") && (is_session_path(line.open) || is_trace_path(line.open)))
    return usage_error("'" + line.open + "' holds its own run, so --backend does not apply", "leave it out");
  if (!line.device.empty() && (line.in_process || !line.render.empty()))
    return usage_error(
        std::string("--device and ") + (line.in_process ? "--in-process" : "--render") + " exclude each other",
        "leave out one of them");
  if (!line.render.empty() && !line.screenshot.empty())
    return usage_error("--render and --screenshot exclude each other", "leave out one of them");
  return line;
}

std::string command_line_help() { return help_text(window_command()); }

}  // namespace kdscope
