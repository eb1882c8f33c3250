#pragma once
// Compiles a variant, records it and the original on the same data, and finds where they diverge. For the command line
// and the window. No Qt.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "app/recording/run.hpp"

namespace kdscope {

/// What to try a variant on.
struct TrialRequest {
  std::string file;       ///< the variant's
  std::string data = {};  ///< data specification; empty: usual_trial_data()
  Parameters parameters = {};
  std::shared_ptr<const Trace> original = {};  ///< the original's recording on this data, if there is one already
  variants::ProgramLimits limits = {};
  Backend backend = Backend::cpu;
  std::vector<std::string> tools = {};             ///< on CUDA: of compute-sanitizer (device_report.hpp)
  std::shared_ptr<const DataSet> own_points = {};  ///< points of the user's own, in place of `data`
  std::uint64_t seed = default_order_seed;         ///< of the shuffled order of lanes
};

/// A check that the variant fails and the original does not.
struct FailedAt {
  std::uint32_t step = 0;
  CheckResult check;
};

/// A variant and what it did.
struct VariantTrial {
  variants::VariantFile file;
  std::string data;                           ///< that it ran on
  std::shared_ptr<const DataSet> own_points;  ///< see TrialRequest
  Parameters parameters;                      ///< that were asked for, or with which the stage is launched
  Backend backend = Backend::cpu;
  std::vector<variants::CompilerMessage> warnings;
  double compile_seconds = 0;     ///< 0: the program was there already
  bool headers_prepared = false;  ///< the headers were precompiled first
  variants::VariantRun run;
  std::shared_ptr<const Trace> original;  ///< never null
  Divergence divergence;                  ///< of the original (a) and the variant (b), if run.trace is not null
  std::optional<FailedAt> failed_check;   ///< the first one

  std::vector<std::string> tools;   ///< of compute-sanitizer, under which it ran; the last one found what is in `run`
  std::vector<LaneOrder> orders;    ///< in which the result was that of the original, before `order`
  LaneOrder order = {};             ///< of `run` and `divergence`
  bool words_tried = false;         ///< so was the one at once by words, which `orders` lacks
  std::vector<LaneOrder> too_slow;  ///< in which the run did not end within the limit, so it was not compared
  bool original_depends = false;  ///< in some order, the original too records something else, and the variant the same
  double compared_share = 1;      ///< see lane_order.hpp
  std::uint8_t shared_byte = unwritten_shared_byte;  ///< that filled the shared arrays of `run`
  bool unwritten = false;  ///< `run` depends on what shared arrays or registers hold where nobody wrote
  std::vector<std::string> unwritten_arrays;  ///< those of them that alone make a difference
  std::string used_with;            ///< "sort=bitonic": what was changed so that the stage is launched; usually empty
  std::vector<std::string> unused;  ///< stages of the file that no launch used

  /// Returns whether the variant recorded the same as the original, to the end.
  bool equal() const { return run.trace && run.crash.empty() && divergence.equal(); }
  /// Returns whether no launch used a stage of the file, so that nothing was tried.
  bool not_used() const;
  /// Returns whether a builder of other steps, or of other values on the way, gave the original's tree and fails no
  /// check.
  bool other_steps() const;
  /// Returns the first step at which the variant differs or fails a check, if it does.
  std::optional<std::uint32_t> first_wrong_step() const;
};

/// The data that a variant of this algorithm runs on by default: ten points, or eight triangles.
std::string usual_trial_data(const std::string& algorithm);

/// Tries a variant. On the CPU, one that is equal to the original with lanes in ascending order also runs in descending
/// order, in shuffled order and with all lanes and blocks at once (lane_order.hpp), each time with other bytes in
/// shared memory that nobody wrote; the first run that differs is the result. One whose stage is not launched runs with
/// other parameters and on other data until it is. `errors` receives the compiler's messages if the file does not
/// compile. Errors: those of read_variant(), open_data_set(), record(), compile() and run_variant().
Result<VariantTrial> try_variant(const TrialRequest& request, variants::CompilerErrors& errors,
                                 const RunControl& control = {});

/// The run that was tried, as a request.
RunRequest request_of(const VariantTrial& trial);

/// The variant's recording with what it printed. Precondition: run.trace is not null.
std::shared_ptr<Trace> trace_of(const VariantTrial& trial);

/// The same, ready to be opened at the first step that differs from the original, or at the last step
/// before a crash. Precondition: run.trace is not null.
RecordedRun run_of(const VariantTrial& trial);

/// The outcome in one sentence: "differs from the original first at step 3 (build / level 0 / update tags): tags[6] is
/// 0 instead of 1".
std::string outcome_text(const VariantTrial& trial);

}  // namespace kdscope
