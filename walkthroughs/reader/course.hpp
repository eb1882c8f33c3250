#pragma once
// The course: the order in which lessons are taught, and its parts. No Qt here.

#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

struct CoursePart {
  std::string title;
  std::vector<std::string> lessons;  ///< ids, in teaching order
};

/// A course as its file gives it. The first lesson of the first part is where to start.
struct Course {
  std::string title;
  std::vector<CoursePart> parts;
};

/// Reads a course from its text (the format: walkthroughs/AUTHORING.md). Strict, as parse_lesson(): a lesson that
/// occurs twice is refused too. Any bytes may be given.
Result<Course> parse_course(const std::string& text, const std::string& path);
/// Reads course.yaml in a folder of lessons. Without that file, the course has no parts.
Result<Course> read_course(const std::string& folder);

/// The course with the lessons that exist: ids without a lesson are left out, and so are parts without lessons.
/// Lessons that the course does not name follow in a part of their own, whose title is empty.
Course with_all_lessons(Course course, const LessonCatalogue& catalogue);

}  // namespace kdscope
