#include "algorithms/variants/inside/look_inside.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "algorithms/variants/child_program.hpp"
#include "algorithms/variants/run_folder.hpp"

namespace kdscope::access_log {
namespace {

/// Returns how near a file is to the kernel: 2 in the source or a builder, 1 in other code of kdscope, 0 in executors,
/// basic types and libraries.
int nearness_of(const std::string& file, const std::string& source) {
  if (file == source || file.find("/algorithms/builders/") != std::string::npos) return 2;
  if (file.find("/algorithms/") == std::string::npos) return 0;
  for (const char* folder : {"/algorithms/exec/", "/algorithms/variants/", "/algorithms/core/", "/algorithms/record/"})
    if (file.find(folder) != std::string::npos) return 0;
  return 1;
}

/// Returns a path without the folder of kdscope's headers.
std::string short_path(const std::string& file, const variants::Kit& kit) {
  for (const std::string& folder : kit.include_folders)
    if (file.starts_with(folder + "/")) return file.substr(folder.size() + 1);
  return file;
}

}  // namespace

std::vector<std::vector<CodeLine>> code_lines_in(const std::string& output) {
  std::vector<std::vector<CodeLine>> places;
  std::istringstream lines(output);
  for (std::string text; std::getline(lines, text);) {
    if (text.starts_with("0x")) {
      places.emplace_back();
      continue;
    }
    const std::size_t colon = text.rfind(':', text.find(" (discriminator"));
    CodeLine place{text.substr(0, colon), 0};
    if (colon != std::string::npos) std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
    if (place.line > 0 && !places.empty()) places.back().push_back(std::move(place));
  }
  return places;
}

Result<void> find_lines(LaunchRecording& recording, const std::filesystem::path& program, const std::string& source,
                        const variants::Kit& kit, std::stop_token stop) {
  // Ask for the line of each call: the address before the one to which it returns
  std::string addresses;
  for (const Site& site : recording.sites) {
    char text[20];
    const auto [end, failed] = std::to_chars(text, text + sizeof text, site.code - 1, 16);
    addresses += "0x" + std::string(text, end) + "\n";
  }
  // By a file: what a program is sent as input has no end.
  const variants::RunFolder folder;
  const std::string asked = (folder.path() / "addresses").string();
  if (!(std::ofstream(asked) << addresses).flush())
    return Error{ErrorKind::io_failure, "cannot be written", asked, "check the disk"};
  variants::ProgramLimits limits;
  limits.processes = 64;
  std::string answer;
  const auto ended = variants::run_program(
      {"/bin/sh", "-c", "exec addr2line -a -i -e \"$0\" \"@$1\" >&3", program.string(), asked}, {}, limits,
      [&](const std::string& line) { answer += line + "\n"; }, stop);
  if (!ended) return ended.error();
  if (ended->reason == variants::ProgramEnd::Reason::stopped)
    return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  const auto places = code_lines_in(answer);
  if (ended->code != 0 || places.size() != recording.sites.size())
    return Error{ErrorKind::bad_usage, "the program addr2line, which finds the lines of accesses, does not run", "",
                 "install binutils, to which it belongs"};
  for (std::size_t i = 0; i < recording.sites.size(); ++i) {
    Site& site = recording.sites[i];
    const CodeLine* best = nullptr;
    int nearness = -1;
    for (std::size_t at = i + 1; at > 0 && nearness < 2; at = recording.sites[at - 1].caller)
      for (const CodeLine& place : places[at - 1])
        if (const int here = nearness_of(place.file, source); here > nearness) best = &place, nearness = here;
    if (best) site.file = short_path(best->file, kit), site.line = best->line;
  }
  return {};
}

Result<Look> look_inside(const std::filesystem::path& program, const std::string& source, const variants::Kit& kit,
                         variants::ProcessRequest request, Wanted wanted, const variants::ProgramLimits& limits,
                         std::stop_token stop) {
  try {
    const variants::RunFolder folder;
    wanted.file = (folder.path() / "launch").string();
    request.run.most_steps = wanted.steps.end == Range().end ? 0 : wanted.steps.end;
    request.run.thin = false;
    request.accesses = wanted;
    const auto run = variants::run_variant(program, kit, request, limits, stop);
    if (!run) return run.error();
    auto recording = read_recording(wanted.file);
    if (!recording && !run->crash.empty())
      return Error{ErrorKind::device_failure, run->crash + " in " + run->step, "",
                   run->late ? "allow more time (--seconds), name a step, or use less data"
                             : "kdscope-cli variant build finds out why"};
    if (!recording && recording.error().kind == ErrorKind::io_failure)
      return Error{ErrorKind::bad_usage, "the run has no step " + std::to_string(wanted.steps.begin), "",
                   "kdscope-cli record, then show, lists the steps"};
    if (!recording) return recording.error();
    if (const auto found = find_lines(*recording, program, source, kit, stop); !found) return found.error();
    Look look{std::move(*recording), {}, {}};
    look.faults = find_faults(look.recording);
    // A call that all lanes make together ends the program if it stands inside an interval
    const bool at_barrier = run->fault && run->fault->text.starts_with(variants::misuse_mark) &&
                            run->fault->text.find("inside an interval") != std::string::npos;
    if (at_barrier)
      look.faults.push_back({FaultKind::barrier, run->crash});
    else
      look.crash = run->crash;
    return look;
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope::access_log
