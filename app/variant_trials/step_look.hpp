#pragma once
// Looks inside a step of a recorded run: compiles its builder or variant, and records the launches of that step. For
// the window. No Qt.

#include <cstdint>
#include <memory>

#include "algorithms/variants/inside/look_inside.hpp"
#include "app/recording/run.hpp"

namespace kdscope {

/// What to look into.
struct StepLookRequest {
  std::shared_ptr<const Trace> trace;  ///< the recorded run
  RunRequest run;                      ///< what made it
  std::uint32_t step = 0;              ///< of the trace
  access_log::Range groups = {};       ///< blocks or warps to record
  std::uint64_t most_accesses = access_log::default_budget;
  bool original = false;         ///< of a variant's run: looks into the builder itself, at the same step
  std::string search_file = {};  ///< of a search's run: a search of one's own that answers in its place
};

/// Returns whether a trace was recorded with a variant.
bool is_of_variant(const Trace& trace);

/// Returns why a step cannot be looked into, in one sentence; empty if it can.
std::string reason_against_looking(const Trace& trace, std::uint32_t step);

/// Runs the builder, or the variant that the trace names, on the CPU up to the step, in a process of its own. A variant
/// also runs in two other orders of lanes, to its end, and the first element of the step that depends on the order is a
/// fault. The last step of a run that crashed stands for the one in which it did. Of a search's run, all steps are
/// those of one launch, which serves the run's queries. errors receives the compiler's messages. Errors: those of
/// compile() and look_inside(); bad_usage if the variant's file has changed since, or if the run on the CPU has no such
/// step.
Result<access_log::Look> look_inside_step(const StepLookRequest& request, const RunControl& control = {},
                                          variants::CompilerErrors* errors = nullptr);

/// The file beside a lesson that holds looks inside the steps at which it stops, so that nothing has to be compiled:
/// its path, whether or not it is there.
std::string recording_beside(const Lesson& lesson);

/// Returns the look inside a step that stands beside a lesson. Errors: those of open_trace() and kept_look(); bad_input
/// if it was made of another run than this trace, or by other code.
Result<access_log::Look> look_beside(const Lesson& lesson, const Trace& trace, std::uint32_t step);

}  // namespace kdscope
