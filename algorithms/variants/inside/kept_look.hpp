#pragma once
// LooksByStep inside steps as arrays of a trace, so that its file needs nothing else; trace/README.md documents them
// for other programs. A machine without a compiler opens such a trace.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "algorithms/variants/inside/look_inside.hpp"

namespace kdscope::access_log {

using LooksByStep = std::map<std::uint32_t, std::shared_ptr<const Look>>;  ///< by step

/// Adds looks to a trace that is not shared yet, in place of those that it holds. Steps that the trace does not have
/// are left out. Work and memory: 45 bytes per access.
void keep_looks(Trace& trace, const LooksByStep& looks);

/// Returns the trace with more looks, or itself if there are none. Those that it holds inside other steps stay. Memory:
/// a copy of the trace.
std::shared_ptr<const Trace> with_looks(std::shared_ptr<const Trace> trace, LooksByStep looks);

/// Returns the steps that the trace holds looks inside, ascending.
std::vector<std::uint32_t> steps_with_looks(const Trace& trace);

/// Returns the look inside a step that the trace holds; its faults are found again. Errors of kind bad_input: there is
/// none, or it is damaged.
Result<Look> kept_look(const Trace& trace, std::uint32_t step);

}  // namespace kdscope::access_log
