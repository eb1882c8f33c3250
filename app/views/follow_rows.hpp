#pragma once
// How far to scroll a table after a step.

#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// Returns the scroll value at which the rows that the step writes are in sight. If they fit together with the rows
/// around them (ArrayTable::written_rows()), it is the value nearest to `value` that shows all of these. Otherwise it
/// shows the written rows with some of the others or, if even the written rows do not fit, from the first of them on.
/// Returns `value` if the step writes no row. Rows of `row_height` pixels lie below a fixed head of `head` pixels;
/// `page` pixels are in sight, including the head.
int scrolled_to_work(const ArrayTable& table, int value, int head, int row_height, int page);

}  // namespace kdscope
