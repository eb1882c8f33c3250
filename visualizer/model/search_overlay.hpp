#pragma once
// A recorded search as marks above the picture of a step.

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/model/overlay.hpp"

namespace kdscope {

/// Returns whether a trace holds a search, whose steps write the standard arrays search_arrays, or a batch.
bool is_search(const Trace& trace);
/// Returns whether a trace holds a batch of searches, whose steps write the standard arrays batch_arrays.
bool is_batch(const Trace& trace);

/// Returns the query, its reach, the lines to what was found, the cell of the node that the step visits, the cells that
/// wait, and the cells that were skipped, which fade. Of a ray: its way, the part in the cell, and the hit. Nothing for
/// a trace without a search; what the arrays hold wrongly is left out. Where marks are concealed, only the query or the
/// ray, which the search was given. Work O(nodes).
Overlay search_overlay(const Cursor& cursor, const Concealment& concealed = {});

/// Returns what a search has done so far with each node of the standard partition; nodes below a skipped one count as
/// skipped, those below a dropped one as dropped. Empty for a trace without a search. Work O(nodes).
std::vector<SearchState> search_states(const Cursor& cursor);

}  // namespace kdscope
