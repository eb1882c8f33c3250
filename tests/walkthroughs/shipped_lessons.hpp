#pragma once
// The lessons that ship with the program, and their runs.

#include <memory>
#include <string>

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

}  // namespace kdscope
