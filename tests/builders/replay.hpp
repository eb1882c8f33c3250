#pragma once
// Checks properties of every builder's recording: stepping backwards is exact, saving and loading preserve the
// recording, the recording on a GPU equals that on the CPU, and budgets are respected.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "algorithms/trace/trace_file.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// Checks that stepping forwards and backwards passes the same states, and that the saved and loaded trace is equal.
inline void check_replay(const std::shared_ptr<const Trace>& trace) {
  Cursor cursor(trace);
  std::vector<std::uint64_t> forwards;
  for (std::uint32_t s = 0; s < cursor.step_count(); ++s) cursor.seek(s), forwards.push_back(cursor.state_hash());
  for (std::uint32_t s = cursor.step_count(); s-- > 0;) {
    cursor.seek(s);
    CHECK(cursor.state_hash() == forwards[s]);
  }
  if (!trace_files_available()) KDSCOPE_SKIP("this build has no HDF5");
  // Tests run concurrently, each in a process of its own.
  const std::string path =
      (std::filesystem::temp_directory_path() / ("kdscope-replay-" + std::to_string(::getpid()) + ".kdtrace")).string();
  REQUIRE(save_trace(*trace, path).has_value());
  const auto loaded = load_trace(path).value();
  CHECK(equal(*trace, *loaded));
  std::filesystem::remove(path);
}

/// Checks that the recordings of two back ends have the same states, step by step, and that all checks hold.
inline void check_same_states(const std::shared_ptr<const Trace>& cpu, const std::shared_ptr<const Trace>& cuda) {
  CHECK(first_failure(*cuda) == "");
  REQUIRE(cpu->steps.size() == cuda->steps.size());
  Cursor a(cpu), b(cuda);
  for (std::uint32_t s = 0; s < a.step_count(); ++s) {
    a.seek(s), b.seek(s);
    INFO(path_text(a.current()));
    CHECK(a.state_hash() == b.state_hash());
  }
}

/// Returns whether the size of a recording is as estimated, within a factor of 1.5.
inline bool is_as_estimated(const Trace& trace, const RunRequest& request) {
  const double ratio = double(estimated_trace_bytes(request).value()) / double(trace.stored_bytes());
  return ratio >= 1 / 1.5 && ratio <= 1.5;
}
/// Checks that every check of a recording holds, that its tree is the timed one, and, if its steps are `described`,
/// that they have titles and places in the code; returns it.
inline std::shared_ptr<const Trace> check_recording(const RunRequest& request, bool described = true) {
  const auto trace = record(request).value();
  CHECK(first_failure(*trace) == "");
  CHECK(trace->header.tree_hash == build(request).value().tree_hash);
  const auto lacks_words = [](const Step& step) { return step.title.empty() || step.code_anchor.empty(); };
  CHECK((!described || std::ranges::none_of(trace->steps, lacks_words)));
  return trace;
}

struct FullAndThin {
  std::shared_ptr<const Trace> full, thin;
  std::string refusal = {};  ///< of a budget that is too small
};
/// `arrays`: those that are equal at the end of both recordings.
inline FullAndThin check_budget_and_thinning(RunRequest request, const std::vector<const char*>& arrays = {}) {
  FullAndThin recorded;
  recorded.full = record(request).value();
  CHECK(is_as_estimated(*recorded.full, request));
  request.thin = true;
  recorded.thin = record(request).value();
  CHECK(is_as_estimated(*recorded.thin, request));
  CHECK(recorded.thin->steps.size() <= recorded.full->steps.size());
  CHECK(first_failure(*recorded.thin) == "");
  CHECK(recorded.thin->header.tree_hash == recorded.full->header.tree_hash);
  Cursor a(recorded.full), b(recorded.thin);
  a.seek(a.step_count() - 1), b.seek(b.step_count() - 1);
  for (const char* name : arrays) {
    INFO(name);
    REQUIRE((a.array(name) && b.array(name)));
    CHECK(*a.array(name) == *b.array(name));
  }
  request.thin = false;
  request.trace_budget_bytes = 1000;
  const auto refused = record(request);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::over_budget);
  recorded.refusal = refused.error().message();
  return recorded;
}

/// Checks that a build and a recording stop on request, and that a build with timed steps has the steps of its
/// recording.
inline void check_stop_and_step_times(RunRequest request) {
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = build(request, {stop.get_token(), {}});
  REQUIRE(!stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  CHECK(!record(request, {stop.get_token(), {}}));
  request.time_steps = true;
  const auto report = build(request).value();
  const auto trace = record(request).value();
  REQUIRE(report.step_times.size() == trace->steps.size());
  for (std::size_t i = 0; i < trace->steps.size(); ++i) {
    CHECK(report.step_times[i].name == path_text(trace->steps[i]));
    CHECK(report.step_times[i].phase == trace->steps[i].phase);
  }
}

}  // namespace kdscope::test
