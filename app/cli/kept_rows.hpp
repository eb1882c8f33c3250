#pragma once
// experiment --keep and --compare: the rows of an experiment file beside those that other commits kept.

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "app/arguments/arguments.hpp"
#include "app/experiments/experiment.hpp"
#include "app/experiments/kept_results.hpp"

namespace kdscope::cli {

std::vector<Option> kept_rows_options();

/// The results file of one run of an experiment file.
class KeptRows {
 public:
  /// Reads the results that --compare and --keep need, before anything is measured. `experiment_file` is empty for a
  /// built-in experiment. Errors: bad_usage for an option with a built-in experiment; those of read_results().
  static Result<KeptRows> open(const Arguments& arguments, const std::string& experiment_file);

  bool compares() const { return compare_; }
  /// Takes a row, and with --compare prints it beside the newest result of another commit.
  void add(const ExperimentSpec& spec, const ExperimentRow& row, std::ostream& out);
  /// Prints how many rows have each verdict.
  void print_verdicts(std::ostream& out) const;
  /// With --keep, adds the measured rows to the results file and reports that. Errors: those of append_results().
  Result<void> keep(std::ostream& report) const;

 private:
  std::string file_;
  bool keep_ = false, compare_ = false;
  std::vector<KeptResult> before_, measured_;
  std::map<TimeVerdict, std::size_t> verdicts_;
};

}  // namespace kdscope::cli
