#pragma once
// What holds for every builder's recording: backwards is exact, and a file brings it back.

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "algorithms/trace/trace_file.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// Stepping forwards, then backwards, passes the same states; saved and loaded, the trace is equal.
inline void check_replay(const std::shared_ptr<const Trace>& trace) {
  Cursor cursor(trace);
  std::vector<std::uint64_t> forwards;
  for (std::uint32_t s = 0; s < cursor.step_count(); ++s) cursor.seek(s), forwards.push_back(cursor.state_hash());
  for (std::uint32_t s = cursor.step_count(); s-- > 0;) {
    cursor.seek(s);
    CHECK(cursor.state_hash() == forwards[s]);
  }
  if (!trace_files_available()) return;
  // Tests run side by side, each in a process of its own.
  const std::string path = (std::filesystem::temp_directory_path() / ("kdscope-replay-" + std::to_string(::getpid()) + ".kdtrace")).string();
  REQUIRE(save_trace(*trace, path).has_value());
  const auto loaded = load_trace(path);
  REQUIRE(loaded.has_value());
  CHECK(equal(*trace, **loaded));
  std::filesystem::remove(path);
}

}  // namespace kdscope::test
