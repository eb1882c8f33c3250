#pragma once
// Asks the engine of pages under node.

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "visualizer/web/page_engine.hpp"

namespace kdscope::test {

/// Returns what a command prints.
inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  char buffer[65536];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  return text;
}

/// Returns why the engine cannot be tested here, in one sentence; empty if it can.
inline std::string why_no_engine() {
  const auto engine = read_engine();
  if (!engine) return engine.error().message();
  const std::string sources = output_of("bash " KDSCOPE_SOURCE_DIR "/visualizer/web/engine/sources.sh");
  if (engine->substr(0, engine->find('\n') + 1).ends_with(", sources " + sources)) return {};
  return "the engine is of other sources; build it again with: bash visualizer/web/engine/build.sh";
}

/// Returns the engine's answers under node.
inline std::vector<std::string> answers_under_node(const std::vector<std::string>& requests) {
  const TemporaryFolder folder;
  const std::string engine = folder.file("engine.js"), asked = folder.file("requests");
  std::ofstream(engine) << *read_engine();
  std::ofstream lines(asked);
  for (const std::string& request : requests) lines << request << "\n";
  lines.close();
  std::istringstream out(output_of("node " KDSCOPE_SOURCE_DIR "/tests/web/engine_node.js " + engine + " " + asked));
  std::vector<std::string> answers;
  for (std::string line; std::getline(out, line);) answers.push_back(line);
  return answers;
}

}  // namespace kdscope::test
