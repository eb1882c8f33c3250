// Tests the course: its file, what is refused, and that every shipped lesson occurs once.

#include "walkthroughs/reader/course.hpp"

#include <algorithm>
#include <set>

#include "tests/support/cases.hpp"

using namespace kdscope;

namespace {

const std::string shipped = KDSCOPE_SOURCE_DIR "/walkthroughs";

}  // namespace

LESSON_CASE("every shipped lesson occurs once in the course, after those that it builds on") {
  const auto course = read_course(shipped).value();
  const LessonCatalogue catalogue = read_lessons(shipped);
  std::vector<std::string> taught;
  for (const CoursePart& part : course.parts) taught.insert(taught.end(), part.lessons.begin(), part.lessons.end());
  std::set<std::string> ids;
  for (const Lesson& lesson : catalogue.lessons) ids.insert(lesson.id);
  CHECK(std::set<std::string>(taught.begin(), taught.end()) == ids);
  CHECK(taught.size() == ids.size());
  for (const Lesson& lesson : catalogue.lessons)
    for (const std::string& before : lesson.builds_on) {
      INFO(lesson.id << " builds on " << before);
      CHECK(std::find(taught.begin(), taught.end(), before) < std::find(taught.begin(), taught.end(), lesson.id));
    }
}

LESSON_CASE("a course that is not well formed is refused with its line") {
  const auto message = [](const std::string& text) {
    const auto course = parse_course(text, "course.yaml");
    REQUIRE_FALSE(course);
    return course.error().message();
  };
  const std::string good = "title: T\nparts:\n  - title: A\n    lessons: [a/b, a/c]\n";
  const auto course = parse_course(good, "course.yaml").value();
  CHECK(course.parts.at(0).lessons == std::vector<std::string>{"a/b", "a/c"});
  const std::string twice = message(good + "  - title: B\n    lessons: [a/c]\n");
  CHECK(twice.find("course.yaml:6") != std::string::npos);
  CHECK(twice.find("'a/c' occurs twice") != std::string::npos);
  CHECK(message("title: T\nparts:\n  - title: A\n    lessons: []\n").find("no lessons") != std::string::npos);
  CHECK(message(good + "minutes: 4\n").find("minutes") != std::string::npos);
  CHECK(message("title: T\n").find("parts") != std::string::npos);
}

TEST_CASE("lessons that the course does not name follow, and those that do not exist are left out") {
  LessonCatalogue catalogue;
  for (const char* id : {"a/own", "a/b"}) {
    catalogue.lessons.emplace_back();
    catalogue.lessons.back().id = id;
  }
  const Course whole = with_all_lessons({"T", {{"A", {"a/b", "a/gone"}}, {"B", {"b/gone"}}}}, catalogue);
  REQUIRE(whole.parts.size() == 2);
  CHECK(whole.parts[0].title == "A");
  CHECK(whole.parts[0].lessons == std::vector<std::string>{"a/b"});
  CHECK(whole.parts[1].title.empty());
  CHECK(whole.parts[1].lessons == std::vector<std::string>{"a/own"});
}
