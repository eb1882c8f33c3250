#pragma once
// Tests whether a compiled variant fails on a data set: its tree differs from the original's, one of its checks fails,
// it crashes or does not end, or one of these with its lanes in another order.

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/run_folder.hpp"
#include "algorithms/variants/stage_source.hpp"
#include "algorithms/variants/variant_run.hpp"

namespace kdscope::variants {

/// Tests one variant on any number of data sets, one after the other. Each test records the variant in a process of its
/// own. About 80 ms for few points; about 4 s for 100,000. A variant that passes runs once more in each other order of
/// lanes; once it has failed in one, only that one is tested.
class VariantTester {
 public:
  /// run: what each test does, on the CPU and on its own data. Throws ErrorException of kind io_failure if no temporary
  /// folder can be made.
  VariantTester(VariantFile variant, std::filesystem::path program, Kit kit, RunRequest run, std::stop_token stop = {},
                std::uint64_t seed = default_order_seed);

  /// Returns how the variant fails, in one sentence without a full stop, or an empty text if it does not. Trees are
  /// equal if their hashes are: a tree in which two equal points are exchanged differs. Errors: those of build() for
  /// the original, such as bad_input for data that it does not take; those of run_variant() about files and processes.
  Result<std::string> failure_on(const DataSet& data);
  /// Returns whether a run so far has launched a stage of the variant.
  bool used() const { return used_; }

 private:
  Result<VariantRun> run(const DataSet& data, ProcessRequest request);
  Result<std::string> failure_in(const LaneOrder& order, const RunRequest& original, std::uint64_t tree_hash,
                                 const std::string& file);

  VariantFile variant_;
  std::filesystem::path program_;
  Kit kit_;
  RunRequest run_;
  std::stop_token stop_;
  RunFolder folder_;
  std::vector<LaneOrder> orders_;  ///< to try; only the one that failed, once there is one
  bool used_ = false;
  std::chrono::milliseconds grace_{1000};  ///< that a run of few points may take
  bool never_ends_ = false;                ///< the variant is known to run for ever on some data
};

}  // namespace kdscope::variants
