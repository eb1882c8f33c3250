#pragma once
// What can be built, with which parameters, and how to run it: the one door from the app and the headless tool to the
// builders. No Qt, no CUDA, no Thrust here.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/core/tree.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

enum class Backend : std::uint8_t { automatic, cpu, cuda };
const char* name_of(Backend backend);  ///< "auto", "cpu", "cuda"
Result<Backend> backend_named(std::string_view name);

/// A processor that builders can run on.
struct Device {
  Backend backend = Backend::cpu;
  int ordinal = 0;
  std::string name;                 ///< "NVIDIA H100 80GB HBM3", "2 threads, oneTBB"
  std::uint64_t memory_bytes = 0;   ///< total, of the device or the machine
  std::string detail;               ///< compute capability and the like
};

/// The devices of this machine, the preferred one first, and why there is no CUDA device if there is none.
struct DeviceReport {
  std::vector<Device> devices;      ///< never empty: the CPU is always there
  std::string cuda_status;          ///< empty when a CUDA device is usable; otherwise one sentence
};
DeviceReport find_devices();

/// A value that a choice parameter may take.
struct Choice {
  std::string value;
  std::string help;  ///< one sentence
};

/// A parameter of a builder: a choice if `choices` is not empty, otherwise an integer in [min, max].
struct ParameterSpec {
  std::string name;
  std::string title;
  std::string help;
  std::string default_value;
  std::vector<Choice> choices;
  std::int64_t min = 0, max = 0;
};

using Parameters = std::map<std::string, std::string>;

/// A published construction algorithm, as the registry lists it.
struct AlgorithmSpec {
  std::string id;          ///< "wald"
  std::string title;       ///< "Left-balanced tag-and-sort"
  std::string citation;    ///< "Wald 2023"
  std::string summary;     ///< two sentences at most
  bool takes_triangles = false;
  std::vector<ScalarType> scalars;
  std::uint32_t min_dim = 1, max_dim = 8;
  std::uint64_t max_points = 0;
  std::vector<ParameterSpec> parameters;
};

/// All builders, in the order of their ids.
const std::vector<AlgorithmSpec>& algorithms();
const AlgorithmSpec* find_algorithm(std::string_view id);

/// Given parameters completed with defaults; an error names the parameter and what it may be.
Result<Parameters> complete_parameters(const AlgorithmSpec& spec, const Parameters& given);

/// A run that somebody asks for.
struct BuildRequest {
  std::string algorithm = "wald";
  std::shared_ptr<const DataSet> data;
  Parameters parameters;
  Backend backend = Backend::automatic;
  int repeat = 1;                                    ///< timed builds; the tree is that of the last
  bool time_steps = false;                           ///< also time each step once, in a separate build
  std::uint64_t trace_budget_bytes = 4ull << 30;     ///< record(): refuse, or thin, beyond this
  bool thin = false;                                 ///< record(): past the budget keep the last step of each level only
};

/// How to stop a run and hear how far it is. Both are optional; progress is called on the running thread.
struct RunControl {
  std::stop_token stop;
  std::function<void(double fraction, std::string_view what)> progress;
};

struct StepTime {
  std::string name;  ///< the step's path
  int level = -1;
  double ms = 0;
};

/// What a full-speed build gave.
struct BuildReport {
  LeftBalancedTree tree;
  std::uint64_t tree_hash = 0;
  Device device;
  Parameters parameters;               ///< completed
  std::vector<double> build_ms;        ///< one a repetition, data resident on the device
  double upload_ms = 0, download_ms = 0;
  std::uint64_t peak_bytes = 0;        ///< device memory at its highest during a build, input included
  std::uint64_t sort_temporary_bytes = 0;  ///< of the sort chosen, beside points, tags and indices
  std::vector<StepTime> step_times;    ///< when asked
};

/// Median of the build times, ms; 0 when none.
double median_ms(const std::vector<double>& times);

/// Builds at full speed, `repeat` times. Errors: unknown algorithm or parameter, data that the builder does not take,
/// no device, out of memory (with the CPU offered), cancelled.
Result<BuildReport> build(const BuildRequest& request, const RunControl& control = {});

/// Runs the same builder once with its state recorded. Errors as for build(), and a trace past its budget.
Result<std::shared_ptr<const Trace>> record(const BuildRequest& request, const RunControl& control = {});

/// Bytes that record() would keep for n points of this dimension, estimated from above; 0 for an unknown algorithm.
std::uint64_t estimated_trace_bytes(const BuildRequest& request);

/// kdscope's version, "0.1.0".
const char* version();

}  // namespace kdscope
