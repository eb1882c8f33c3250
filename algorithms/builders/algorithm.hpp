#pragma once
// Declares what a builder states about itself, what a run requests, and what it returns. These are plain types: the app
// and the headless tool use them and never see an executor.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/checks/key_loss.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/parameters.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/text/field.hpp"
#include "algorithms/trace/trace.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

enum class Backend : std::uint8_t { automatic, cpu, cuda };
constexpr Backend last_of(Backend) { return Backend::cuda; }

/// A processor that builders can run on.
struct Device {
  Backend backend = Backend::cpu;
  int ordinal = 0;
  std::string name;                ///< "NVIDIA H100 80GB HBM3", "2 threads, oneTBB"
  std::uint64_t memory_bytes = 0;  ///< total memory of the device or the machine
  std::string detail = {};         ///< compute capability and similar details
  int processors = 0;              ///< multiprocessors or threads; in a run, those that it may use
};
template <class Io>
void fields(Io& io, Device& d) {
  io(Field{"backend", d.backend}, Field{"ordinal", d.ordinal}, Field{"name", d.name},
     Field{"memory_bytes", d.memory_bytes}, Field{"detail", d.detail}, Field{"processors", d.processors});
}

/// A published construction algorithm as the registry lists it.
struct AlgorithmSpec {
  std::string id;        ///< "wald"
  std::string title;     ///< "Left-balanced tag-and-sort"
  std::string citation;  ///< "Wald 2023"
  std::string summary;   ///< two sentences at most
  bool takes_triangles = false;
  std::vector<ScalarType> scalars = {};
  std::uint32_t min_dim = 1, max_dim = 8;
  std::uint64_t max_points = 0;  ///< points, or triangles for builders that take triangles
  std::vector<ParameterSpec> parameters = {};
};

/// A requested run: what is built or recorded, of which points, with which parameters, and where. The command line, the
/// window, sessions and processes all describe a run by it. A new member that others send or keep stands in fields().
struct RunRequest {
  std::string data;       ///< specification of the points, as open_data_set() takes it
  std::string algorithm;  ///< id in the registry; empty: the usual one for the points
  Parameters parameters;  ///< those that differ from the defaults may be left out
  Backend backend = Backend::automatic;
  bool thin = false;  ///< record(): keeps only the last step of each level
  /// The opened points. In a request that is kept: points that a person made or edited; `data` only records where they
  /// came from. Null: those that `data` names; opened() of algorithms/run opens them.
  std::shared_ptr<const DataSet> points = {};
  std::uint64_t trace_budget_bytes = 0;  ///< record(): memory that the trace may use; 0 for default_trace_budget()
  /// record(): a search to record on the finished tree instead of the build, as texts (queries/recorded_search.hpp);
  /// empty for none
  Parameters search = {};
  int repeat = 1;              ///< number of timed builds; the result is the tree of the last one
  bool time_steps = false;     ///< times each step once, in a separate build; with `repeat` 0 in the only one
  int processors = 0;          ///< multiprocessors or threads that the run may use; 0 for all
  std::size_t most_steps = 0;  ///< record(): ends after this many steps; 0 for no limit
  std::vector<RecordedSource> replaced_sources =
      {};  ///< record(): a variant's source regions; each replaces the builder's region of the same name
  /// build(): a copy of the words of `points` in memory of the CUDA device that builds, from which they are read in
  /// place of the host's; null for none. Neither kept nor sent.
  const std::uint32_t* points_on_device = nullptr;
  /// build(): the tree of one build stays on the CUDA device that built it, as BuildReport::kept. Neither kept nor
  /// sent.
  bool keeps_tree_there = false;
  bool operator==(const RunRequest&) const = default;
};

/// The members of a request with their names, for every form in which it is kept or sent. The points travel apart, and
/// addresses do not travel.
template <class Io>
void fields(Io& io, RunRequest& request) {
  // A new member does not compile until it is named here
  auto& [data, algorithm, parameters, backend, thin, points, trace_budget_bytes, search, repeat, time_steps, processors,
         most_steps, replaced_sources, points_on_device, keeps_tree_there] = request;
  static_cast<void>(points), static_cast<void>(points_on_device), static_cast<void>(keeps_tree_there);
  io(Field{"data", data}, Field{"algorithm", algorithm}, Field{"parameters", parameters}, Field{"backend", backend},
     Field{"thin", thin}, Field{"trace_budget_bytes", trace_budget_bytes}, Field{"search", search},
     Field{"repeat", repeat}, Field{"time_steps", time_steps}, Field{"processors", processors},
     Field{"most_steps", most_steps}, Field{"replaced_sources", replaced_sources});
}

/// Ways to stop a run and to follow its progress. All are optional; the functions are called on the running thread.
struct RunControl {
  std::stop_token stop;
  std::function<void(double fraction, std::string_view what)> progress;
  std::function<void(std::string_view path)> step_starts = {};  ///< record(): before each step's work
  /// record(): after each step that is kept. Further checks may follow for the last one.
  std::function<void(TraceBuilder& trace)> step_recorded = {};
  /// record(): the byte that fills new memory. No recording depends on it.
  std::uint8_t unwritten = unwritten_byte;
  /// record(): called with each copy of an array that a step is about to show, which it may change as a fault would.
  std::function<void(std::span<std::byte> copy)> array_copied = {};
};

