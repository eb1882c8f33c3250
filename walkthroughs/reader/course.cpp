#include "walkthroughs/reader/course.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

namespace kdscope {
namespace {

constexpr std::uintmax_t max_course_bytes = 1 << 20;

}  // namespace

Result<Course> read_course(const std::string& folder) try {
  const std::string path = folder + "/course.yaml";
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return Course();
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed) return Error{ErrorKind::bad_input, "the course cannot be read: " + failed.message(), path, ""};
  if (size > max_course_bytes)
    return Error{ErrorKind::bad_input, "a course of " + std::to_string(size) + " bytes is refused", path,
                 "keep it under 1 MiB"};
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || text.size() != size) return Error{ErrorKind::bad_input, "the course cannot be read", path, ""};
  return parse_course(text, path);
} catch (const std::exception& e) {
  return Error{ErrorKind::bad_input, std::string("the course cannot be read: ") + e.what(), folder, ""};
}

Course with_all_lessons(Course course, const LessonCatalogue& catalogue) {
  std::set<std::string> missing;
  for (const Lesson& lesson : catalogue.lessons) missing.insert(lesson.id);
  for (CoursePart& part : course.parts)
    std::erase_if(part.lessons, [&](const std::string& id) { return missing.erase(id) == 0; });
  std::erase_if(course.parts, [](const CoursePart& part) { return part.lessons.empty(); });
  CoursePart others;
  for (const Lesson& lesson : catalogue.lessons)
    if (missing.count(lesson.id)) others.lessons.push_back(lesson.id);
  if (!others.lessons.empty()) course.parts.push_back(std::move(others));
  return course;
}

}  // namespace kdscope
