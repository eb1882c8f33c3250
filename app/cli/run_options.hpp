#pragma once
// Shared by the commands that run an algorithm: the options of a run, and how a run is shown.

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

/// Makes the request of these options, reads its texts and opens its data set.
Result<TypedRun> run_from(const Arguments& arguments);

/// Checks, before a run starts, that the folder of its output file exists. Otherwise the error is io_failure.
Result<void> check_folder_of(const std::string& file);

/// The file for what a stopped run measured: "t.unfinished.csv" for "t.csv", so that an older "t.csv" stays.
std::string unfinished_file_of(const std::string& file);

/// Checks that a run does not overwrite its input, the file that `data` names, even through a link. Otherwise the error
/// is bad_usage. If `data` names a data source, there is no input file.
Result<void> check_output_is_not_input(const std::string& option, const std::string& output, const std::string& data);

/// Checks that the file of an option, if it is given, is not `other`, which would be lost. Otherwise the error is
/// bad_usage.
Result<void> check_other_file(const std::string& option, const std::string& file, const std::string& other);

/// Both of these checks for the file of an option, unless the option is missing.
Result<void> check_output_of(const std::string& option, const Arguments& arguments);

/// Prints warnings of data sets to standard error, one per line: how their points differ from their files.
void print_warnings(const std::vector<std::string>& warnings, Console& console);
inline void print_warnings(const DataSet& data, Console& console) { print_warnings(data.warnings, console); }

/// Stop token and progress of a console; the progress line is cleared by finish_progress().
RunControl control_for(Console& console);
void finish_progress(Console& console);

/// "split=round-robin sort=radix".
std::string parameters_text(const Parameters& parameters);

/// Prints findings as lines, failed ones with all lines of their detail. Returns whether all passed.
bool print_findings(const std::vector<CheckResult>& findings, std::ostream& out);
/// Member "checks" of an open JSON object.
void write_findings(const std::vector<CheckResult>& findings, JsonWriter& json);

/// Prints the times of steps, if there are any.
void print_steps(const std::vector<StepTime>& steps, std::ostream& out);
/// Member "steps" of an open JSON object.
void write_steps(const std::vector<StepTime>& steps, JsonWriter& json);

}  // namespace kdscope::cli
