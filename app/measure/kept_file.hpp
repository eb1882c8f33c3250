#pragma once
// The file that keeps measured runs: JSON with the device, the program, the method, and every single time.

#include <string>
#include <string_view>
#include <vector>

#include "app/measure/measured_row.hpp"

namespace kdscope {

/// The file's text. Medians and rates stand in it for other programs; reading computes them again from the times.
std::string json_of(const std::vector<MeasuredRun>& runs);

/// Reads the text of such a file, of the file with one run that `bench --json` of earlier versions wrote, or of the
/// table that `experiment --keep` of earlier versions wrote. At least one run. Errors of kind bad_input that name
/// `path`: it is no such file, or damaged.
Result<std::vector<MeasuredRun>> runs_from(std::string_view text, const std::string& path);

/// Opens and reads a file. Errors: also those of InputFile.
Result<std::vector<MeasuredRun>> read_runs(const std::string& path);

/// Reads a file that more runs are to be added to; none if there is no such file. Errors: those of read_runs(), and
/// bad_input for the table of an earlier version.
Result<std::vector<MeasuredRun>> runs_to_add_to(const std::string& path);

/// Adds runs to the end of a file, or makes it. The file is replaced as a whole. Errors: those of runs_to_add_to(),
/// bad_input if the file would be too large to be read, io_failure.
Result<void> add_runs(const std::string& path, const std::vector<MeasuredRun>& added);

/// The newest run. Precondition: there is one.
const MeasuredRun& newest(const std::vector<MeasuredRun>& runs);

}  // namespace kdscope
