#pragma once
// What can be built, with which parameters, and how to run it: the one door from the app and the headless tool to the
// builders. No Qt, no CUDA, no Thrust here.

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
/// Most dimensions of points that some builder takes.
std::uint32_t most_dimensions();

/// Given parameters completed with defaults; an error names the parameter and what it may be.
Result<Parameters> complete_parameters(const AlgorithmSpec& spec, const Parameters& given);

/// Median of the build times, ms; 0 when none.
double median_ms(const std::vector<double>& times);

/// Builds at full speed, `repeat` times. Errors: unknown algorithm or parameter, data that the builder does not take,
/// no device, out of memory (with the CPU offered), cancelled.
Result<BuildReport> build(const BuildRequest& request, const RunControl& control = {});

/// Runs the same builder once with its state recorded. Errors as for build(), and over_budget: before the run where an
/// estimate passes the budget by half, during it where the recording itself does.
Result<std::shared_ptr<const Trace>> record(const BuildRequest& request, const RunControl& control = {});

/// Memory that a recording may keep where nobody chooses: half of what the machine has left. The other half is for the
/// build, the checks, and the window's copy of the state.
std::uint64_t default_trace_budget();

/// Bytes that record() would keep, within a factor of 1.5 for data like those of the tests. Takes two small recordings
/// of samples; errors as for build().
Result<std::uint64_t> estimated_trace_bytes(const BuildRequest& request, const RunControl& control = {});

/// What the integer keys lose that a builder sorts by, for completed parameters; nothing for builders without keys.
/// Work O(k n log n) on the host, none for keys that lose nothing.
std::optional<KeyLoss> key_loss(std::string_view algorithm, const PointSet& points, const Parameters& parameters);

/// The tree that a recorded run ends with, which knows the rules of its run.
struct RecordedTree {
  Tree tree;              ///< none where its kind is not known
  PointSet input;         ///< the trace's points, which the tree must be over
  std::string unchecked;  ///< what cannot be checked in it and why, one sentence; empty if everything can
};
/// Errors of kind failed_check name the array, and the element, that makes the last state no tree.
Result<RecordedTree> recorded_tree(std::shared_ptr<const Trace> trace);

/// kdscope's version, "0.1.0".
const char* version();

}  // namespace kdscope
