#pragma once
// The results of a bench as tables for people.

#include <ostream>

#include "app/measure/measured_row.hpp"

namespace kdscope::cli {

/// Prints the table of one device, the rows that are left out with their reasons, and what differs between searches.
void print_table(const MeasuredTable& table, std::ostream& out);

}  // namespace kdscope::cli
