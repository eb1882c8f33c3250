#include "app/session/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace kdscope {
namespace {

Error usage(std::string what) { return {ErrorKind::bad_usage, std::move(what), "", "see kdscope --help"}; }

template <class Integer>
bool read_integer(std::string_view text, Integer& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size();
}

/// Stores one option's value; an error lists the accepted ones.
Result<void> apply(CommandLine& line, const std::string& option, const std::string& value) {
  if (option == "--lesson")
    line.lesson = value;
  else if (option == "--data")
    line.open = value;
  else if (option == "--screenshot")
    line.screenshot = value;
  else if (option == "--render")
    line.render = value;
  else if (option == "--step") {
    if (!read_integer(value, line.step.emplace()))
      return usage("--step takes a step number from 0, not '" + value + "'");
  } else if (option == "--theme") {
    if (value != "light" && value != "dark" && value != "high-contrast")
      return usage("--theme takes light, dark or high-contrast, not '" + value + "'");
    line.theme = value;
  } else if (option == "--layout") {
    if (value != "demonstrate" && value != "study" && value != "debug")
      return usage("--layout takes demonstrate, study or debug, not '" + value + "'");
    line.layout = value;
  } else if (option == "--text-scale") {
    const std::string number = value.ends_with('%') ? value.substr(0, value.size() - 1) : value;
    if (!read_integer(number, line.text_scale) || line.text_scale < min_text_scale || line.text_scale > max_text_scale)
      return usage("--text-scale takes a percentage from 80 to 300, not '" + value + "'");
  } else if (option == "--backend") {
    const auto backend = backend_named(value);
    if (!backend) return backend.error();
    line.backend = *backend;
  } else {  // --size
    const std::size_t x = value.find('x');
    if (x == std::string::npos || !read_integer(std::string_view(value).substr(0, x), line.width) ||
        !read_integer(std::string_view(value).substr(x + 1), line.height) || line.width < 200 || line.height < 200 ||
        line.width > 16384 || line.height > 16384)
      return usage("--size takes WIDTHxHEIGHT in pixels, 200 to 16384 each, not '" + value + "'");
  }
  return {};
}

}  // namespace

Result<CommandLine> parse_command_line(std::span<const std::string> arguments) {
  CommandLine line;
  std::string export_option;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string option = arguments[i];
    if (!option.starts_with("-") || option == "-") {
      if (!line.open.empty()) return usage("'" + line.open + "' and '" + option + "' cannot both be opened");
      line.open = option;
      continue;
    }
    if (option == "--help" || option == "-h") {
      line.help = true;
      continue;
    }
    if (option == "--version") {
      line.version = true;
      continue;
    }
    if (option == "--fresh") {
      line.fresh = true;
      continue;
    }
    std::optional<std::string> value;
    if (const std::size_t equals = option.find('='); equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
    }
    constexpr std::string_view known[] = {"--lesson", "--data",   "--screenshot", "--render",  "--step",
                                          "--theme",  "--layout", "--text-scale", "--backend", "--size"};
    const bool exports = std::find(std::begin(export_option_names), std::end(export_option_names), option) !=
                         std::end(export_option_names);
    if (!exports && std::find(std::begin(known), std::end(known), option) == std::end(known))
      return usage("there is no option '" + option + "'");
    if (!value && i + 1 < arguments.size()) value = arguments[++i];
    if (!value || value->empty()) return usage(option + " needs a value");
    if (option == "--data" && !line.open.empty())
      return usage("'" + line.open + "' and '" + *value + "' cannot both be opened");
    if (exports) {
      if (auto read = read_export_option(line.exported, option, *value); !read) return read.error();
      export_option = option;
      continue;
    }
    if (auto applied = apply(line, option, *value); !applied) return applied.error();
  }
  if (!line.lesson.empty() && !line.open.empty())
    return usage("a lesson brings its own data, so '" + line.open + "' cannot be opened with it");
  if (!export_option.empty() && line.render.empty()) return usage(export_option + " belongs to --render");
  if (!line.render.empty() && !line.screenshot.empty()) return usage("--render and --screenshot exclude each other");
  return line;
}

std::string command_line_help() {
  return "kdscope: a workbench for parallel kd-tree construction\n"
         "\n"
         "  kdscope [FILE.kdsession | FILE.kdtrace | DATA] [options]\n"
         "\n"
         "A session opens at the step, with the points, marks and layout with which it was saved (--step N: at step "
         "N).\n"
         "DATA is a shipped set (wald-10, bunny), a generator (uniform:n=1000,dim=2,seed=7) or a file of points;\n"
         "kdscope-cli list datasets prints them all. Without it the first lesson opens.\n"
         "\n"
         "  --lesson ID           open a lesson; kdscope-cli list lessons prints the ids\n"
         "  --step N              go to step N, from 0\n"
         "  --backend B           auto, cpu or cuda\n"
         "  --theme T             light, dark or high-contrast\n"
         "  --text-scale PERCENT  80 to 300\n"
         "  --layout L            demonstrate, study or debug\n"
         "  --fresh               start as if for the first time: no kept layout, no restoring, no recent files;\n"
         "                        otherwise kdscope keeps them in XDG_CONFIG_HOME and XDG_STATE_HOME\n"
         "  --size WxH            size of the window or the pictures, in pixels\n"
         "  --screenshot OUT.png  save the window once the run is shown, then quit\n"
         "  --render OUT          export to OUT without a window: a file that ends in .png, .svg, .pdf, .gif, .mp4,\n"
         "                        .webm or .csv, or a folder for a picture of each step\n"
         "  --help, --version\n"
         "\n"
         "With --render:\n"
         "  --what W              view (2D/3D, needs a display or xvfb-run), tree, partition (of two dimensions),\n"
         "                        coordinates (all dimensions in parallel) or table\n"
         "  --steps A-B           default: all steps for a film or a folder, the last step for a file\n"
         "  --captions on|off     the step's title and place above the picture\n"
         "  --speed S             steps a second of a film, 0.05 to 60; --frames-per-step N, --frames-per-stop N at "
         "the\n"
         "                        stops of a lesson; films need the program ffmpeg\n"
         "  --table SPACE         what runs down the lines of a table: position, point, node, ...\n"
         "\n"
         "Keys: Home, Left, Space, Right, End; Ctrl+Left and Ctrl+Right by level; PageUp and PageDown by lesson stop;\n"
         "Ctrl+G goes to a step. Exit codes: 0 done, 2 bad usage, 3 bad input, 5 the run failed.\n";
}

}  // namespace kdscope
