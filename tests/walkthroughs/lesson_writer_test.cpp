// Tests that a lesson which was written is read back as the very same lesson.

#include "walkthroughs/writer/lesson_writer.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/cases.hpp"
#include "tests/walkthroughs/shipped_lessons.hpp"

using namespace kdscope;

namespace {

/// A small lesson with every key of the format.
Lesson full_lesson() {
  Lesson lesson;
  lesson.title = "A: title, \"quoted\" # not a comment";
  lesson.source = "Own points";
  lesson.data = "my points";
  lesson.algorithm = "wald";
  lesson.parameters = {{"split", "round-robin"}, {"odd", "yes"}};
  lesson.search = {{"search", "wald-stack"}, {"k", "2"}};
  lesson.axes = {1, 0};
  lesson.order = 7;
  lesson.aim = std::string(90, 'a') + " " + std::string(130, 'b') + " and  two spaces " + std::string(60, 'c') + ".";
  lesson.minutes = 25;
  lesson.builds_on = {"wald/six-points", "textbook/first-tree"};
  lesson.introduction = "What it is about.\n\n- a list\n\n```cpp\n## no heading\n```";
  Stop stop;
  stop.title = "The root # is found";
  stop.select = "level 0 / update tags";
  stop.occurrence = 2;
  stop.narration = "Text with *marks*.\n\n### Below\n\n    code: \"x\"";
  stop.shows = {{"tags", {"1", "1", "1", "1", "0", "2"}, true, 0}, {"data[i].x", {"-1.5", "2"}, false, 0}};
  stop.highlights = {{Role::pivot, Space::position, {{6, 7}}, {}},
                     {Role::segment, Space::node, {{1, 3}, {4, 5}}, {1, 7}}};
  stop.panes = {"arrays", "view"};
  stop.inside = "block 1 / interval 2";
  stop.rows = {"tags", "data[i].x", "a, b"};
  stop.notes = "First line.\n\n  indented\n- \"quote\": yes";
  Question open;
  open.text = "Why? - 'because': [not] {a} map, #hash & *star*";
  open.answer = "- it begins like a list";
  stop.questions.push_back(open);
  const auto ask = [&](ExpectedAnswer expects) {
    Question question;
    question.text = "~";
    question.answer = "null";
    question.hint = "Two lines\nof hint.";
    question.expects = std::move(expects);
    question.hides = {HiddenPart::marks, HiddenPart::code};
    question.hidden_rows = {"tags", "data[i].x"};
    stop.questions.push_back(question);
  };
  const auto elements = [](AnswerKind kind, std::vector<std::uint32_t> them, std::string row = {}) {
    ExpectedAnswer answer;
    answer.kind = kind;
    answer.elements = std::move(them);
    answer.row = std::move(row);
    return answer;
  };
  const auto number = [](AnswerKind kind, double value, double within, std::uint32_t dimension) {
    ExpectedAnswer answer;
    answer.kind = kind;
    answer.number = value;
    answer.within = within;
    answer.dimension = dimension;
    return answer;
  };
  const auto texts = [](AnswerKind kind, std::vector<std::string> them, std::uint32_t right) {
    ExpectedAnswer answer;
    answer.kind = kind;
    answer.texts = std::move(them);
    answer.right = right;
    return answer;
  };
  ask(elements(AnswerKind::positions, {3, 6}));
  ask(elements(AnswerKind::points, {7}));
  ask(elements(AnswerKind::nodes, {0, 1, 2}));
  ask(elements(AnswerKind::cell, {4}, "data[i].x"));
  ask(number(AnswerKind::split, 0.1, 1e-3, 1));
  ask(number(AnswerKind::number, -1e-7, 0, 0));
  ask(texts(AnswerKind::words, {"four", "4", "yes: \"no\"", "two\nlines"}, 0));
  ask(texts(AnswerKind::choice, {"less, or equal", "~", "[more]"}, 1));
  lesson.stops = {stop, stop};
  lesson.stops[1].questions.clear();
  return lesson;
}

std::shared_ptr<const DataSet> set_of(PointSet points, std::vector<std::string> columns = {}) {
  auto data = std::make_shared<DataSet>();
  data->points = std::move(points);
  data->column_names = std::move(columns);
  return data;
}

Lesson read_back(const Lesson& lesson) {
  const std::string text = lesson_text(lesson);
  INFO(text);
  return parse_lesson(text, "l.md").value();
}

}  // namespace

LESSON_CASE("every shipped lesson reads back as the same lesson") {
  const LessonCatalogue shipped = read_lessons(shipped_lessons);
  REQUIRE(shipped.lessons.size() > 25);
  for (const Lesson& lesson : shipped.lessons) {
    INFO(lesson.id);
    CHECK(same_lesson(read_back(lesson), lesson));
    CHECK(lesson_text(read_back(lesson)) == lesson_text(lesson));
  }
}

LESSON_CASE("a lesson with every key reads back as the same lesson") {
  const Lesson lesson = full_lesson();
  INFO(lesson_text(lesson));
  CHECK(same_lesson(read_back(lesson), lesson));
  // Each member counts.
  const auto differs = [&](auto change) {
    Lesson other = lesson;
    change(other);
    return !same_lesson(other, lesson) && !same_lesson(read_back(other), lesson);
  };
  CHECK(differs([](Lesson& l) { l.minutes = 26; }));
  CHECK(differs([](Lesson& l) { l.axes.clear(); }));
  CHECK(differs([](Lesson& l) { l.stops[0].occurrence = 0; }));
  CHECK(differs([](Lesson& l) { l.stops[0].notes += "."; }));
  CHECK(differs([](Lesson& l) { l.stops[0].shows[1].whole = true; }));
  CHECK(differs([](Lesson& l) { l.stops[0].questions[2].expects->elements = {8}; }));
  CHECK(differs([](Lesson& l) { l.stops[1].highlights.pop_back(); }));
}

