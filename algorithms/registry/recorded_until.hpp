#pragma once
// Recordings that end at the first step at which a condition holds.

#include <memory>
#include <optional>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/expression.hpp"

namespace kdscope {

struct RecordedUntil {
  /// The steps up to and including the one that meets the condition, without a finished tree; the whole run if no step
  /// does.
  std::shared_ptr<const Trace> trace;
  std::optional<MetStep> met;
};

/// Runs a builder or a search as record() does, and checks the condition (trace/expression.hpp) after each step that is
/// kept. Stops the run at the first step that meets it, as a stop request would. Extra memory: a copy of the state, two
/// if the condition looks at the step before. Errors: those of record() and of Expression::parse(), the latter once the
/// first step is recorded, because only then the arrays are known.
Result<RecordedUntil> record_until(const TypedRun& run, const std::string& condition, RunControl control = {});

}  // namespace kdscope
