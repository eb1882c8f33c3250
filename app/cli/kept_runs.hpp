#pragma once
// --keep and --compare of the commands that measure rows: the file that keeps them, and what is printed beside kept
// ones.

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "app/arguments/arguments.hpp"
#include "app/cli/commands.hpp"
#include "app/measure/comparison.hpp"

namespace kdscope::cli {

/// Both options. more: further sentences on --compare.
std::vector<Option> kept_options(const std::string& more = "");

/// The files of both options.
class KeptRuns {
 public:
  /// Reads them before anything is measured. The file of --compare may be missing only if --keep names the same file,
  /// which it then creates. Errors: those of runs_to_add_to() and read_runs(); io_failure if there is no folder for the
  /// file of --keep.
  static Result<KeptRuns> open(const Arguments& arguments);

  bool compares() const { return compare_; }
  /// The runs to compare with; none if there is no such file yet.
  const std::vector<MeasuredRun>& before() const { return before_; }
  /// With --keep, adds runs with rows to the file and reports that. Errors: those of add_runs().
  Result<void> keep(const std::vector<MeasuredRun>& runs, std::ostream& report) const;

 private:
  std::string file_;
  bool compare_ = false;
  std::vector<MeasuredRun> before_;
};

/// "commit 0123abc with local changes (2026-05-01)".
std::string program_of(const MeasuredRun& run);

/// Prints rows beside kept ones.
class ComparisonReport {
 public:
  explicit ComparisonReport(std::ostream& out) : out_(out) {}
  /// Prints one row. brief: leaves it out if it is neither different nor left out.
  void add(const ComparedRow& row, bool brief = false);
  /// Prints how many rows have each verdict. Returns exit_failed_check if a result is another, and exit_slower if a row
  /// is slower.
  ExitCode finish();

 private:
  std::ostream& out_;
  std::map<TimeVerdict, std::size_t> verdicts_;
  bool other_result_ = false;
};

}  // namespace kdscope::cli
