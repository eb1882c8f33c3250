#pragma once
// Runs the tools of compute-sanitizer, which watch a CUDA device, and reads their reports.

#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants {

/// Reads a list of tools: "memcheck,racecheck". The tools are memcheck (accesses out of bounds), racecheck (shared
/// memory that lanes use without a barrier between), initcheck (global memory that is read before it is written) and
/// synccheck (barriers that not all lanes reach). Errors of kind bad_usage: an unknown tool, or one twice.
Result<std::vector<std::string>> device_tools_in(const std::string& list);

/// Returns the command that runs a program under a tool, which comes with the compiler for CUDA.
std::vector<std::string> device_tool_command(const Kit& kit, const std::string& tool, const std::string& program);

/// Returns the first fault that a tool reports in its output, or nullopt. file: the variant's source. arrays: the
/// events of kind array, in order. An address is attributed to the array that contains it or lies nearest in front of
/// it, since an index usually runs past the end. The fault of memcheck is an access; that of another tool is a sentence
/// with the tool's name.
std::optional<Event> fault_in(const std::string& output, const std::string& tool, const std::string& file,
                              const std::vector<Event>& arrays);

}  // namespace kdscope::variants
