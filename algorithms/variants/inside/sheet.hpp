#pragma once
// The sheet of a block or warp: one row per lane, one column per access.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/variants/inside/launch_walk.hpp"

namespace kdscope::access_log {

/// An access as a column: the k-th time that a lane is at a place of the code in an interval.
struct SheetColumn {
  std::uint32_t site = 0, repetition = 0;
  std::vector<const Access*> cells;  ///< by row; null: the lane has left the loop, or took another branch
};

/// The accesses of one interval of a group.
struct Sheet {
  std::uint32_t launch = 0, group = 0, interval = 0;
  std::vector<std::uint32_t> lanes;  ///< of the rows; every_lane: accesses that all lanes make outside of intervals
  std::vector<SheetColumn> columns;  ///< in the order of the code, as the lanes passed it
};

/// Returns the sheet of one stretch of the recording. Work O(accesses) where lanes take the same way.
Sheet sheet_of(const LaunchRecording& recording, const Stretch& stretch);

/// Returns the sheets of the groups and lanes, in the order of the intervals. An interval without accesses has no
/// sheet.
std::vector<Sheet> sheets_of(const LaunchRecording& recording, std::uint32_t launch, Range groups, Range lanes);

/// Returns "[12] 7", "[12] <- 7", "[3] +> 4": the element and the value that was read, written, or left by an atomic
/// operation; with '!' if it is out of bounds or was never written.
std::string cell_text(const LaunchRecording& recording, const Access& access);

}  // namespace kdscope::access_log
