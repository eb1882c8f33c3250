#include "algorithms/record/recorders.hpp"

#include <algorithm>

#include "algorithms/core/available_memory.hpp"

namespace kdscope {

std::vector<std::string> path_of(const StepLabel& label) {
  std::vector<std::string> path{"build"};
  if (label.level >= 0) path.push_back("level " + std::to_string(label.level));
  if (*label.phase && label.phase != std::string_view(label.name)) path.emplace_back(label.phase);
  if (label.pass >= 0) path.push_back("pass " + std::to_string(label.pass));
  path.emplace_back(label.name);
  return path;
}

void StepRecording::start(const StepLabel& label) {
  if (options_.step_starts) options_.step_starts(path_text(path_of(label)));
}

bool StepRecording::keep(const StepLabel& label, double ms) {
  if (options_.thin && label.level >= 0 && !label.ends_level) return false;
  Step step;
  step.name = label.name;
  step.path = path_of(label);
  step.title = label.title;
  step.level = label.level;
  step.phase = label.phase;
  step.kind = label.kind;
  step.code_anchor = label.anchor;
  step.elapsed_ms = ms;
  trace_.begin_step(std::move(step));
  for (auto& [name, contents] : std::exchange(options_.given, {})) trace_.write(name, std::move(contents));
  return true;
}

void StepRecording::finish(const StepLabel& label) {
  if (options_.step_recorded) options_.step_recorded(trace_);
  if (trace_.stored_bytes() > options_.budget_bytes)
    throw ErrorException(
        {ErrorKind::over_budget,
         "the recording has passed its budget of " + memory_text(options_.budget_bytes) + " before its end",
         path_text(trace_.current_step()),
         std::string("raise the budget, ") + (options_.thin ? "" : "record only the last step of each level, ") +
             "or use less data"});
  reached_ =
      std::max(reached_, options_.levels > 0 ? std::min(1.0, double(label.level + 1) / (options_.levels + 1)) : 0.0);
  if (options_.progress) options_.progress(reached_, label.name);
  if (++recorded_ == options_.most_steps) throw EndOfRecording();
}

}  // namespace kdscope