struct StepTime {
  std::string name;  ///< the step's path
  int level = -1;
  std::string phase;  ///< the phase of the step (Step::phase)
  double ms = 0;
  std::uint64_t launches = 0;                       ///< kernels, sorts, scans and reductions
  std::uint64_t bytes_read = 0, bytes_written = 0;  ///< 0 unless the program counts them (Purpose::count)
  std::uint64_t uncounted = 0;                      ///< launches of which they are only a part: sorts by comparison
};
template <class Io>
void fields(Io& io, StepTime& t) {
  io(Field{"name", t.name}, Field{"level", t.level}, Field{"phase", t.phase}, Field{"ms", t.ms},
     Field{"launches", t.launches}, Field{"bytes_read", t.bytes_read}, Field{"bytes_written", t.bytes_written},
     Field{"uncounted", t.uncounted});
}

/// A finished tree that stays in the memory of the device that built it.
class KeptTree {
 public:
  virtual ~KeptTree() = default;
  /// Returns a copy on the host. Throws ErrorException. One thread at a time may call it.
  virtual Tree download() const = 0;
};

/// A kept tree of the struct OnDevice, as searches of the same back end read it.
template <class OnDevice>
class KeptTreeAs : public KeptTree {
 public:
  using Kept = OnDevice;
  virtual const OnDevice& there() const = 0;
};

/// The result of a full-speed build.
struct BuildReport {
  Tree tree;                                ///< tree of the last build; empty if it is kept
  std::shared_ptr<const KeptTree> kept;     ///< that tree, where the request keeps it there; else null
  std::uint64_t tree_hash = 0;              ///< hash of the last build's tree
  std::vector<std::uint64_t> build_hashes;  ///< one per build; all are equal unless the builder is not deterministic
  Device device;
  Parameters parameters;         ///< completed with defaults, with "auto" resolved
  std::vector<double> build_ms;  ///< one per repetition, with the data already on the device
  double upload_ms = 0, download_ms = 0;
  std::uint64_t peak_bytes = 0;            ///< peak device memory during a build, input included
  std::uint64_t sort_temporary_bytes = 0;  ///< temporary memory of the chosen sort, without points, tags and indices
  std::uint64_t launches = 0;              ///< launches of the last timed build
  std::vector<StepTime> step_times;        ///< empty unless requested
  double stepped_ms = 0;                   ///< the build whose steps were timed, as a whole
  std::uint64_t stepped_launches = 0;      ///< its launches; each belongs to a step
};
/// All but the tree, which is known by its hash, the last one of the builds; a kept tree has none.
template <class Io>
void fields(Io& io, BuildReport& r) {
  io(Field{"build_hashes", r.build_hashes}, Field{"device", r.device}, Field{"parameters", r.parameters},
     Field{"build_ms", r.build_ms}, Field{"upload_ms", r.upload_ms}, Field{"download_ms", r.download_ms},
     Field{"peak_bytes", r.peak_bytes}, Field{"sort_temporary_bytes", r.sort_temporary_bytes},
     Field{"launches", r.launches}, Field{"step_times", r.step_times}, Field{"stepped_ms", r.stepped_ms},
     Field{"stepped_launches", r.stepped_launches});
}

/// The functions that run a builder on one back end, with options of which none is "auto" any more. Both throw
/// ErrorException.
struct BackEnd {
  BuildReport (*build)(const RunRequest& request, const TypedOptions& options, const Device& device,
                       const RunControl& control);  ///< builds at full speed
  std::shared_ptr<const Trace> (*record)(const RunRequest& request, const TypedOptions& options, const Device& device,
                                         TraceHeader header, const RunControl& control);
};

/// The registry's entry for one builder. The builder's registration.cpp declares the functions of the data and the
/// options (BuilderWithOptions). The generated list (builders/CMakeLists.txt) adds the functions that follow from its
/// Construction.
struct Builder {
  AlgorithmSpec spec;
  /// Makes the options of given parameters. Errors: a parameter that it does not have, or a value that it refuses.
  std::function<Result<TypedOptions>(const Parameters& given)> parse = {};
  /// Rejects options with which these points cannot be built. It makes the checks that the spec cannot express, and
  /// is empty if there are none. The registry calls it twice: with options that may still be "auto", and again once
  /// they are chosen.
  std::function<Result<void>(const PointSet& points, const TypedOptions& options, Backend backend)> check = {};
  /// Returns the value of a parameter that is "auto" and has no stored tuning. The other parameters may still be
  /// "auto"; they are chosen in the order of the spec.
  std::function<std::int64_t(const std::string& name, const PointSet& points, const TypedOptions& options,
                             Backend backend)>
      automatic = {};
  /// Returns the options with this value of an automatic parameter.
  std::function<TypedOptions(const TypedOptions& options, const std::string& name, std::int64_t value)> with = {};
  /// Returns an upper bound of the host memory that a build takes beside the data set, in bytes. on_cpu: the build
  /// itself runs on the host.
  std::function<std::uint64_t(const DataSet& data, const TypedOptions& options, bool on_cpu)> host_bytes = {};
  /// Returns the device memory, in bytes, that a CUDA build takes for evenly spread points. Empty if only a trial run
  /// can measure it.
  std::function<std::uint64_t(const DataSet& data, const TypedOptions& options)> device_bytes = {};
  /// Returns what is lost by the integer keys that the builder sorts by. Empty if the builder sorts by coordinates. The
  /// options may still be "auto". Work O(k n log n) on the host, O(1) for keys that lose nothing.
  std::function<KeyLoss(const PointSet& points, const TypedOptions& options)> key_loss = {};

  /// Returns the kind of the finished tree.
  const TreeKind& (*tree_kind)() = nullptr;
  /// Stores the rules that a run's options imply in a tree of that kind, for verify_tree().
  void (*set_rules)(Tree& tree, const TypedOptions& options) = nullptr;
  const BackEnd* cpu = nullptr;
  const BackEnd* cuda = nullptr;  ///< null if this build of kdscope lacks the back end
};

}  // namespace kdscope
