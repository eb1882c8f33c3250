#pragma once
// What a builder declares about itself, what a run requests from it, and what it returns. Plain types: the app and the
// headless tool see these, never an executor.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/checks/key_loss.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

enum class Backend : std::uint8_t { automatic, cpu, cuda };

/// A processor that builders can run on.
struct Device {
  Backend backend = Backend::cpu;
  int ordinal = 0;
  std::string name;                ///< "NVIDIA H100 80GB HBM3", "2 threads, oneTBB"
  std::uint64_t memory_bytes = 0;  ///< total, of the device or the machine
  std::string detail;              ///< compute capability and the like
  int processors = 0;              ///< multiprocessors or threads; for a run, those that it may use
};

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
  bool automatic = false;  ///< "auto" is a value too; the registry resolves it before a run
  std::vector<std::string> candidates =
      {};  ///< values that a search on a device tries for "auto"; empty if a search is not worthwhile
};

/// The value of an automatic parameter until it is chosen.
inline constexpr const char* automatic_value = "auto";

using Parameters = std::map<std::string, std::string>;

/// A published construction algorithm, as the registry lists it.
struct AlgorithmSpec {
  std::string id;        ///< "wald"
  std::string title;     ///< "Left-balanced tag-and-sort"
  std::string citation;  ///< "Wald 2023"
  std::string summary;   ///< two sentences at most
  bool takes_triangles = false;
  std::vector<ScalarType> scalars = {};
  std::uint32_t min_dim = 1, max_dim = 8;
  std::uint64_t max_points = 0;  ///< or triangles, for builders that take these
  std::vector<ParameterSpec> parameters = {};
};

/// A requested run.
struct BuildRequest {
  std::string algorithm = "wald";
  std::shared_ptr<const DataSet> data;
  Parameters parameters;
  Backend backend = Backend::automatic;
  int repeat = 1;                        ///< timed builds; the tree is that of the last
  bool time_steps = false;               ///< also time each step once, in a separate build
  std::uint64_t trace_budget_bytes = 0;  ///< record(): memory that the trace may use; 0 for default_trace_budget()
  bool thin = false;                     ///< record(): keep only the last step of each level
  int processors = 0;                    ///< multiprocessors or threads that it may use; 0 for all
  std::size_t most_steps = 0;            ///< record(): end after this many steps; 0 for all
  std::vector<RecordedSource> replaced_sources =
      {};  ///< record(): source regions of a variant, recorded in place of the builder's own of the same names
};

/// Ways to stop a run and to follow its progress. All are optional; the functions are called on the running thread.
struct RunControl {
  std::stop_token stop;
  std::function<void(double fraction, std::string_view what)> progress;
  std::function<void(std::string_view path)> step_starts = {};  ///< record(): before each step's work
};

struct StepTime {
  std::string name;  ///< the step's path
  int level = -1;
  std::string phase;  ///< as Step::phase
  double ms = 0;
};

/// The result of a full-speed build.
struct BuildReport {
  Tree tree;                                ///< of the last build
  std::uint64_t tree_hash = 0;              ///< of the last build
  std::vector<std::uint64_t> build_hashes;  ///< one per build; all are equal unless the builder is not deterministic
  Device device;
  Parameters parameters;         ///< completed
  std::vector<double> build_ms;  ///< one per repetition, data resident on the device
  double upload_ms = 0, download_ms = 0;
  std::uint64_t peak_bytes = 0;            ///< peak device memory during a build, input included
  std::uint64_t sort_temporary_bytes = 0;  ///< of the chosen sort, beside points, tags and indices
  std::vector<StepTime> step_times;        ///< if requested
};

/// How one back end runs a builder; both throw ErrorException.
struct BackEnd {
  BuildReport (*build)(const BuildRequest& request, const Device& device,
                       const RunControl& control);  ///< at full speed
  std::shared_ptr<const Trace> (*record)(const BuildRequest& request, const Device& device, TraceHeader header,
                                         const RunControl& control);
};

/// What the registry knows about one builder. Its registration.cpp declares the functions on the data and parameters;
/// the generated list (builders/CMakeLists.txt) adds the functions that follow from its Construction.
struct Builder {
  AlgorithmSpec spec;
  /// Rejects parameters with which these points cannot be built. It makes the checks that the spec cannot express; it
  /// is empty if there are none. It is called twice: with parameters that may still be "auto", and again once they are
  /// chosen.
  std::function<Result<void>(const PointSet& points, const Parameters& parameters, Backend backend)> check = {};
  /// Chooses the value of a parameter that is "auto" and has no stored tuning. The other parameters may still be
  /// "auto"; they are chosen in the order of the spec.
  std::function<std::string(const std::string& name, const PointSet& points, const Parameters& parameters,
                            Backend backend)>
      automatic = {};
  /// Upper bound of the host memory that a build takes beside the data set, in bytes; on_cpu: the build itself runs on
  /// the host.
  std::function<std::uint64_t(const DataSet& data, const Parameters& parameters, bool on_cpu)> host_bytes = {};
  /// Device memory that a CUDA build takes, in bytes, for evenly spread points; empty if only a trial run can show it.
  std::function<std::uint64_t(const DataSet& data, const Parameters& parameters)> device_bytes = {};
  /// What the keys that the builder sorts by lose; empty if it sorts coordinates. Work O(k n log n) on the host, none
  /// for keys that lose nothing.
  std::function<KeyLoss(const PointSet& points, const Parameters& parameters)> key_loss = {};

  /// The kind of the finished tree.
  const TreeKind& (*tree_kind)() = nullptr;
  /// Sets the rules of a run's completed, resolved parameters in a tree of that kind, for verify_tree().
  void (*set_rules)(Tree& tree, const Parameters& parameters) = nullptr;
  const BackEnd* cpu = nullptr;
  const BackEnd* cuda = nullptr;  ///< null: this build of kdscope lacks the back end
};

}  // namespace kdscope
