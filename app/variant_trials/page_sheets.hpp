#pragma once
// The sheets of lanes of a lesson's page, from the recording beside the lesson.

#include "visualizer/web/page_sheets.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// Lanes of an interval, and accesses of a lane, that a page shows; it counts the others.
inline constexpr std::size_t most_page_lanes = 64, most_page_accesses = 32;

/// Returns the sheets of the stops that look inside launches of this run. A stop whose recording is missing, damaged or
/// of another run has the reason. Work: opens the recording once for each of these stops.
PageSheetsByStop page_sheets(const Lesson& lesson, const Trace& trace);

}  // namespace kdscope
