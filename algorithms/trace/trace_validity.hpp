#pragma once
// The properties of every well-formed trace, whatever its origin. Traces from files are checked here before they are
// shown.

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Checks that a trace can be walked and drawn safely: array names are unique, versions ascend and begin with a
/// keyframe, deltas stay inside their arrays and cover all growth, derived rows gather existing arrays, steps name
/// existing arrays, highlights are ordered ranges, and the points and the partition have their declared types and
/// sizes. Ids and counts may have any value, because a wrong builder may have written them; readers of a trace check
/// them before they follow them. The error's `where` names the array and the step.
Result<void> check_trace(const Trace& trace);

}  // namespace kdscope
