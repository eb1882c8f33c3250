#pragma once
// The table in which earlier versions kept the rows of experiment files: NAME.results.csv beside the file.

#include <string>
#include <string_view>
#include <vector>

#include "app/measure/measured_row.hpp"

namespace kdscope {

/// Whether a text begins as such a table.
bool is_kept_table(std::string_view text);

/// Reads the runs of a table. Successive rows of one commit make a run, until work comes for the second time. Their
/// single times are not known. Errors: bad_input with the line of the first damage.
Result<std::vector<MeasuredRun>> runs_in_table(std::string_view text, const std::string& path);

}  // namespace kdscope
