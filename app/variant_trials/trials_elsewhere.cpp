#include "app/variant_trials/trials_elsewhere.hpp"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/run/run_work.hpp"
#include "algorithms/trace/trace_validity.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/run_folder.hpp"
#include "app/measure/row_fields.hpp"
#include "app/variant_trials/variant_timing.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {

/// A variant's source on its way, and what to try it on.
struct SourceAndRequest {
  std::string name, text;  ///< of the file
  std::string data;
  Parameters parameters;
  Backend backend = Backend::cpu;
  std::vector<std::string> tools;
  std::shared_ptr<const DataSet> points;  ///< in place of `data`; may be null
  std::uint64_t seed = 0, seconds = 0, memory_bytes = 0;
  int builds = 0;  ///< to time
};

/// A whole recording on its way; null: none.
struct SentTrace {
  std::shared_ptr<const Trace> trace;
};

/// Why a variant was not tried: the error, and what the compiler wrote.
struct NotTried {
  std::optional<Error> error;
  std::vector<variants::CompilerMessage> messages;
  std::string output;
};
struct TriedVariant {
  NotTried not_tried;
  VariantTrial trial;
  SentTrace original, run;
  bool on_own_points = false;
};
struct TimedVariant {
  NotTried not_tried;
  variants::Measurement measured;
};

// clang-format off
template <class Io> void fields(Io& io, PrintedStep& value) { auto& [a, b] = value; io(a, b); }
// clang-format on

