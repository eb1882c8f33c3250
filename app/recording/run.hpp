#pragma once
// Long work as plain functions: they run on any thread, report progress and stop on request.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/session.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// Another run on the same data, which a run is compared with step by step.
struct OtherRun {
  std::shared_ptr<const Trace> trace;  ///< null: none
  std::string name;                    ///< in messages: "the original", "cpu.kdtrace"
  explicit operator bool() const { return trace != nullptr; }
};

/// A trace and what made it.
struct RecordedRun {
  RunRequest run;
  std::string trace_file;              ///< set when it was opened from a file
  std::shared_ptr<const Trace> trace;  ///< never null, at least one step
  OtherRun other = {};
  std::optional<std::uint32_t> first_difference = {};  ///< the first step that differs from the other run
  std::string crash = {};   ///< why the trace ends early, in one sentence; empty if it is whole
  std::string device = {};  ///< name of the device elsewhere that made it; empty: this machine, or a file
};

/// Returns the run that a lesson is on.
RunRequest run_of(const Lesson& lesson, Backend backend);

/// Opens the data and records the run, in a process of its own if runners are in use (variants/runners.hpp). Errors as
/// for open_data_set(), Runners::record() and fetch_frame(). Nothing is changed on failure. arrived: called on this
/// thread with the run so far, while its later steps travel from a device elsewhere.
Result<RecordedRun> record_run(const RunRequest& run, const RunControl& control = {},
                               const std::function<void(RecordedRun so_far)>& arrived = {});

/// Looks at all values that showing a step needs, on a thread that may wait for them. Errors: they cannot be had.
Result<void> fetch_step(const Trace& trace, std::uint32_t step);
/// The same for the values without which a window cannot open a trace: those of its first step and the shape of its
/// finished tree.
Result<void> fetch_frame(const Trace& trace);

/// Returns the points of a trace from its standard array; no points if it has none.
std::shared_ptr<const DataSet> points_of(const Trace& trace);

/// Opens a trace file. Its header gives the run that made it. Points that no specification produces come from the
/// trace.
Result<RecordedRun> open_trace(const std::string& path);

/// Adds the run to compare with, and finds the first step that differs. Errors: cancelled.
Result<RecordedRun> compared(RecordedRun run, OtherRun other, std::stop_token stop = {});

/// Opens a trace file to compare a run with. Errors as for open_trace(); of kind bad_input if it holds a run on other
/// data.
Result<OtherRun> open_other(const std::string& path, const Trace& run);

/// Opens two trace files; the first is compared with the second. Errors as for open_trace() and open_other().
Result<RecordedRun> open_traces(const std::string& path, const std::string& other, std::stop_token stop = {});

/// Builds the same run at full speed, `repeat` times, and times each step once. Runs where record_run() does.
Result<BuildReport> time_run(const RunRequest& run, int repeat, const RunControl& control = {});

/// What the user may do about a failed run.
enum class Offer { none, run_on_cpu, run_here, record_thinned, read_otherwise };
/// devices: those of the device that the run was made on; Backend::automatic runs on the first one. elsewhere: whether
/// that is another machine's.
Offer offer_for(const Error& error, const RunRequest& run, const DeviceReport& devices, bool elsewhere = false);

/// Returns a larger budget for a recording that was rejected for its memory: all available memory, rounded down to
/// whole GiB if it is at least one. 0 for other errors, and if that is no more than the run had.
std::uint64_t raised_budget(const Error& error, const RunRequest& run, std::uint64_t available);

}  // namespace kdscope
