#pragma once
// The lanes that a page shows where its lesson stops inside a launch. Who makes the page reads them from the recording
// beside the lesson, because the trace of a run does not hold it.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace kdscope {

/// One interval of a block or warp: one row per lane, one column per access.
struct PageSheet {
  struct Column {
    std::string line;   ///< "partition.hpp:45"; of what the lanes did together, its name: "ballot"
    std::string array;  ///< of a vote: how many lanes voted for it
  };
  std::string place;  ///< "block 2, interval 1"
  std::vector<Column> columns;
  std::vector<std::string> lanes;               ///< of the rows: "lane 5"
  std::vector<std::vector<std::string>> cells;  ///< by row, then column; empty: the lane did not do this
  std::size_t lanes_left_out = 0, columns_left_out = 0;
};

/// The intervals of the block or warp at which a stop looks.
struct PageSheets {
  std::string launch;  ///< "launch 0: 'partition', 4 blocks of 256 lanes"
  std::vector<PageSheet> intervals;
  std::size_t open = 0;  ///< the interval of the stop
  std::string missing;   ///< why there are none, as a sentence; empty if there are some
};

using PageSheetsByStop = std::map<std::size_t, PageSheets>;  ///< by index in Lesson::stops

}  // namespace kdscope
