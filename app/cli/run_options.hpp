#pragma once
// What `build` and `record` have in common: the options of a run, and how a run is shown.

#include <string>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/json.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/arguments/run_arguments.hpp"
#include "app/cli/commands.hpp"

namespace kdscope::cli {

/// --algorithm, --data, --backend, --param.
std::vector<Option> run_options();
Option json_option();

/// The request that these options make, its data set opened.
Result<BuildRequest> request_from(const Arguments& arguments);

/// An error of kind io_failure where there is no folder for a file that a run is to write: before the run, not after
/// it.
Result<void> check_folder_of(const std::string& file);

/// An error of kind bad_usage where a run would write over its own input: the file that `data` names, also by a link. A
/// data set of that name hides a file, which then is no input.
Result<void> check_output_is_not_input(const std::string& option, const std::string& output, const std::string& data);

/// Prints what is otherwise in the points than in their file, a line each, to standard error.
void print_warnings(const DataSet& data, Console& console);

/// Stop token and progress of a console; the progress line is cleared by finish_progress().
RunControl control_for(Console& console);
void finish_progress(Console& console);

/// "split=round-robin sort=radix".
std::string parameters_text(const Parameters& parameters);

/// Prints findings as lines, failed ones with all lines of their detail. Returns whether all passed.
bool print_findings(const std::vector<CheckResult>& findings, std::ostream& out);
/// Member "checks" of an open JSON object.
void write_findings(const std::vector<CheckResult>& findings, JsonWriter& json);

}  // namespace kdscope::cli
