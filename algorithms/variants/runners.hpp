#pragma once
// Builds and records in processes of their own, so that a builder that crashes does not take the window with it.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants {

/// A recording, whole or up to a crash.
struct Recording {
  std::shared_ptr<const Trace> trace;  ///< never null; after a crash, its last step has a failed check "end of the run"
  std::string crash = {};              ///< why the recording is not whole, in one sentence; empty if it is
  std::string device = {};             ///< Runners::device() of those that made it
};

/// Is called with a recording so far, while its later steps travel. On the thread of the request.
using StepsArrived = std::function<void(const Recording& so_far)>;

/// Where runners are.
enum class RunnersAre : std::uint8_t {
  here,      ///< one always waits, so that a request does not wait for a start
  elsewhere  ///< a start may take a place in a queue, so only as many as requests need; the traces are foreign
};

/// Processes of kdscope-runner. A process that failed is not used again, because its memory or its CUDA context may be
/// damaged. All functions may be called on any thread.
class Runners : public std::enable_shared_from_this<Runners> {
 public:
  /// Starts the first process. command: kdscope-runner, or what stands for it (remote/devices.hpp). device: the name of
  /// the device to which that leads; empty: this machine. keeps_above: see record().
  explicit Runners(std::vector<std::string> command, RunnersAre where = RunnersAre::here, std::string device = {},
                   std::uint64_t keeps_above = std::uint64_t(1) << 30);
  /// Ends all processes. Precondition: no request runs.
  ~Runners();
  Runners(const Runners&) = delete;
  Runners& operator=(const Runners&) = delete;

  const std::string& device() const { return device_; }

  /// The same as kdscope::build() and record() in another process, without the tree. Errors are theirs, and
  /// device_failure if the process ends; io_failure if none can be started. Extra time: about 2 ms, a copy of the trace
  /// through a pipe, and copies of the points if they are others than before.
  Result<BuildReport> build(const RunRequest& request, const RunControl& control = {});
  /// A process that ends after its first step gives the recording up to there, and so does one elsewhere whose
  /// connection is lost. arrived: called by runners elsewhere, half a second after the request at the earliest. If it
  /// is given, values beyond `keeps_above` bytes stay there, and come when they are first looked at
  /// (TypedArray::later): their process and its connection belong to the trace from then on.
  Result<Recording> record(const RunRequest& request, const RunControl& control = {}, const StepsArrived& arrived = {});

  /// Does other work (work.hpp) in another process. Errors are those of the work, and as for build().
  Result<void> work(const std::string& name, const SharedFile& input, const SharedFile& output,
                    const RunControl& control = {});

  /// Returns the path of the kdscope-runner that was built or installed with this program. Error of kind bad_usage: it
  /// is missing.
  static Result<std::string> find_program();

 private:
  struct Runner;
  struct Answer;
  class FarValues;
  Answer ask(ProcessRequest wanted, const RunControl& control, const StepsArrived& arrived = {});
  std::unique_ptr<Runner> take();
  void give_back(std::unique_ptr<Runner> runner);
  void start_processes();

  std::vector<std::string> command_;
  RunnersAre where_;
  std::string device_;
  std::uint64_t keeps_above_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Runner>> idle_;
  std::size_t waiting_ = 0;    ///< requests without a process
  bool start_failed_ = false;  ///< until a request has been told
  bool ends_ = false;
  std::thread starter_;  ///< starts all processes, which end with the thread that started them
};

/// Ends requests for values that stay elsewhere, which are lost thereby. For a window that closes.
void leave_far_values();

/// Makes algorithms/run build, record and work through the given runners from now on, or in this process (null). What
/// runs already goes on with those before, which end after it.
void use_runners(std::shared_ptr<Runners> runners);

/// Returns those in use, or null. algorithms/run asks it.
std::shared_ptr<Runners> runners_in_use();

}  // namespace kdscope::variants
