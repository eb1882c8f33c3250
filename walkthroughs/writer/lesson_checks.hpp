#pragma once
// What is wrong with a lesson that is being written, per field, before its file is written. No Qt here.

#include <memory>
#include <string>
#include <vector>

#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// A field of a lesson, of a stop, or of a question, as an editor shows it.
enum class LessonField {
  title,
  source,
  introduction,
  stops,
  stop_title,
  step,
  narration,
  rows,
  shows,
  ask,
  answer,
  expects,
  hides,
  hidden_rows
};

/// One sentence beside a field. What is refused keeps the lesson from being saved; the rest is advice.
struct LessonProblem {
  LessonField field = LessonField::title;
  int stop = -1;      ///< from 0; -1: the lesson itself
  int question = -1;  ///< of the stop, from 0; -1: the stop itself
  bool refused = true;
  std::string sentence;
};

/// Returns everything that is wrong, in the order of the fields. `trace` is the lesson's run; without it, what depends
/// on the run is not checked. Work: one seek per stop, and that of can_be_given() per question.
std::vector<LessonProblem> problems_of(const Lesson& lesson, const std::shared_ptr<const Trace>& trace);

/// How a stop selects a step: the shortest end of its path, of at least two phases, that no other step has, else the
/// whole path and which of its matches is meant.
struct StepChoice {
  std::string select;
  std::uint32_t occurrence = 0;
};
StepChoice choice_of(const Trace& trace, std::uint32_t step);

/// Reads the rows that a stop shows again at another step; rows without values there are left out.
void read_shows_again(Stop& stop, const Cursor& cursor);

}  // namespace kdscope
