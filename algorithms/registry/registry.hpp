#pragma once
// The builders, their parameters, and the functions that run them. The app and the headless tool reach the builders
// only through this interface. It uses neither Qt nor CUDA nor Thrust.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/samples.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

const char* name_of(Backend backend);  ///< "auto", "cpu", "cuda"
Result<Backend> backend_named(std::string_view name);

/// The devices of this machine, the preferred one first, and the reason if no CUDA device is usable.
struct DeviceReport {
  std::vector<Device> devices;  ///< never empty, because the CPU is always available
  std::string cuda_status;      ///< empty if a CUDA device is usable; otherwise one sentence
};
DeviceReport find_devices();
/// Returns the CPU. Does not call the CUDA driver, which may be missing or broken.
Device cpu_device();

/// Returns the specifications of all builders in the order of their ids.
const std::vector<AlgorithmSpec>& algorithms();
const AlgorithmSpec* find_algorithm(std::string_view id);
/// The same. Error of kind bad_usage: there is none; it names a similar one, or all.
Result<const AlgorithmSpec*> known_algorithm(std::string_view id);
/// Returns the largest number of dimensions that any builder takes.
std::uint32_t most_dimensions();

/// Completes the given parameters with defaults, for forms. An error names the parameter and its permitted values.
inline Result<Parameters> complete_parameters(const AlgorithmSpec& spec, const Parameters& given) {
  return complete_parameters(spec.id, spec.parameters, given);
}

/// Makes the options of the algorithm with this id. Errors: there is none, and those of complete_parameters().
Result<TypedOptions> typed_options(std::string_view algorithm, const Parameters& given);

/// A request whose texts have been read, once: opened() of algorithms/run is the door, and later stages take this.
struct TypedRun {
  TypedRun(RunRequest read, const Builder& of, TypedOptions typed)
      : request(std::move(read)), builder(&of), options(std::move(typed)) {}
  RunRequest request;      ///< its algorithm is the builder's
  const Builder* builder;  ///< never null
  TypedOptions options;    ///< of the request's parameters; some may still be "auto"
};
/// Reads a request's texts. Without an algorithm, it is the usual one for the points. Errors: those of typed_options(),
/// and neither an algorithm nor points.
Result<TypedRun> typed(RunRequest request);

/// Builds at full speed, `repeat` times. Errors: data that the builder does not take, no device, out of memory (with
/// the suggestion to use the CPU), cancelled.
Result<BuildReport> build(const TypedRun& run, const RunControl& control = {});

/// Runs the same builder once and records its state or, if the request has a search, that of the search on the finished
/// tree (record_search() in searches.hpp). Errors are those of build() and of the search, and over_budget: before the
/// run if an estimate exceeds one and a half times the budget, during the run if the recording exceeds the budget.
Result<std::shared_ptr<const Trace>> record(const TypedRun& run, const RunControl& control = {});

/// Reads the texts of a request whose points are open, and runs it. Errors: those of typed(), too.
inline Result<BuildReport> build(const RunRequest& request, const RunControl& control = {}) {
  const auto run = typed(request);
  return run ? build(*run, control) : run.error();
}
inline Result<std::shared_ptr<const Trace>> record(const RunRequest& request, const RunControl& control = {}) {
  const auto run = typed(request);
  return run ? record(*run, control) : run.error();
}

/// Returns the default memory budget of a recording: half of the available memory. The other half is for the build, the
/// checks, and the window's copy of the state.
std::uint64_t default_trace_budget();

/// Estimates the bytes that record() would keep, within a factor of 1.5 for data like those of the tests. Makes two
/// small recordings of samples. Errors are those of typed() and build().
Result<std::uint64_t> estimated_trace_bytes(const RunRequest& request, const RunControl& control = {});

/// Returns what the integer keys lose by which the run's builder sorts; nullopt for builders without keys. Work O(k n
/// log n) on the host, O(1) for keys that lose nothing.
std::optional<KeyLoss> key_loss(const TypedRun& run);

/// The tree at the end of a recorded run, with the rules of that run.
struct RecordedTree {
  Tree tree;              ///< empty if the kind of the tree is unknown
  PointSet input;         ///< the trace's points, over which the tree must be built
  std::string unchecked;  ///< what cannot be checked and why, in one sentence; empty if everything can be checked
};
/// Returns the tree at the end of a recorded run. If the last state is no tree, an error of kind failed_check names the
/// array and the element that show it.
Result<RecordedTree> recorded_tree(std::shared_ptr<const Trace> trace);

/// Returns kdscope's version, "0.1.0".
const char* version();

}  // namespace kdscope
