#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "algorithms/exec/cuda_arrays.hpp"
#include "algorithms/library/internals.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trace/trace_file.hpp"

namespace kdscope::library {

struct RecordedState::State {
  explicit State(Cursor at) : cursor(std::move(at)) {}
  const TypedArray* row(const kdscope::Trace::Array& array) const;
  Cursor cursor;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, TypedArray> derived_;  ///< rows that the trace gathers from others, once asked for
};

/// Returns an array or a derived row; null if it is not written yet.
const TypedArray* RecordedState::State::row(const kdscope::Trace::Array& array) const {
  const auto& gather = array.info.gather;
  if (!gather) return cursor.array(array.info.name);
  const TypedArray *source = cursor.array(gather->source), *through = cursor.array(gather->through);
  const kdscope::Trace::Array* base = cursor.trace().find(gather->source);
  if (!source || !through || !base) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = derived_.try_emplace(array.info.name, source->type(), through->size());
  if (!is_new) return &at->second;
  const std::size_t bytes = size_of(source->type()), components = std::max<std::size_t>(1, base->info.components);
  for (std::size_t i = 0; i < through->size(); ++i) {
    const std::size_t from = static_cast<std::size_t>(through->number(i)) * components + gather->component;
    std::byte* to = at->second.bytes().data() + i * bytes;
    if (from < source->size())
      std::memcpy(to, source->bytes().data() + from * bytes, bytes);
    else
      std::memset(to, unwritten_byte, bytes);
  }
  return &at->second;
}

Result<Trace> record(const Points& points, const RecordOptions& options) {
  const SameCudaDevice same;
  auto request = request_of(points, options);
  if (!request) return request.error();
  request->thin = options.only_last_step_of_levels;
  request->trace_budget_bytes = options.memory_budget;
  request->most_steps = options.most_steps;
  request->search = options.search;
  auto recording = run_record(*request, {options.stop, {}});
  if (!recording) return recording.error();
  return Trace(std::make_shared<const Trace::State>(std::move(recording->trace)));
}

Result<Trace> load_trace(const std::string& path) {
  auto trace = kdscope::load_trace(path);
  if (!trace) return trace.error();
  return Trace(std::make_shared<const Trace::State>(std::move(*trace)));
}

Result<void> Trace::save(const std::string& path) const { return save_trace(*state_->trace, path); }

const std::string& Trace::builder() const { return state_->trace->header.algorithm; }
std::size_t Trace::step_count() const { return state_->trace->steps.size(); }

Step Trace::step(std::size_t index) const {
  const kdscope::Step& from = state_->trace->steps.at(index);
  Step step{from.name, from.path, from.title, from.level, from.wrote, {}};
  for (const CheckResult& check : from.checks)
    step.checks.push_back({check.name, check.statement, check.passed, check.detail});
  return step;
}

RecordedState Trace::state_after(std::size_t index) const {
  Cursor cursor(state_->trace);
  cursor.seek(static_cast<std::uint32_t>(index));
  return RecordedState(std::make_shared<const RecordedState::State>(std::move(cursor)));
}

std::vector<std::string> RecordedState::names() const {
  std::vector<std::string> names;
  for (const kdscope::Trace::Array& array : state_->cursor.trace().arrays)
    if (state_->row(array)) names.push_back(array.info.name);
  return names;
}

Result<ArrayView> RecordedState::array(std::string_view name) const {
  const kdscope::Trace::Array* declared = state_->cursor.trace().find(name);
  const TypedArray* contents = declared ? state_->row(*declared) : nullptr;
  if (!contents)
    return Error{ErrorKind::bad_usage,
                 declared ? "no step up to this one has written the array " + kdscope::quoted(name)
                          : "the recording has no array " + kdscope::quoted(name),
                 "", "ask names() for those that there are"};
  const std::size_t components = declared->info.gather ? 1 : std::max<std::size_t>(1, declared->info.components);
  ArrayView view{std::string(name),
                 static_cast<ElementType>(contents->type()),
                 {contents->size() / components},
                 contents->bytes().data()};
  if (components > 1) view.shape.push_back(components);
  return view;
}

}  // namespace kdscope::library
