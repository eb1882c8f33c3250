#pragma once
// Whose turn it is on a GPU that several runners of one machine share: one run at a time, fair to every user.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants::remote {

/// The turn that this process has. It ends with this object, or with the process, however that ends.
class Turn {
 public:
  explicit Turn(Descriptor lock) : lock_(std::move(lock)) {}

 private:
  Descriptor lock_;
};

/// A queue in a folder that all users may write to. A process that waits holds a lock on a ticket of its own, so that
/// one that has ended does not keep the others waiting. Of the users who wait, the one comes first whose last turn is
/// longest ago; runs of one user come in their order.
class Turns {
 public:
  /// folder: made if it is missing.
  explicit Turns(std::string folder) : folder_(std::move(folder)) {}

  /// Waits for a turn. waits: called when the number of runs before this one has changed. user: whose run it is, for
  /// fairness. Errors of kind io_failure: the folder cannot be used.
  Result<std::unique_ptr<Turn>> take(const std::function<void(std::size_t before)>& waits, std::uint64_t user) const;
  /// For the user of this process.
  Result<std::unique_ptr<Turn>> take(const std::function<void(std::size_t before)>& waits) const;

 private:
  std::string folder_;
};

/// Takes the turn of a request (run_as_runner()), and reports the runs before it as progress. A queue that cannot be
/// used keeps no run waiting.
std::shared_ptr<void> take_turn(const ProcessRequest& request, const RunControl& control);

/// Returns the folder of the queue in which a request of this machine waits; empty if it need not. With KDSCOPE_QUEUE
/// in the environment, every request waits in that folder. Otherwise those that may use a GPU wait in a folder for the
/// GPU in /tmp, except in a job of Slurm, which shares the GPUs itself.
std::string queue_folder(bool may_use_gpu);

}  // namespace kdscope::variants::remote
