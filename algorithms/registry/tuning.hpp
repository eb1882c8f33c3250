#pragma once
// The search for a parameter's best value on a device (Wehr & Radkowski 2018, section III-C: threads per block by
// number of points). One file per device stores the results, which apply wherever that parameter is "auto".

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/tuning_file.hpp"

namespace kdscope {

/// What a search measures.
struct TuningRequest {
  std::string algorithm;
  std::string parameter;             ///< a parameter with candidates; empty for the first
  std::vector<std::uint64_t> sizes;  ///< ascending; empty for tuning_sizes()
  Parameters parameters;             ///< values of the other parameters; defaults for those not given
  Backend backend = Backend::automatic;
  int repeat = 5;  ///< timed builds per size and value; with fewer than 5, no value is clearly faster
  /// Returns n points to build with.
  std::function<Result<std::shared_ptr<const DataSet>>(std::uint64_t n)> data;
  /// Measures one combination; null to use build().
  std::function<Result<BuildReport>(const RunRequest& request, const RunControl& control)> measure;
};

/// The result of a search.
struct TuningReport {
  Device device;
  std::vector<TuningRow> rows;  ///< by size, then in the candidates' order
  std::vector<TuningRow> kept;  ///< what a device's file stores: per size, the fastest value if it is clearly faster
                                ///< than the one that "auto" takes without a search, else "auto"
  std::vector<std::uint64_t> undecided;  ///< sizes at which the fastest value is not clearly faster
  std::string cut_short;        ///< why larger sizes are missing, in one sentence; empty if none is missing
};

/// Returns ten sizes from 2,000 to `most`, evenly spaced on a logarithmic scale and rounded to two digits; fewer if
/// some coincide.
std::vector<std::uint64_t> tuning_sizes(std::uint64_t most);

/// Returns the parameters of an algorithm that have candidates.
std::vector<ParameterSpec> tunable_parameters(const AlgorithmSpec& algorithm);

/// Builds every size with every candidate, and with the value that "auto" takes without a search, in turn. `heard` (may
/// be null) receives each row on the running thread. A size that does not fit into memory ends the search; the report
/// keeps the rows so far. Errors: an unknown algorithm, back end or tunable parameter, those of `data`, `measure` and
/// build(), cancelled.
Result<TuningReport> search_tuning(const TuningRequest& request, const std::function<void(const TuningRow&)>& heard,
                                   const RunControl& control = {});

/// Returns the fastest row of the measured size nearest to n on a logarithmic scale (the smaller of two equally near
/// sizes), or nullptr if there are no rows. All rows must belong to one algorithm and parameter.
const TuningRow* best_tuning(const std::vector<TuningRow>& rows, std::uint64_t n);

/// Returns the path of the file of a device's searches: in the folder KDSCOPE_TUNING, else in
/// $XDG_CONFIG_HOME/kdscope/tuning, else in ~/.config/kdscope/tuning. Empty if none of these is set.
std::string tuning_path(const Device& device);

/// Stores a search in the device's file in place of older rows of the same algorithm and parameter. The file is
/// replaced as a whole, even if it is damaged. Errors: io_failure.
Result<void> store_tuning(const TuningReport& report);

/// Returns the device's rows of all algorithms; none if it has no file. Errors: a damaged or foreign file, io_failure.
Result<std::vector<TuningRow>> stored_tuning(const Device& device);

/// Returns the value that the stored search gives "auto" for n points; nullopt if there is no search, if it found no
/// clearly faster value, or if none of its values is a candidate of this version. An error states why the file cannot
/// be used; a run continues without it.
Result<std::optional<std::string>> tuned_value(const Device& device, std::string_view algorithm,
                                               std::string_view parameter, std::uint64_t n);

}  // namespace kdscope
