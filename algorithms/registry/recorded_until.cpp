#include "algorithms/registry/recorded_until.hpp"

#include <utility>

#include "algorithms/record/recorders.hpp"

namespace kdscope {

Result<RecordedUntil> record_until(const TypedRun& run, const std::string& condition, RunControl control) {
  std::optional<ExpressionWalk> walk;
  std::optional<MetStep> met;
  std::optional<Error> refused;
  control.step_recorded = [&, also = std::move(control.step_recorded)](TraceBuilder& trace) {
    if (also) also(trace);
    if (!walk) {
      auto expression = Expression::parse(condition, trace.so_far(), Expression::Steps::recording);
      if (!expression) {
        refused = expression.error();
        throw EndOfRecording();
      }
      // The trace belongs to the builder and outlives the walk
      walk.emplace(std::move(*expression), std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace.so_far()));
    }
    const std::uint32_t step = trace.current_step().ordinal;
    walk->seek(step);
    if (!walk->holds()) return;
    met = MetStep{step, walk->reading()};
    throw EndOfRecording();
  };
  auto trace = record(run, control);
  if (refused) return *refused;
  if (!trace) return trace.error();
  if ((*trace)->steps.empty())
    if (const auto expression = Expression::parse(condition, **trace); !expression) return expression.error();
  return RecordedUntil{std::move(*trace), std::move(met)};
}

}  // namespace kdscope
