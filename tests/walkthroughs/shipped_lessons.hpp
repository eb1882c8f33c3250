#pragma once
// The lessons that ship with the program, and their runs.

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

inline const std::string shipped_lessons = KDSCOPE_SOURCE_DIR "/walkthroughs";

/// Records the run of a lesson on the CPU.
inline std::shared_ptr<const Trace> trace_of(const Lesson& lesson) {
  const auto data = open_data_set(lesson.data);
  INFO((data ? std::string() : data.error().message()));
  REQUIRE(data);
  RunRequest request;
  request.algorithm = lesson.algorithm;
  request.points = *data;
  request.parameters = lesson.parameters;
  request.search = lesson.search;
  request.backend = Backend::cpu;
  const auto trace = record(request);
  INFO((trace ? std::string() : trace.error().message()));
  REQUIRE(trace);
  return *trace;
}

inline Lesson lesson_named(const std::string& id) {
  const auto lesson = read_lesson(shipped_lessons + "/" + id + ".md");
  INFO((lesson ? std::string() : lesson.error().message()));
  REQUIRE(lesson);
  return *lesson;
}

/// The cells of the rows of a lesson's last table, which follow its rule "|---|".
inline std::vector<std::vector<std::string>> table_in(const std::string& narration) {
  std::vector<std::vector<std::string>> table;
  std::istringstream lines(narration);
  bool in_body = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("|---")) {
      in_body = true;
    } else if (in_body && line.starts_with("|")) {
      std::istringstream cells(line.substr(1));
      table.emplace_back();
      for (std::string cell; std::getline(cells, cell, '|');) table.back().push_back(cell.substr(1, cell.size() - 2));
    }
  }
  return table;
}

/// The text of a number with so many digits behind the point.
inline std::string rounded(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

}  // namespace kdscope