namespace variants {
// clang-format off
template <class Io> void fields(Io& io, CompilerMessage& value) { auto& [a, b, c, d] = value; io(a, b, c, d); }
template <class Io> void fields(Io& io, Prints& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, Measurement& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
// clang-format on

/// All but the recording.
template <class Io>
void fields(Io& io, VariantRun& value) {
  auto& [trace, crash, step, late, fault, replaced, shared_arrays, prints, compared_share] = value;
  std::string event = fault ? line_of(*fault) : "";
  io(crash, step, late, event, replaced, shared_arrays, prints, compared_share);
  if constexpr (!std::is_same_v<Io, trace_stream::Sender>)
    if (!event.empty()) fault = event_from(event).value();
}
}  // namespace variants

// clang-format off
template <class Io> void fields(Io& io, SourceAndRequest& value) {
  auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
  io(a, b, c, d, e, f, g, h, i, j, k);
}
template <class Io> void fields(Io& io, NotTried& value) { auto& [a, b, c] = value; io(a, b, c); }
template <class Io> void fields(Io& io, TimedVariant& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, TriedVariant& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
// clang-format on

/// All that is not found again from the recordings.
template <class Io>
void fields(Io& io, VariantTrial& t) {
  io(t.data, t.parameters, t.backend, t.warnings, t.compile_seconds, t.headers_prepared, t.run, t.tools, t.orders,
     t.order, t.words_tried, t.too_slow, t.original_depends, t.compared_share, t.shared_byte, t.unwritten,
     t.unwritten_arrays, t.used_with, t.unused);
  bool failed = t.failed_check.has_value();
  io(failed);
  if (!failed) return;
  FailedAt at = t.failed_check.value_or(FailedAt());
  io(at.step, at.check);
  t.failed_check = std::move(at);
}

inline void fields(trace_stream::Sender& out, SentTrace& sent) {
  using trace_stream::Part;
  Trace none;
  const Trace& trace = sent.trace ? *sent.trace : none;
  TraceHeader header = trace.header;
  out.part(Part::header);
  out(header);
  for (std::uint32_t a = 0; a < trace.arrays.size(); ++a) {
    ArrayInfo info = trace.arrays[a].info;
    out.part(Part::array);
    out(info);
    for (const ArrayVersion& each : trace.arrays[a].versions) {
      ArrayVersion version{each.step, each.keyframe, each.size, each.ranges, {}};
      out.part(Part::version);
      out(a, version);
      const std::size_t width = size_of(each.values.type());
      out.values(each.values.type(), each.values.size(), [&](std::uint64_t begin, std::uint64_t end, void* bytes) {
        std::memcpy(bytes, each.values.bytes().data() + begin * width, (end - begin) * width);
      });
    }
  }
  for (Step step : trace.steps) {
    out.part(Part::step);
    out(step);
  }
  out.part(Part::end);
}
inline void fields(trace_stream::Receiver& in, SentTrace& sent) {
  auto trace = std::make_shared<Trace>();
  while (trace_stream::receive_part(in, *trace)) {
  }
  if (trace->steps.empty()) return;
  trace->index_arrays();
  if (const auto valid = check_trace(*trace); !valid) throw ErrorException(valid.error());
  sent.trace = std::move(trace);
}

namespace {

/// The request as it is made there, on a file in a folder of its own.
Result<TrialRequest> request_there(const SourceAndRequest& sent, const variants::RunFolder& folder) {
  TrialRequest request;
  request.file = (folder.path() / std::filesystem::path(sent.name).filename()).string();
  if (const auto kept = replace_file(request.file, sent.text); !kept) return kept.error();
  request.data = sent.data;
  request.parameters = sent.parameters;
  request.backend = sent.backend;
  request.tools = sent.tools;
  request.own_points = sent.points;
  request.seed = sent.seed;
  request.limits.time = std::chrono::seconds(sent.seconds);
  request.limits.memory_bytes = sent.memory_bytes;
  return request;
}

Result<TriedVariant> try_here(const SourceAndRequest& sent, const RunControl& control) {
  const variants::RunFolder folder;
  const auto request = request_there(sent, folder);
  if (!request) return request.error();
  TriedVariant tried;
  variants::CompilerErrors errors;
  auto trial = try_variant(*request, errors, control);
  if (!trial) {
    tried.not_tried = {trial.error(), errors.messages, errors.output};
    return tried;
  }
  tried.original = {trial->original}, tried.run = {trial->run.trace};
  tried.on_own_points = trial->own_points != nullptr;
  tried.trial = std::move(*trial);
  return tried;
}

Result<TimedVariant> time_here(const SourceAndRequest& sent, const RunControl& control) {
  const variants::RunFolder folder;
  const auto request = request_there(sent, folder);
  if (!request) return request.error();
  TimedVariant timed;
  variants::CompilerErrors errors;
  auto measured = time_variant(*request, sent.builds, errors, control);
  if (measured)
    timed.measured = std::move(*measured);
  else
    timed.not_tried = {measured.error(), errors.messages, errors.output};
  return timed;
}

const variants::Work<SourceAndRequest, TriedVariant> trial_work{"a variant", try_here};
const variants::Work<SourceAndRequest, TimedVariant> timing_work{"the times of a variant", time_here};

Result<SourceAndRequest> sent_from(const TrialRequest& request, int builds) {
  const auto text = read_file(request.file, 4 << 20);
  if (!text) return text.error();
  SourceAndRequest sent{request.file,    *text,         request.data,      request.parameters,
                        request.backend, request.tools, request.own_points};
  sent.seed = request.seed;
  sent.seconds = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(request.limits.time).count());
  sent.memory_bytes = request.limits.memory_bytes;
  sent.builds = builds;
  std::error_code ignored;
  if (!sent.points && std::filesystem::is_regular_file(data_file_of(sent.data), ignored)) {
    auto opened = open_data_set(sent.data);
    if (!opened) return opened.error();
    sent.points = *opened;
  }
  return sent;
}

/// Hands on what kept a variant from being tried, with the file's name as it is here.
std::optional<Error> take_not_tried(NotTried& there, const std::string& file, variants::CompilerErrors& errors) {
  if (!there.error) return std::nullopt;
  errors = {std::move(there.messages), std::move(there.output)};
  const std::string name = std::filesystem::path(file).filename().string();
  std::string& where = there.error->where;
  if (const std::size_t at = where.find("/" + name); where.starts_with("/") && at != std::string::npos)
    where = file + where.substr(at + 1 + name.size());
  return there.error;
}

}  // namespace

std::shared_ptr<variants::Runners> runners_elsewhere() {
  auto runners = variants::runners_in_use();
  return runners && !runners->device().empty() ? runners : nullptr;
}

Result<VariantTrial> try_variant_there(const TrialRequest& request, variants::CompilerErrors& errors,
                                       const RunControl& control, const std::shared_ptr<variants::Runners>& runners) {
  const auto file = variants::read_variant(request.file);
  if (!file) return file.error();
  const auto sent = sent_from(request, 0);
  if (!sent) return sent.error();
  auto tried = run_work(trial_work, *sent, control, runners);
  if (!tried) return tried.error();
  if (auto error = take_not_tried(tried->not_tried, request.file, errors)) return *error;
  VariantTrial& trial = tried->trial;
  trial.file = *file;
  trial.original = tried->original.trace;
  trial.run.trace = tried->run.trace;
  if (!trial.original)
    return Error{ErrorKind::bad_input, "the runner sent no recording of the original", "", "run again"};
  if (tried->on_own_points) trial.own_points = sent->points;
  try {
    if (trial.run.trace) trial.divergence = find_divergence(trial.original, trial.run.trace, {}, control.stop);
  } catch (const ErrorException& e) {
    return e.error();
  }
  return std::move(trial);
}

Result<variants::Measurement> time_variant_there(const TrialRequest& request, int builds,
                                                 variants::CompilerErrors& errors, const RunControl& control,
                                                 const std::shared_ptr<variants::Runners>& runners) {
  const auto sent = sent_from(request, builds);
  if (!sent) return sent.error();
  auto timed = run_work(timing_work, *sent, control, runners);
  if (!timed) return timed.error();
  if (auto error = take_not_tried(timed->not_tried, request.file, errors)) return *error;
  return std::move(timed->measured);
}

std::vector<variants::ServedWork> variant_works() { return {served(trial_work), served(timing_work)}; }

}  // namespace kdscope
