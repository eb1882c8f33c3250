// The format of course.yaml. Everything that is wrong is thrown with its line, and caught once.

#include <set>

#include "algorithms/text/printable_text.hpp"
#include "walkthroughs/reader/course.hpp"
#include "walkthroughs/reader/yaml_field.hpp"

namespace kdscope {

Result<Course> parse_course(const std::string& text, const std::string& path) try {
  const YamlFields fields = YamlField::document(text, 1, "the course").fields({"title", "parts"}, {});
  Course course{fields.at("title").text(), {}};
  std::set<std::string> seen;
  for (const YamlField& field : fields.at("parts").items()) {
    const YamlFields of_part = field.fields({"title", "lessons"}, {});
    CoursePart part{of_part.at("title").text(), {}};
    for (const YamlField& lesson : of_part.at("lessons").items()) {
      part.lessons.push_back(lesson.text());
      if (!seen.insert(part.lessons.back()).second)
        lesson.fail("lesson '" + part.lessons.back() + "' occurs twice", "name it once");
    }
    if (part.lessons.empty()) of_part.at("lessons").fail("part '" + part.title + "' has no lessons");
    course.parts.push_back(std::move(part));
  }
  return course;
} catch (const YamlFieldError& e) {
  return Error{ErrorKind::bad_input, e.text, path + ":" + std::to_string(e.line), e.remedy};
} catch (const YAML::Exception& e) {
  return Error{ErrorKind::bad_input, "the course cannot be used: " + printable(e.msg), path, ""};
}

}  // namespace kdscope
