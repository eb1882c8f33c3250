#include "algorithms/variants/inside/look_inside.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

#include "algorithms/core/caught.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/child_program.hpp"
#include "algorithms/variants/inside/orders.hpp"
#include "algorithms/variants/inside/recording_file.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/run_folder.hpp"

namespace kdscope::access_log {
namespace {

/// Returns how near a file is to the kernel: 2 in the source, a builder or a search, 1 in other code of kdscope, 0 in
/// executors, basic types and libraries.
int nearness_of(const std::string& file, const std::string& source) {
  if (file == source || file.find("/algorithms/builders/") != std::string::npos) return 2;
  // What a folder of searches holds; the files beside these folders serve several sources
  constexpr std::string_view queries = "/algorithms/queries/";
  if (const std::size_t at = file.find(queries); at != std::string::npos)
    return file.find('/', at + queries.size()) != std::string::npos ? 2 : 1;
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
  if (ended->reason != variants::ProgramEnd::Reason::exit)
    return Error{ErrorKind::device_failure,
                 "addr2line, which finds the lines of accesses, was ended, because it took too much time, memory or "
                 "output",
                 "", "try again when this machine does less"};
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

namespace {

/// Returns what a run to its end has come to: the hash of its tree; 0 if there is none.
std::uint64_t result_of(const variants::VariantRun& run) {
  if (!run.trace || !run.crash.empty()) return 0;
  const auto end = recorded_tree(run.trace);
  return end && !end->tree.empty() ? tree_hash(end->tree) : 0;
}

/// A recording without its lines, and how the run ended.
struct Recorded {
  LaunchRecording recording;
  variants::VariantRun run;
};

/// to_its_end: the run goes on behind the steps.
Result<Recorded> recorded(const std::filesystem::path& program, const variants::Kit& kit,
                          variants::ProcessRequest request, Wanted wanted, bool to_its_end,
                          const variants::ProgramLimits& limits, std::stop_token stop) {
  const variants::SharedFile file;
  wanted.file = file.path();
  request.run.most_steps = to_its_end || wanted.steps.end == Range().end ? 0 : wanted.steps.end;
  request.run.thin = false;
  request.accesses = wanted;
  auto run = variants::run_variant(program, kit, request, limits, stop);
  auto recording = read_recording(wanted.file);
  if (!run) {
    if (!recording || recording->accesses.empty() || run.error().kind == ErrorKind::cancelled) return run.error();
    // A fault may make the builder fail, too: what was recorded shows it
    variants::VariantRun failed;
    failed.crash = run.error().what;
    return Recorded{std::move(*recording), std::move(failed)};
  }
  if (recording) return Recorded{std::move(*recording), std::move(*run)};
  if (!run->crash.empty())
    return Error{ErrorKind::device_failure, run->crash + " in " + run->step, "",
                 run->late ? "allow more time (--seconds), name a step, or use less data"
                           : "kdscope-cli variant build finds out why"};
  if (recording.error().kind == ErrorKind::io_failure)
    return Error{ErrorKind::bad_usage, "the run has no step " + std::to_string(wanted.steps.begin), "",
                 "kdscope-cli record, then show, lists the steps"};
  return recording.error();
}

/// Returns a misuse of what all lanes do together, or each for itself, which ended the run, as a fault.
Fault fault_of_misuse(const LaunchRecording& recording, const variants::Event& misuse, const std::string& source) {
  const std::string deed = misuse.text.substr(variants::misuse_mark.size());
  const bool barrier = deed.find("inside an interval") != std::string::npos;
  const std::string place =
      misuse.line == 0 ? misuse.header : source.substr(source.rfind('/') + 1) + ":" + std::to_string(misuse.line);
  Fault fault{barrier ? FaultKind::barrier : FaultKind::lane_rules, place + " " + deed};
  const RecordingEnd& end = recording.end;
  if (!end.known) return fault;
  fault.launch = end.launch;
  const Launch& launch = recording.launches[end.launch];
  if (launch.kind != LaunchKind::blocks && launch.kind != LaunchKind::warps) return fault;
  fault.sentence += std::string(launch.kind == LaunchKind::blocks ? " (block " : " (warp ") +
                    std::to_string(end.group) + ", interval " + std::to_string(end.interval) +
                    (end.lane < 0 ? "" : ", lane " + std::to_string(end.lane)) + ")";
  if (barrier && end.lane > 0) fault.sentence += ", and lane " + std::to_string(end.lane - 1) + " has not come there";
  return fault;
}

/// Returns how a run ended, with the place in its launch, and with the last access before. all_lanes: of all blocks,
/// too, were recorded.
std::string end_of_run(const LaunchRecording& recording, const std::string& crash, bool all_lanes) {
  std::string text = crash;
  const RecordingEnd& end = recording.end;
  if (end.stack_overflowed)
    text += ", because its stack was used up: a recursion does not end, or local variables are too large";
  if (end.known) {
    const Launch& launch = recording.launches[end.launch];
    const bool groups = launch.kind == LaunchKind::blocks || launch.kind == LaunchKind::warps;
    text += ", in '" + launch.name + "'";
    if (groups)
      text += ", " + std::string(recording.group_word(end.launch)) + " " + std::to_string(end.group) + ", interval " +
              std::to_string(end.interval);
    if (end.lane >= 0) text += std::string(groups ? ", lane " : ", index ") + std::to_string(end.lane);
  }
  if (recording.accesses.empty()) return text;
  const Access& last = recording.accesses.back();
  const bool of_launch = end.known && last.launch == end.launch;
  const bool left_out = recording.launches.back().left_out > 0, exact = recording.array_of(last).no_array.has_value();
  const char* which = exact ? "" : left_out ? " within the budget" : all_lanes ? "" : " of the recorded lanes";
  return text + "; the last access" + which + " was: " + recording.deed_of(last) + " (" +
         (of_launch ? "" : "'" + recording.launches[last.launch].name + "', ") + recording.place_of(last) + ")";
}

}  // namespace

Result<Look> look_inside(const std::filesystem::path& program, const std::string& source, const variants::Kit& kit,
                         const variants::ProcessRequest& request, const Wanted& wanted,
                         const variants::ProgramLimits& limits, std::stop_token stop) try {
  auto made = value_of(recorded(program, kit, request, wanted, false, limits, stop));
  Look look{std::move(made.recording), {}, {}};
  if (const auto found = find_lines(look.recording, program, source, kit, stop); !found) return found.error();
  look.faults = find_faults(look.recording);
  const auto& ended = made.run.fault;
  if (ended && ended->text.starts_with(variants::misuse_mark))
    look.faults.push_back(fault_of_misuse(look.recording, *ended, source));
  else if (!made.run.crash.empty())
    look.crash = end_of_run(look.recording, made.run.crash, wanted.groups == Range() && wanted.lanes == Range());
  if (wanted.steps.end == Range().end) look.tree = result_of(made.run);
  return look;
} catch (const ErrorException& e) {
  return e.error();
}

Result<void> compare_orders(Look& look, const std::vector<LaneOrder>& orders, const std::filesystem::path& program,
                            const std::string& source, const variants::Kit& kit, variants::ProcessRequest request,
                            const Wanted& wanted, const variants::ProgramLimits& limits, std::stop_token stop) try {
  // What a fault or the budget changes differs for that reason
  auto launches = static_cast<std::uint32_t>(look.recording.launches.size());
  const bool search = !request.run.search.empty();
  for (std::uint32_t launch = 0; launch < launches; ++launch)
    if (look.recording.launches[launch].left_out > 0) launches = launch;
  for (const Fault& fault : look.faults) launches = std::min(launches, fault.launch);
  if (!look.crash.empty() && look.recording.end.known) launches = std::min(launches, look.recording.end.launch);
  if (launches == 0) return {};
  // What a search leaves is its result
  if (!look.tree && !search) {
    const auto in_ascending_order = value_of(recorded(program, kit, request, wanted, true, limits, stop));
    look.tree = result_of(in_ascending_order.run);
  }
  for (const LaneOrder& order : orders) {
    request.order = order;
    auto made = value_of(recorded(program, kit, request, wanted, true, limits, stop));
    LaunchRecording& other = made.recording;
    // A list may be in any order on the way to one result
    if (search || result_of(made.run) != look.tree) {
      if (const auto found = find_lines(other, program, source, kit, stop); !found) return found.error();
      // The variant's own lines may only compare, or leave no array
      const std::string file = source.substr(source.rfind('/') + 1), clause = clause_of(order);
      auto fault = order_fault(look.recording, other, {launches, file, clause});
      if (!fault && !file.empty()) fault = order_fault(look.recording, other, {launches, "", clause});
      if (fault) {
        look.faults.push_back(std::move(*fault));
        return {};
      }
    }
    if (!made.run.crash.empty() && other.end.known && other.end.launch < launches) {
      Fault ended{FaultKind::order, clause_of(order) + ", the run ends: " + made.run.crash};
      ended.launch = other.end.launch;
      look.faults.push_back(std::move(ended));
      return {};
    }
  }
  return {};
} catch (const ErrorException& e) {
  return e.error();
}

}  // namespace kdscope::access_log
