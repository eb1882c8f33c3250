#pragma once
// What a picture of one step reads that is not in memory yet.

#include <cstdint>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns the stored values that a cursor at a step, and whatever shows that step, would have to wait for: those from
/// which the contents of all arrays at the step are made, the orders of the points at which rows were written
/// (RowOrder), what arrays of counts were counted from, and split candidates tried so far. After a look at each of
/// them, the state at the step is read without waiting. Reads no values. Work O(arrays log versions).
std::vector<TypedArray> missing_values(const Trace& trace, std::uint32_t step);

/// Returns whether any value of a run is not in memory, so that what reads all of them belongs on another thread.
bool lacks_values(const Trace& trace);

}  // namespace kdscope
