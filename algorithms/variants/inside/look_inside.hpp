#pragma once
// Looks inside steps: runs the program of a builder or variant that records accesses (Purpose::inside) in a process of
// its own, finds the lines of the accesses, and checks them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/variants/inside/faults.hpp"
#include "algorithms/variants/inside/launch_recording.hpp"
#include "algorithms/variants/variant_run.hpp"

namespace kdscope::access_log {

struct Look {
  LaunchRecording recording;
  std::vector<Fault> faults;  ///< see find_faults(); also what lanes may not do, if the program ended at that
  std::string crash;          ///< how else the program ended within the step; then the recording ends there
  std::optional<std::uint64_t> tree = {};  ///< hash of the tree, if the run went to its end; 0: there is none
};

/// Runs the builder up to the end of wanted.steps and records the launches of these; or the search of request.run, and
/// records all of its launches. program: compiled with Purpose::inside from `source`, a variant's or a search's file;
/// without a source, by compile_original() or compile_search(). Errors: those of run_variant(),
/// and bad_usage if the run has no such step.
Result<Look> look_inside(const std::filesystem::path& program, const std::string& source, const variants::Kit& kit,
                         const variants::ProcessRequest& request, const Wanted& wanted,
                         const variants::ProgramLimits& limits = {}, std::stop_token stop = {});

/// Runs the program to its end in other orders of lanes, warps and blocks. If the tree depends on them, adds to the
/// faults of a look in ascending order the first element that a recorded launch leaves with another value, of those
/// that the source's own lines leave, if there is a source. Launches are compared up to the first one with another
/// fault, or with accesses beyond the budget. What a search leaves must not depend on them either. wanted: without a
/// choice of groups and lanes. Errors: those of look_inside().
Result<void> compare_orders(Look& look, const std::vector<LaneOrder>& orders, const std::filesystem::path& program,
                            const std::string& source, const variants::Kit& kit, variants::ProcessRequest request,
                            const Wanted& wanted, const variants::ProgramLimits& limits = {},
                            std::stop_token stop = {});

/// Places in a source, the innermost first.
struct CodeLine {
  std::string file;
  std::uint32_t line = 0;
};
/// Reads what `addr2line -a -i` prints: an address, then the lines of the functions that the compiler merged there.
std::vector<std::vector<CodeLine>> code_lines_in(const std::string& output);

/// Sets the line of each site: the innermost one in the source or in a builder; if there is none, the innermost one
/// that is not of the executors or of basic types. addr2line finds them, because it comes with every compiler that
/// writes programs here, and knows the functions that were merged into others.
Result<void> find_lines(LaunchRecording& recording, const std::filesystem::path& program, const std::string& source,
                        const variants::Kit& kit, std::stop_token stop = {});

}  // namespace kdscope::access_log
