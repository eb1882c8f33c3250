#pragma once
// Which rows of a table are in sight after a step.

#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// The scroll value, nearest to the one that is, with which the rows that the step writes are in sight, with those of
/// the same dimension where there is room, else with some of them; the first row where there is not even room for what
/// is written. Rows of row_height lie below a head that stays; `page` pixels are in sight, the head's among them.
int scrolled_to_work(const ArrayTable& table, int value, int head, int row_height, int page);

}  // namespace kdscope
