#pragma once
// The search for a parameter's best value on a device (Wehr & Radkowski 2018, section III-C: threads per block against
// number of points), kept in one file a device and used wherever that parameter is "auto" afterwards.

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
  std::string parameter;             ///< one with candidates; empty for the first
  std::vector<std::uint64_t> sizes;  ///< ascending; empty for tuning_sizes()
  Parameters parameters;             ///< of the others; defaults where they are silent
  Backend backend = Backend::automatic;
  int repeat = 5;  ///< timed builds a place
  /// Points to build, n of them.
  std::function<Result<std::shared_ptr<const DataSet>>(std::uint64_t n)> data;
  /// Measures a place; null for build().
  std::function<Result<BuildReport>(const BuildRequest& request, const RunControl& control)> measure;
};

/// What a search found.
struct TuningReport {
  Device device;
  std::vector<TuningRow> rows;  ///< by size, then in the candidates' order
  std::string cut_short;        ///< why larger sizes are missing: a sentence; empty when none is
};

/// Ten sizes from 2,000 to most, evenly spread on a logarithmic scale, to two digits; fewer where they coincide.
std::vector<std::uint64_t> tuning_sizes(std::uint64_t most);

/// The parameters of an algorithm that have candidates.
std::vector<ParameterSpec> tunable_parameters(const AlgorithmSpec& algorithm);

/// Builds every size with every candidate. `heard` (may be null) learns of each place on the running thread. A size
/// that memory does not hold ends the search with what there is. Errors: no such algorithm, back end or tunable
/// parameter, those of `data`, `measure` and build(), cancelled.
Result<TuningReport> search_tuning(const TuningRequest& request, const std::function<void(const TuningRow&)>& heard,
                                   const RunControl& control = {});

/// The row of least time for the measured size nearest to n on a logarithmic scale (the smaller one of two); nullptr
/// for no rows. `rows` are of one algorithm and parameter.
const TuningRow* best_tuning(const std::vector<TuningRow>& rows, std::uint64_t n);

/// Where a device's search is kept: KDSCOPE_TUNING names the folder, else $XDG_CONFIG_HOME/kdscope/tuning, else
/// ~/.config/kdscope/tuning; empty where none of them is set.
std::string tuning_path(const Device& device);

/// Adds a search to the device's file in place of older rows of the same algorithm and parameter; complete or not at
/// all, since it is written under another name first. A damaged file is replaced. Errors: io_failure.
Result<void> store_tuning(const TuningReport& report);

/// The device's rows of all algorithms; none where it has no file. Errors: a damaged or foreign file, io_failure.
Result<std::vector<TuningRow>> stored_tuning(const Device& device);

/// What "auto" means for n points by the stored search, or nothing: not searched, or no candidate of this version. An
/// error says why the file cannot be used; a run goes on without.
Result<std::optional<std::string>> tuned_value(const Device& device, std::string_view algorithm,
                                               std::string_view parameter, std::uint64_t n);

}  // namespace kdscope
