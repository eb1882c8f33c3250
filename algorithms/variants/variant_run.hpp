#pragma once
// Records a compiled variant in a process of its own.

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"
#include "algorithms/variants/child_program.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants {

/// The outcome of a variant's run.
struct VariantRun {
  /// The recording; after a crash, the recording up to the step before it. Its last step then has a failed check "end
  /// of the run". Null if not even the first step was recorded.
  std::shared_ptr<const Trace> trace;
  std::string crash;                  ///< how the process ended, in one sentence; empty if it recorded the whole run
  std::string step;                   ///< the path of the step in which the process ended, or what it did before one;
                                      ///< empty if it ran to its end, and a tool has found a fault
  bool late = false;                  ///< it ran when its time was over
  std::optional<Event> fault;         ///< what the sanitizer found, which ended it
  std::vector<std::string> replaced;  ///< the stages whose replacements were launched
  std::vector<std::string> shared_arrays;  ///< the shared arrays and the registers of lanes that it took
  Prints prints;                           ///< what the variant printed, by steps: the last 64 KiB
  double compared_share = 1;          ///< see lane_order.hpp; of an order at once
};

/// Runs a variant's program. Errors: those of record(), and those of a program that does not follow the protocol.
Result<VariantRun> run_variant(const std::filesystem::path& program, const Kit& kit, const ProcessRequest& request,
                               const ProgramLimits& limits = {}, std::stop_token stop = {});

}  // namespace kdscope::variants
