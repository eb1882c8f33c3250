#pragma once
// Shrinks the data on which a variant fails, and keeps the failure as an exercise. For the command line and the window.
// No Qt.

#include <chrono>
#include <string>

#include "algorithms/variants/shrink.hpp"
#include "app/variant_trials/variant_trial.hpp"

namespace kdscope {

/// What to shrink.
struct ShrinkRequest {
  variants::VariantFile file;
  RunRequest run = {};                      ///< on which it fails; its algorithm is that of the file
  std::chrono::milliseconds time{60'000};   ///< no test starts later
  std::uint64_t seed = default_order_seed;  ///< of the shuffled order of lanes
};

/// The smallest data that still fail.
struct ShrunkFailure {
  variants::Shrunk shrunk;
  std::string failure;  ///< how the variant fails on them, in a sentence without a full stop; empty after a stop
};

/// Compiles the variant for the CPU and shrinks the data. `errors` receives the compiler's messages, `warnings` those
/// that do not stop it. control.progress is told the number of tests. Errors: those of opened(), find_kit(), compile()
/// and shrink().
Result<ShrunkFailure> shrink_failure(const ShrinkRequest& request, variants::CompilerErrors& errors,
                                     std::vector<variants::CompilerMessage>& warnings, const RunControl& control = {});

/// "shrunk from 1000 points to 4 in 61 tests and 5.2 s".
std::string shrunk_text(const variants::Shrunk& shrunk);

/// Writes a failed trial as an exercise (walkthroughs/AUTHORING.md): the text at `path`, which ends in .md, with a copy
/// of the variant beside it. data: the trial's data as the text shall name it. Errors: bad_usage if the trial did not
/// fail or the path has another ending; io_failure.
Result<void> write_exercise(const std::string& path, const VariantTrial& trial, const std::string& data);

}  // namespace kdscope