LESSON_CASE("a lesson keeps own points to the last bit") {
  const std::vector<std::shared_ptr<const DataSet>> sets{
      set_of(points_from_rows<float>(2, {10, 15, -0.0F, 1e-45F, 3.4e38F, 0.1F})),
      set_of(points_from_rows<float>(2, {1, 2, 3, 4})),
      set_of(points_from_rows<std::int32_t>(3, {-2147483647 - 1, 0, 2147483647, 7, 8, 9}), {"width", "u v", "z"}),
      set_of(points_from_rows<std::int32_t>(1, {5, 4, 3}), {"a, b"}), set_of(points_from_rows<float>(1, {0.5F}))};
  for (const auto& data : sets) {
    Lesson lesson = full_lesson();
    lesson.points = data;
    const Lesson read = read_back(lesson);
    CHECK(same_lesson(read, lesson));
    REQUIRE(read.points);
    CHECK(read.points->points.type == data->points.type);
    CHECK(read.points->points.words == data->points.words);
    CHECK(read.points->name == "my points");
    lesson.points = nullptr;
    CHECK_FALSE(same_lesson(read, lesson));
  }
  CHECK(read_back([&] {
          Lesson lesson = full_lesson();
          lesson.points = sets[2];
          return lesson;
        }())
            .points->column_names == std::vector<std::string>{"width", "u v", "z"});
}

LESSON_CASE("own points of a lesson that cannot be read are refused with their place") {
  std::string text = lesson_text([] {
    Lesson lesson = full_lesson();
    lesson.points = set_of(points_from_rows<std::int32_t>(2, {1, 2, 3, 4}));
    return lesson;
  }());
  const std::size_t at = text.find("3,4");
  REQUIRE(at != std::string::npos);
  const auto read = parse_lesson(text.replace(at, 3, "3,4,5"), "l.md");
  REQUIRE_FALSE(read);
  CHECK(read.error().message().find("'points':2: this row has 3 values") != std::string::npos);
}

LESSON_CASE("a file beside a lesson is its data") {
  const auto folder = std::filesystem::temp_directory_path() / "kdscope-lesson-data";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "scan.csv") << "1,2\n3,4\n";
  Lesson lesson = full_lesson();
  lesson.data = "scan.csv";
  lesson.path = (folder / "l.md").string();
  CHECK(data_of(lesson) == (folder / "scan.csv").string());
  lesson.data = "wald-10";
  CHECK(data_of(lesson) == "wald-10");
  std::filesystem::remove_all(folder);
}

LESSON_CASE("a lesson that would not read back is not written, and the file stays") {
  const std::string path = (std::filesystem::temp_directory_path() / "kdscope-writer-test.md").string();
  Lesson lesson = full_lesson();
  REQUIRE(save_lesson(lesson, path));
  const auto refused = [&](auto change) {
    Lesson other = full_lesson();
    change(other);
    return !save_lesson(other, path);
  };
  CHECK(refused([](Lesson& l) { l.stops[0].narration = "A\n\n## heading"; }));
  CHECK(refused([](Lesson& l) { l.stops[0].narration = "```\nnever closed"; }));
  CHECK(refused([](Lesson& l) { l.stops[1].title = "two\nlines"; }));
  CHECK(refused([](Lesson& l) { l.stops[1].narration.clear(); }));
  CHECK(refused([](Lesson& l) { l.stops[1].panes = {"nowhere"}; }));
  CHECK(refused([](Lesson& l) { l.introduction = "a\x01b"; }));
  CHECK(refused([](Lesson& l) { l.stops.clear(); }));
  CHECK(refused([](Lesson& l) { l.stops[0].questions[8].expects->texts.resize(1); }));
  const auto kept = read_lesson(path).value();
  CHECK(same_lesson(kept, lesson));
  std::filesystem::remove(path);
}

LESSON_CASE("a draft keeps what is there, whatever is missing") {
  Lesson draft = full_lesson();
  draft.title.clear();
  draft.stops[0].narration.clear();
  draft.stops[0].questions[0].answer.clear();
  draft.stops[0].questions[7].expects->texts = {"", "four"};
  draft.stops[1].title.clear();
  auto read = parse_draft(draft_text(draft), "draft");
  REQUIRE(read);
  CHECK(same_lesson(*read, draft));
  draft.stops.clear();
  read = parse_draft(draft_text(draft), "draft");
  REQUIRE(read);
  CHECK(same_lesson(*read, draft));

  // What the reader would refuse comes back as near as it can be.
  draft = full_lesson();
  draft.introduction = "```\nnever closed";
  draft.stops[0].narration = "A\n\n## heading";
  draft.stops[0].questions[1].expects->elements.clear();
  read = parse_draft(draft_text(draft), "draft");
  REQUIRE(read);
  CHECK(read->introduction == "> ```\n> never closed");
  CHECK(read->stops[0].narration == "> A\n> \n> ## heading");
  CHECK(read->stops[0].questions.size() == draft.stops[0].questions.size());
  CHECK_FALSE(read->stops[0].questions[1].expects);
}

LESSON_CASE("an answer that is not whole costs a draft neither the narration nor other answers") {
  Lesson draft = full_lesson();
  draft.stops[0].questions[8].expects->texts.clear();
  const auto read = parse_draft(draft_text(draft), "draft").value();
  CHECK_FALSE(read.stops[0].questions[8].expects);
  draft.stops[0].questions[8].expects.reset();
  CHECK(same_lesson(read, draft));
}
