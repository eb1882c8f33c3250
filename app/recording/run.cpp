#include "app/recording/run.hpp"

#include <cstring>
#include <filesystem>
#include <utility>

#include "algorithms/run/run.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "datasets/data_form.hpp"
#include "visualizer/model/missing_values.hpp"

namespace kdscope {
namespace {

Error no_steps(const std::string& where) {
  return {ErrorKind::bad_input, "the trace has no steps, so there is nothing to show", where,
          "choose at least one point"};
}

}  // namespace

RunRequest run_of(const Lesson& lesson, Backend backend) {
  RunRequest run{lesson.points ? lesson.data : data_of(lesson), lesson.algorithm, lesson.parameters, backend};
  run.points = lesson.points;
  run.search = lesson.search;
  return run;
}

Result<RecordedRun> record_run(const RunRequest& run, const RunControl& control,
                               const std::function<void(RecordedRun)>& arrived) {
  const auto typed = opened(run, control);
  if (!typed) return typed.error();
  RunRequest ran = run;
  ran.algorithm = typed->request.algorithm;
  variants::StepsArrived pass_on;
  if (arrived)
    pass_on = [&](const variants::Recording& so_far) { arrived({ran, "", so_far.trace, {}, {}, {}, so_far.device}); };
  auto recording = run_record(*typed, control, pass_on);
  if (!recording) return recording.error();
  if (recording->trace->steps.empty()) return no_steps(run.data);
  if (const auto here = fetch_frame(*recording->trace); !here) return here.error();
  RecordedRun recorded{std::move(ran), "", recording->trace, {}, {}, recording->crash, recording->device};
  if (!recorded.crash.empty()) recorded.first_difference = static_cast<std::uint32_t>(recorded.trace->steps.size() - 1);
  return recorded;
}

Result<void> fetch_frame(const Trace& trace) {
  // The legend of a small run names what its finished tree has.
  constexpr std::uint64_t most_points = 5000;
  if (trace.header.n <= most_points)
    if (const auto last = fetch_step(trace, static_cast<std::uint32_t>(trace.steps.size() - 1)); !last) return last;
  using namespace partition_arrays;
  try {
    for (const char* name : {points_array, triangles_array, parent, split_dim, split_value, box})
      if (const Trace::Array* array = trace.find(name); array && !array->versions.empty()) {
        std::as_const(array->versions.front().values).bytes();
        contents_at(*array, no_id);
      }
  } catch (const ErrorException& e) {
    return e.error();
  }
  return fetch_step(trace, 0);
}

Result<void> fetch_step(const Trace& trace, std::uint32_t step) {
  try {
    for (const std::uint32_t at : {step, step > 0 ? step - 1 : 0})
      for (const TypedArray& values : missing_values(trace, at)) values.bytes();
    return {};
  } catch (const ErrorException& e) {
    return e.error();
  }
}

std::shared_ptr<const DataSet> points_of(const Trace& trace) {
  auto data = std::make_shared<DataSet>();
  data->name = trace.header.data_set;
  data->up_axis = trace.header.up_axis;
  data->warnings = trace.header.data_warnings;
  data->points.type = trace.header.scalar;
  data->points.dim = trace.header.dim;
  if (const Trace::Array* array = trace.find(points_array); array && !array->versions.empty()) {
    const auto bytes = array->versions.front().values.bytes();
    data->points.words.resize(bytes.size() / sizeof(std::uint32_t));
    if (!bytes.empty()) std::memcpy(data->points.words.data(), bytes.data(), bytes.size());
  }
  return data;
}

Result<RecordedRun> open_trace(const std::string& path) {
  auto trace = load_trace(path);
  if (!trace) return trace.error();
  if ((*trace)->steps.empty()) return no_steps(path);
  if (const auto here = fetch_frame(**trace); !here) return here.error();
  const TraceHeader& header = (*trace)->header;
  RunRequest run{header.data_set, header.algorithm, header.parameters, Backend::automatic};
  run.search = header.search;
  // A file may have changed or be elsewhere, and own points have no name at all.
  if (parse_data_form(header.data_set).source.empty()) run.points = points_of(**trace);
  return RecordedRun{run, path, *trace, {}, {}};
}

Result<RecordedRun> compared(RecordedRun run, OtherRun other, std::stop_token stop) {
  try {
    const Divergence found = find_divergence(run.trace, other.trace, {}, stop);
    if (found.steps) run.first_difference = found.steps->first;
    run.other = std::move(other);
    return run;
  } catch (const ErrorException& e) {
    return e.error();
  }
}

Result<OtherRun> open_other(const std::string& path, const Trace& run) {
  const auto other = open_trace(path);
  if (!other) return other.error();
  const TraceHeader &a = run.header, &b = other->trace->header;
  if (a.n != b.n || a.dim != b.dim)
    return Error{ErrorKind::bad_input,
                 "holds a run on other data (" + b.data_set + ") than the open run (" + a.data_set + ")", path,
                 "choose a trace of the same data"};
  return OtherRun{other->trace, path.substr(path.rfind('/') + 1)};
}

Result<RecordedRun> open_traces(const std::string& path, const std::string& other_path, std::stop_token stop) {
  auto run = open_trace(path);
  if (!run) return run;
  auto other = open_other(other_path, *run->trace);
  if (!other) return other.error();
  return compared(std::move(*run), std::move(*other), stop);
}

Result<BuildReport> time_run(const RunRequest& run, int repeat, const RunControl& control) {
  RunRequest timed = run;
  timed.repeat = repeat;
  timed.time_steps = true;
  return run_build(timed, control);
}

Offer offer_for(const Error& error, const RunRequest& run, const DeviceReport& devices, bool elsewhere) {
  if (elsewhere && error.kind == ErrorKind::device_failure) return Offer::run_here;  // a connection, mostly
  const Backend used = run.backend == Backend::automatic ? devices.devices.front().backend : run.backend;
  const bool device_trouble = error.kind == ErrorKind::no_device || error.kind == ErrorKind::device_failure ||
                              error.kind == ErrorKind::out_of_memory;
  if (device_trouble && used == Backend::cuda) return Offer::run_on_cpu;
  const bool too_much = error.kind == ErrorKind::over_budget || error.kind == ErrorKind::out_of_memory;
  if (too_much && !run.thin) return Offer::record_thinned;
  std::error_code ignored;
  if (error.kind == ErrorKind::bad_input && !run.points &&
      std::filesystem::is_regular_file(data_file_of(run.data), ignored))
    return Offer::read_otherwise;
  return Offer::none;
}

std::uint64_t raised_budget(const Error& error, const RunRequest& run, std::uint64_t available) {
  if (error.kind != ErrorKind::over_budget) return 0;
  constexpr std::uint64_t gibi = 1ull << 30;
  const std::uint64_t raised = available < gibi ? available : available / gibi * gibi;
  return raised > (run.trace_budget_bytes > 0 ? run.trace_budget_bytes : default_trace_budget()) ? raised : 0;
}

}  // namespace kdscope
