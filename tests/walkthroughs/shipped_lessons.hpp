#pragma once
// The lessons that ship with the program, and their runs.

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/recorded.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

inline const std::string shipped_lessons = KDSCOPE_SOURCE_DIR "/walkthroughs";

/// Records the run of a lesson on the CPU.
inline std::shared_ptr<const Trace> trace_of(const Lesson& lesson) {
  return recorded(lesson.data, lesson.algorithm, lesson.parameters, lesson.search);
}

inline Lesson lesson_named(const std::string& id) { return read_lesson(shipped_lessons + "/" + id + ".md").value(); }

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
