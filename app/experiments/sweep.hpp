#pragma once
// Sweeps: experiments that measure every combination of lists of algorithms, data, sizes and parameters.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/experiments/experiment.hpp"

namespace kdscope {

/// The lists of a sweep. All but `sizes`, `dims` and `parameters` have at least one value; no list repeats a value.
struct Sweep {
  std::string id;     ///< "my-sweep"
  std::string title;  ///< one line
  std::string notes;  ///< may be empty
  std::vector<std::string> algorithms;
  std::vector<std::string> data;     ///< specifications; {n} and {dim} stand for each of sizes and dims
  std::vector<std::uint64_t> sizes;  ///< empty if no specification has {n}
  std::vector<std::uint64_t> dims;   ///< empty if no specification has {dim}
  /// Names and values in the order of the file. An algorithm without a parameter leaves out its list.
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters;
  std::vector<Backend> backends{Backend::automatic};
  std::vector<std::uint64_t> processors{0};  ///< multiprocessors or threads; 0 for all
  int repeats = 0;                           ///< timed builds per row; 0: automatic
  std::string x = "n";                       ///< what the chart draws along x: n, dim, processors or a parameter
  std::string folder;                        ///< relative paths of data files start here; empty: the working directory
};

/// The largest sweep that is accepted.
inline constexpr std::uint64_t most_sweep_rows = 1000;

/// Number of combinations, at most 2^63.
std::uint64_t row_count(const Sweep& sweep);

/// One row per combination, grouped by chart and series, with x ascending. Columns of the CSV beside the usual ones:
/// the listed parameters, the algorithm and the data's specification. Rows of data that an algorithm does not take get
/// that as their reason. Opens data sets whose size their specification does not give, and small ones. Preconditions:
/// at most most_sweep_rows rows; every algorithm is registered and permits the values of its parameters; x has numbers.
/// Errors: those of open_data_set().
Result<Experiment> experiment_of(const Sweep& sweep);

/// Experiment::measure of every sweep: as built-in experiments do, but what a builder refuses is the reason of its row;
/// other rows of the product may suit it.
Result<void> measure_sweep(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control);

}  // namespace kdscope
