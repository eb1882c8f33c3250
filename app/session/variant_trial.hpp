#pragma once
// Compiles a variant, records it and the original on the same data, and finds where they diverge. For the command line
// and the window. No Qt.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "app/session/run.hpp"

namespace kdscope {

/// What to try a variant on.
struct TrialRequest {
  std::string file;       ///< the variant's
  std::string data = {};  ///< data specification; empty: usual_trial_data()
  Parameters parameters = {};
  std::shared_ptr<const Trace> original = {};  ///< the original's recording on this data, if there is one already
  variants::ProgramLimits limits = {};
  Backend backend = Backend::cpu;
  bool sanitize = false;                           ///< on CUDA: under compute-sanitizer
  std::shared_ptr<const DataSet> own_points = {};  ///< points of the user's own, in place of `data`
};

/// A variant and what it did.
struct VariantTrial {
  variants::VariantFile file;
  std::string data;  ///< that it ran on
  std::shared_ptr<const DataSet> own_points;  ///< see TrialRequest
  Backend backend = Backend::cpu;
  std::vector<variants::CompilerMessage> warnings;
  double compile_seconds = 0;     ///< 0: the program was there already
  bool headers_prepared = false;  ///< the headers were precompiled first
  variants::VariantRun run;
  std::shared_ptr<const Trace> original;  ///< never null
  Divergence divergence;                  ///< of the original (a) and the variant (b), if run.trace is not null

  /// Returns whether the variant recorded the same as the original, to the end.
  bool equal() const { return run.trace && run.crash.empty() && divergence.equal(); }
};

/// The data that a variant of this algorithm runs on by default: ten points, or eight triangles.
std::string usual_trial_data(const std::string& algorithm);

/// Tries a variant. `errors` receives the compiler's messages if the file does not compile. Errors: those of
/// read_variant(), open_data_set(), record(), compile() and run_variant().
Result<VariantTrial> try_variant(const TrialRequest& request, variants::CompilerErrors& errors,
                                 const RunControl& control = {});

/// The variant's recording, ready to be opened at the first step that differs from the original, or at the last step
/// before a crash. Precondition:
/// run.trace is not null.
RecordedRun run_of(const VariantTrial& trial, const Parameters& parameters);

/// The outcome in one sentence: "differs from the original first at step 3 (build / level 0 / update tags): tags[6] is
/// 0 instead of 1".
std::string outcome_text(const VariantTrial& trial);

}  // namespace kdscope
