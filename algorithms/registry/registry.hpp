#pragma once
// The builders, their parameters, and how to run them: the app and the headless tool reach the builders only through
// this interface. No Qt, no CUDA, no Thrust here.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

const char* name_of(Backend backend);  ///< "auto", "cpu", "cuda"
Result<Backend> backend_named(std::string_view name);

/// The devices of this machine, the preferred one first, and why there is no CUDA device if there is none.
struct DeviceReport {
  std::vector<Device> devices;  ///< never empty: the CPU is always there
  std::string cuda_status;      ///< empty when a CUDA device is usable; otherwise one sentence
};
DeviceReport find_devices();

/// All builders, in the order of their ids.
const std::vector<AlgorithmSpec>& algorithms();
const AlgorithmSpec* find_algorithm(std::string_view id);
/// The largest number of dimensions that any builder takes.
std::uint32_t most_dimensions();

/// Completes given parameters with defaults; an error names the parameter and its permitted values.
Result<Parameters> complete_parameters(const AlgorithmSpec& spec, const Parameters& given);

/// Median of the build times, in ms; 0 if there are none.
double median_ms(const std::vector<double>& times);

/// Builds at full speed, `repeat` times. Errors: unknown algorithm or parameter, data that the builder does not take,
/// no device, out of memory (suggesting the CPU), cancelled.
Result<BuildReport> build(const BuildRequest& request, const RunControl& control = {});

/// Runs the same builder once and records its state. Errors as for build(), and over_budget: before the run if an
/// estimate exceeds the budget by half, during the run if the recording itself exceeds it.
Result<std::shared_ptr<const Trace>> record(const BuildRequest& request, const RunControl& control = {});

/// Default memory budget of a recording: half of the available memory. The other half is for the build, the checks, and
/// the window's copy of the state.
std::uint64_t default_trace_budget();

/// Bytes that record() would keep, within a factor of 1.5 for data like those of the tests. Makes two small recordings
/// of samples; errors as for build().
Result<std::uint64_t> estimated_trace_bytes(const BuildRequest& request, const RunControl& control = {});

/// What the integer keys lose by which a builder sorts, for completed parameters; nullopt for builders without keys.
/// Work O(k n log n) on the host, none for keys that lose nothing.
std::optional<KeyLoss> key_loss(std::string_view algorithm, const PointSet& points, const Parameters& parameters);

/// The tree at the end of a recorded run, which knows the rules of its run.
struct RecordedTree {
  Tree tree;              ///< empty if its kind is unknown
  PointSet input;         ///< the trace's points, which the tree must be over
  std::string unchecked;  ///< what cannot be checked and why, in one sentence; empty if everything can
};
/// Errors of kind failed_check name the array and the element because of which the last state is no tree.
Result<RecordedTree> recorded_tree(std::shared_ptr<const Trace> trace);

/// kdscope's version, "0.1.0".
const char* version();

}  // namespace kdscope
