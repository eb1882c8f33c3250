#pragma once
// The workbench's command line.

#include <map>
#include <optional>
#include <span>
#include <string>

#include "app/command_line/export_request.hpp"
#include "app/session/session.hpp"

namespace kdscope {

struct CommandLine {
  bool help = false;
  bool version = false;
  std::string open;       ///< session file, trace file, data specification or data file; empty: a lesson
  std::string other;      ///< trace file that `open`, a trace file, is compared with
  std::string lesson;     ///< empty: the start lesson, unless `open` is set
  std::string algorithm;  ///< runs on data in `open`; empty: the usual one
  std::map<std::string, std::string> parameters;  ///< of `algorithm`
  std::optional<std::uint32_t> step;
  std::string theme;                 ///< empty: as it was left, or light
  int text_scale = 0;                ///< 0: as it was left, or 100
  std::optional<bool> equal_scales;  ///< none: as a session keeps it, or equal
  std::string layout;                ///< empty: as it was left, or study
  bool fresh = false;                ///< nothing is remembered from or for other runs of the program
  bool in_process = false;           ///< builds run in the window's process
  std::string device;                ///< builds run on this device; empty: on this machine
  Backend backend = Backend::automatic;
  int width = 0, height = 0;  ///< of the window or the pictures; 0: default
  std::string screenshot;     ///< save the window here once the first run is painted, then quit
  std::string render;         ///< export to this file, or a picture of each step into this folder, without a window
  ExportOptions exported;     ///< of --render
};

/// Arguments without the program's name. Errors are of kind bad_usage.
Result<CommandLine> parse_command_line(std::span<const std::string> arguments);

/// The help text.
std::string command_line_help();

}  // namespace kdscope
