// Stands in for lesson_yaml.cpp, course_yaml.cpp and gallery_yaml.cpp in a build without yaml-cpp.

#include "walkthroughs/reader/course.hpp"
#include "walkthroughs/reader/gallery.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

bool lessons_available() { return false; }

Result<Lesson> parse_lesson(const std::string&, const std::string& path) {
  return Error{ErrorKind::bad_usage, "lessons are off, because this build has no yaml-cpp", path,
               "install libyaml-cpp-dev and configure again"};
}

Result<Course> parse_course(const std::string&, const std::string& path) {
  return Error{ErrorKind::bad_usage, "the course is off, because this build has no yaml-cpp", path,
               "install libyaml-cpp-dev and configure again"};
}

Result<GalleryEntry> parse_gallery_entry(const std::string&, const std::string& path) {
  return Error{ErrorKind::bad_usage, "the gallery is off, because this build has no yaml-cpp", path,
               "install libyaml-cpp-dev and configure again"};
}

}  // namespace kdscope
