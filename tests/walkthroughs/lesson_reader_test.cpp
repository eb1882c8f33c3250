// Tests the lesson format: accepted text, rejected text and the error messages. tests/fuzz tests damaged lessons.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/cases.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::lesson_reader_test {
using test::replaced;

namespace {

const std::string front =
    "---\ntitle: T\nsource: S\ndata: wald-10\nalgorithm: wald\nparameters:\n  sort: radix\norder: 3\n---\n";
const std::string stop = "## One\n```stop\nselect: level 0 / sort\n```\nBecause.\n";

}  // namespace

TEST_CASE("without yaml-cpp a lesson is refused with what to install", "[alone]") {
  if (lessons_available()) KDSCOPE_SKIP("this build has yaml-cpp");
  const auto lesson = parse_lesson(front + stop, "l.md");
  REQUIRE_FALSE(lesson);
  CHECK(lesson.error().message() ==
        "l.md: lessons are off, because this build has no yaml-cpp; install libyaml-cpp-dev and configure again.");
}

LESSON_CASE("a lesson may have a byte order mark and any line ends") {
  const auto plain = parse_lesson(front + stop, "l.md").value();
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string mark : {"", "\xef\xbb\xbf"}) {
      std::string text = mark;
      for (const char c : front + stop) c == '\n' ? text += end : text += c;
      const auto lesson = parse_lesson(text, "l.md").value();
      CHECK(lesson.title == plain.title);
      REQUIRE(lesson.stops.size() == 1);
      CHECK(lesson.stops[0].line == plain.stops[0].line);
    }
  std::string utf16 = "\xff\xfe";
  for (const char c : front + stop) (utf16 += c) += '\0';
  const auto refused = parse_lesson(utf16, "l.md");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() == "l.md:1: the text is in UTF-16; save it in UTF-8.");
}

LESSON_CASE("a lesson is read with everything that it says") {
  const std::string text = front + R"(
Introduction,
two lines.

```cpp
## not a heading
```

## One

```stop
select: level 0 / sort
occurrence: 2
shows:
  tags: 0 1*3 2 ...
  "data[i].x": "-1.5 2"
highlights:
  - role: pivot
    ranges: 6
  - {role: segment, space: node, ranges: 1-2 4, nodes: 1 7}
marks:
  - line: 34 34, 34 -1.5e1,54 14
    dashed: true
  - arrows: 0 0 > 5 3, 1 1 > 2 2
    labels: [first, second]
    ink: changed
  - {ball: 4 2, radius: 6.5}
questions:
  - ask: Why?
    answer: >-
      Because
      of that.
```

What.

### Why

That.

## Two
```stop
select: final sort
```
End.
)";
  for (const bool windows_line_ends : {false, true}) {
    std::string bytes;
    for (char c : text) bytes += windows_line_ends && c == '\n' ? "\r\n" : std::string(1, c);
    const auto lesson = parse_lesson(bytes, "walkthroughs/wald/some.md").value();
    CHECK(lesson.id == "wald/some");
    CHECK(lesson.title == "T");
    CHECK(lesson.source == "S");
    CHECK(lesson.data == "wald-10");
    CHECK(lesson.algorithm == "wald");
    CHECK(lesson.parameters == std::map<std::string, std::string>{{"sort", "radix"}});
    CHECK(lesson.order == 3);
    CHECK(lesson.axes.empty());
    CHECK(lesson.introduction == "Introduction,\ntwo lines.\n\n```cpp\n## not a heading\n```");
    REQUIRE(lesson.stops.size() == 2);
    const Stop& one = lesson.stops[0];
    CHECK(one.title == "One");
    CHECK(one.line == 18);
    CHECK(one.select == "level 0 / sort");
    CHECK(one.occurrence == 2);
    REQUIRE(one.shows.size() == 2);
    CHECK(one.shows[0].row == "tags");
    CHECK(one.shows[0].values == std::vector<std::string>{"0", "1", "1", "1", "2"});
    CHECK_FALSE(one.shows[0].whole);
    CHECK(one.shows[0].line == 24);
    CHECK(one.shows[1].row == "data[i].x");
    CHECK(one.shows[1].values == std::vector<std::string>{"-1.5", "2"});
    CHECK(one.shows[1].whole);
    REQUIRE(one.highlights.size() == 2);
    CHECK(one.highlights[0] == Highlight{Role::pivot, Space::position, {{6, 7}}, {}});
    CHECK(one.highlights[1] == Highlight{Role::segment, Space::node, {{1, 3}, {4, 5}}, {1, 7}});
    REQUIRE(one.marks.size() == 3);
    CHECK(one.marks[0] == LessonMark{MarkShape::line, {{34, 34}, {34, -15}, {54, 14}}, 0, {}, MarkInk::plain, true});
    CHECK(one.marks[1] ==
          LessonMark{
              MarkShape::arrows, {{0, 0}, {5, 3}, {1, 1}, {2, 2}}, 0, {"first", "second"}, MarkInk::changed, false});
    CHECK(one.marks[2] == LessonMark{MarkShape::ball, {{4, 2}}, 6.5, {}, MarkInk::plain, false});
    REQUIRE(one.questions.size() == 1);
    CHECK(one.questions[0].text == "Why?");
    CHECK(one.questions[0].answer == "Because of that.");
    CHECK(one.narration == "What.\n\n### Why\n\nThat.");
    CHECK(lesson.stops[1].narration == "End.");
    CHECK(lesson.stops[1].occurrence == 0);
  }
}

LESSON_CASE("a lesson may name the dimensions that views begin with") {
  const auto axes = [](const char* words) {
    return parse_lesson(replaced(front + stop, "order: 3", std::string("axes: ") + words), "l.md");
  };
  CHECK(axes("53 1")->axes == std::vector<std::uint32_t>{53, 1});
  CHECK(axes("0 2 1")->axes == std::vector<std::uint32_t>{0, 2, 1});
  for (const char* words : {"1", "0 1 2 3", "1 1", "x y", "-1 0"}) {
    INFO(words);
    const auto refused = axes(words);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "l.md:8");
  }
}

LESSON_CASE("a lesson states its aim, its time and what it builds on") {
  const auto lesson =
      parse_lesson(replaced(front + stop, "order: 3", "aim: Build it.\nminutes: 45\nbuilds_on: wald/a textbook/b"), "l")
          .value();
  CHECK(lesson.aim == "Build it.");
  CHECK(lesson.minutes == 45);
  CHECK(lesson.builds_on == std::vector<std::string>{"wald/a", "textbook/b"});
}

LESSON_CASE("a stop names panes and rows, has notes, and questions with answers to check") {
  const auto lesson = parse_lesson(replaced(front + stop, "select: level 0 / sort", R"(select: level 0 / sort
panes: histogram view
inside: block 0 / interval 2 / lane 5
rows: [tags, "data[i].x"]
notes: Ask twice.
questions:
  - {ask: a, answer: b}
  - {ask: a, answer: b, hint: c, hides: marks tree, hides_rows: [tags], expects: {positions: 7 6}}
  - {ask: a, answer: b, expects: {points: 3}}
  - {ask: a, answer: b, expects: {nodes: 1}}
  - {ask: a, answer: b, expects: {cell: 6, row: tags}}
  - {ask: a, answer: b, expects: {split: 46, dimension: 1, within: 0.5}}
  - {ask: a, answer: b, expects: {number: -4}}
  - {ask: a, answer: b, expects: {words: four}}
  - {ask: a, answer: b, expects: {words: [four, "4"]}}
  - {ask: a, answer: b, expects: {choice: equal, among: [less, equal]}})"),
                                   "l.md")
                          .value();
  const Stop& one = lesson.stops[0];
  CHECK(one.panes == std::vector<std::string>{"histogram", "view"});
  CHECK(one.inside == "block 0 / interval 2 / lane 5");
  CHECK(one.rows == std::vector<std::string>{"tags", "data[i].x"});
  CHECK(one.notes == "Ask twice.");
  REQUIRE(one.questions.size() == 10);
  CHECK_FALSE(one.questions[0].expects);
  CHECK(one.questions[1].hint == "c");
  CHECK(one.questions[1].hides == std::vector{HiddenPart::marks, HiddenPart::tree});
  CHECK(one.questions[1].hidden_rows == std::vector<std::string>{"tags"});
  const auto expected = [](AnswerKind kind, auto&& fill) {
    ExpectedAnswer answer;
    answer.kind = kind;
    fill(answer);
    return answer;
  };
  CHECK(one.questions[1].expects == expected(AnswerKind::positions, [](auto& a) { a.elements = {6, 7}; }));
  CHECK(one.questions[2].expects == expected(AnswerKind::points, [](auto& a) { a.elements = {3}; }));
  CHECK(one.questions[3].expects == expected(AnswerKind::nodes, [](auto& a) { a.elements = {1}; }));
  CHECK(one.questions[4].expects == expected(AnswerKind::cell, [](auto& a) {
          a.elements = {6};
          a.row = "tags";
        }));
  CHECK(one.questions[5].expects == expected(AnswerKind::split, [](auto& a) {
          a.number = 46;
          a.dimension = 1;
          a.within = 0.5;
        }));
  CHECK(one.questions[6].expects == expected(AnswerKind::number, [](auto& a) { a.number = -4; }));
  CHECK(one.questions[7].expects == expected(AnswerKind::words, [](auto& a) { a.texts = {"four"}; }));
  CHECK(one.questions[8].expects == expected(AnswerKind::words, [](auto& a) { a.texts = {"four", "4"}; }));
  CHECK(one.questions[9].expects == expected(AnswerKind::choice, [](auto& a) {
          a.texts = {"less", "equal"};
          a.right = 1;
        }));
}

LESSON_CASE("what is wrong with a lesson is said with file and line") {
  const std::string good = front + stop;
  REQUIRE(parse_lesson(good, "l.md"));
  const auto with_stop = [&](const std::string& yaml) {
    return replaced(good, "select: level 0 / sort", "select: level 0 / sort\n" + yaml);
  };
  const auto with_question = [&](const std::string& yaml) {
    return with_stop("questions:\n  - {ask: a, answer: b, " + yaml + "}");
  };
  struct Case {
    std::string text;
    int line;
    std::string says;
  };
  const Case cases[] = {
      {"", 1, "begins with a line '---'"},
      {"title: T\n", 1, "begins with a line '---'"},
      {"---\ntitle: T\n", 1, "never closed"},
      {"---\n---\n" + stop, 2, "not valid YAML: there is nothing"},
      {replaced(good, "title: T", "title: [T"), 3, "not valid YAML"},
      {replaced(good, "title: T\n", ""), 2, "has no 'title'"},
      {replaced(good, "title: T", "title:"), 2, "'title' must be a text"},
      {replaced(good, "title: T", "title: [a, b]"), 2, "'title' must be a text"},
      {replaced(good, "source: S", "sourse: S"), 3, "unknown key 'sourse'"},
      {replaced(good, "source: S", "title: S"), 3, "'title' is given twice"},
      {replaced(good, "source: S", "? [a]\n: S"), 2, "is not a name"},
      {replaced(good, "parameters:\n  sort: radix", "parameters: radix"), 6, "must be a mapping"},
      {replaced(good, "  sort: radix", "  sort: {a: b}"), 7, "'sort' must be a text"},
      {replaced(good, "order: 3", "order: third"), 8, "'third' where a whole number"},
      {replaced(good, "order: 3", "order: -1"), 8, "'-1' where a whole number"},
      {replaced(good, "order: 3", "--- order"), 8, "a second document begins here"},
      {replaced(good, "title: T", ", title: T"), 2, "a sign stands where a value is expected"},
      {replaced(good, "title: T", "title: &t T"), 2, "anchors (&) and aliases (*) are not read"},
      {replaced(good, "select: level 0 / sort", ","), 12, "a sign stands where a value is expected"},
      {front + "Only words.\n", 9, "has no stops"},
      {front + "\n```stop\nselect: a\n```\n", 11, "must directly follow its heading"},
      {front + "## One\nWords.\n", 10, "has no stop block"},
      {front + "## \n" + stop, 10, "has no title"},
      {front + "## One\n```stop\nselect: a\n", 11, "stop block is never closed"},
      {front + "## One\n```stop\nselect: a\n```\n", 10, "has no narration"},
      {good + "```stop\nselect: a\n```\n", 15, "must directly follow its heading"},
      {good + "```cpp\nint i;\n", 15, "code block is never closed"},
      {replaced(good, "select: level 0 / sort", "occurrence: 1"), 12, "has no 'select'"},
      {replaced(good, "select: level 0 / sort", "- select"), 12, "must be a mapping"},
      {replaced(good, "select: level 0 / sort", "select: a: b"), 12, "not valid YAML"},
      {with_stop("show: {tags: 0}"), 13, "unknown key 'show'"},
      {with_stop("occurrence: 0"), 13, "'0' where a whole number from 1"},
      {with_stop("occurrence: 1.5"), 13, "'1.5' where a whole number"},
      {with_stop("shows: 0 0"), 13, "'shows' must be a mapping"},
      {with_stop("shows:\n  tags: [0, 0]"), 14, "'tags' must be a text"},
      {with_stop("shows:\n  tags: ..."), 14, "claims no value"},
      {with_stop("shows:\n  tags: 0 ... 1"), 14, "goes on after '...'"},
      {with_stop("shows:\n  tags: 0*4000000000"), 14, "whole number from 1 to 100000"},
      {with_stop("shows:\n  tags: 0*99999 1*2"), 14, "claims more than 100000"},
      {with_stop("shows:\n  tags: \"*3\""), 14, "repeats nothing"},
      {with_stop("marks:\n  - {ink: plain}"), 14, "the mark draws nothing"},
      {with_stop("marks:\n  - {points: 1 2, line: '1 2, 3 4'}"), 14, "a mark draws one thing"},
      {with_stop("marks:\n  - {points: '1 2, 3'}"), 14, "different numbers of coordinates"},
      {with_stop("marks:\n  - {points: '1 2,'}"), 14, "lacks the coordinates of a place"},
      {with_stop("marks:\n  - {points: 1 two}"), 14, "must be a finite number, not 'two'"},
      {with_stop("marks:\n  - {line: 1 2}"), 14, "a line needs two places or more"},
      {with_stop("marks:\n  - {arrows: '1 2, 3 4'}"), 14, "an arrow has no '>'"},
      {with_stop("marks:\n  - {points: '1 2 > 3 4'}"), 14, "'>' does not belong here"},
      {with_stop("marks:\n  - {ball: 1 2}"), 14, "a ball has a 'radius'"},
      {with_stop("marks:\n  - {ball: 1 2, radius: -1}"), 14, "must be greater than 0"},
      {with_stop("marks:\n  - {points: 1 2, ink: pink}"), 14, "no ink is called 'pink'"},
      {with_stop("marks:\n  - {points: 1 2, labels: [a, b]}"), 14, "2 texts where the mark has room for 1"},
      {with_stop("highlights: {role: pivot, ranges: 1}"), 13, "'highlights' must be a list"},
      {with_stop("highlights:\n  - {role: pivot}"), 14, "has no 'ranges'"},
      {with_stop("highlights:\n  - {role: hero, ranges: 1}"), 14, "no role is called 'hero'"},
      {with_stop("highlights:\n  - {role: pivot, space: Outer, ranges: 1}"), 14, "no space is called 'Outer'"},
      {with_stop("highlights:\n  - {role: pivot, ranges: 5-3}"), 14, "'3' where a whole number from 5"},
      {with_stop("highlights:\n  - {role: pivot, ranges: 1-}"), 14, "'' where a whole number"},
      {with_stop("highlights:\n  - {role: pivot, ranges: 1, nodes: 1 2}"), 14, "2 nodes for 1 ranges"},
      {with_stop("questions:\n  - ask: Why?"), 14, "has no 'answer'"},
      {with_stop("questions:\n  - Why?"), 14, "must be a mapping"},
      {with_question("expects: {}"), 14, "states no answer"},
      {with_question("expects: 4"), 14, "must be a mapping"},
      {with_question("expects: {positions: 4, points: 4}"), 14, "unknown key 'points'"},
      {with_question("expects: {points: 4 4}"), 14, "names an element twice"},
      {with_question("expects: {nodes: -1}"), 14, "'-1' where a whole number"},
      {with_question("expects: {cell: 4}"), 14, "has no 'row'"},
      {with_question("expects: {number: four}"), 14, "'number' must be a"},
      {with_question("expects: {number: 4, within: -1}"), 14, "'within' is negative"},
      {with_question("expects: {split: 4}"), 14, "has no 'dimension'"},
      {with_question("expects: {choice: a, among: [a]}"), 14, "among 2 to 9"},
      {with_question("expects: {choice: a, among: [b, c]}"), 14, "not one of the texts"},
      {with_question("expects: {choice: a, among: [a, a]}"), 14, "has the choice twice"},
      {with_question("expects: {words: []}"), 14, "has no text"},
      {with_question("hides: mark"), 14, "nothing in 'hides' is called 'mark'"},
      {with_question("hides: tree tree"), 14, "has 'tree' twice"},
      {with_stop("panes: views"), 13, "nothing in 'panes' is called 'views'"},
      {with_stop("inside: block x"), 13, "'block x' is no place inside a step"},
      {with_stop("rows: tags"), 13, "'rows' must be a list"},
      {replaced(good, "order: 3", "minutes: 0"), 8, "'0' where a whole number from 1"},
      {replaced(good, "Because.",
                "Be\x01"
                "cause."),
       14, "control character"},
      {replaced(good, "Because.", std::string("Be\0cause.", 9)), 14, "control character"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto lesson = parse_lesson(c.text, "l.md");
    REQUIRE_FALSE(lesson);
    CHECK(lesson.error().kind == ErrorKind::bad_input);
    CHECK(lesson.error().where == "l.md:" + std::to_string(c.line));
    CAPTURE(lesson.error().what);
    CHECK(lesson.error().what.find(c.says) != std::string::npos);
  }
}

LESSON_CASE("nesting and aliases exhaust neither stack nor memory") {
  CHECK_FALSE(parse_lesson(replaced(front, "T", std::string(500000, '[')) + stop, "l.md"));
  CHECK_FALSE(parse_lesson(replaced(front, "T", "&a [*a, *a]") + stop, "l.md"));
}

LESSON_CASE("a small lesson cannot ask for gigabytes") {
  const auto sentence = [](const std::string& text) {
    const auto lesson = parse_lesson(text, "l.md");
    return lesson ? "lesson of " + std::to_string(lesson->stops.size()) + " stops" : lesson.error().message();
  };
  const auto with_stop = [](const std::string& yaml) {
    return front + replaced(stop, "select: level 0 / sort", "select: level 0 / sort\n" + yaml);
  };
  CHECK(sentence("---\n,\n---").starts_with("l.md:2: the front matter is not valid YAML: a second document begins"));

  // The rows of all stops count together, and are counted before they are stored.
  std::string rows = "shows:";
  for (int r = 0; r < 5; ++r) rows += "\n  r" + std::to_string(r) + ": 0*100000";
  CHECK(sentence(with_stop(rows)) == "lesson of 1 stops");
  CHECK(sentence(with_stop(rows + "\n  more: 0")) == "l.md:19: the rows of this lesson claim more than 500000 values.");
  CHECK(sentence(with_stop(rows) + replaced(stop, "sort", "sort\nshows: {more: 0}")) ==
        "l.md:24: the rows of this lesson claim more than 500000 values.");
  CHECK(sentence(with_stop("shows: {r: " + std::string(100000, '7') + "*100000}")) ==
        "l.md:13: the rows of this lesson claim more than 8 MiB of text.");

  const std::string answer(50000, 'a');
  std::string aliases = "questions:\n  - {ask: &a \"" + answer + "\", answer: b}";
  for (int i = 0; i < 3000; ++i) aliases += "\n  - {ask: *a, answer: *a}";
  CHECK(sentence(with_stop(aliases)).find("anchors (&) and aliases (*) are not read") != std::string::npos);
  std::string many = "highlights: [";
  for (int i = 0; i < 250000; ++i) many += "a,";
  CHECK(sentence(with_stop(many + "]")).find("more than 250000 values") != std::string::npos);
  const std::string nested = std::string(40, '[') + std::string(40, ']');
  CHECK(sentence(with_stop("highlights: " + nested)).find("more than 32 levels of nesting") != std::string::npos);
  CHECK(sentence(with_stop(std::string(500000, 'k') + ": 1")).size() < 600);  // an implicit key of any length
  CHECK(sentence(with_stop("? " + std::string(500000, 'k') + "\n: 1")).size() < 600);
  CHECK(sentence(with_stop("shows: {r: \"" + std::string(1 << 20, '7') + "\"}")).find("more than 1024 KiB") !=
        std::string::npos);
}

LESSON_CASE("a folder of lessons is read in teaching order, and a damaged lesson does not hide the others") {
  namespace fs = std::filesystem;
  const test::TemporaryFolder temporary;
  const fs::path& folder = temporary.path;
  fs::create_directories(folder / "wald");
  fs::create_directories(folder / "abc");
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("README.md", "not a lesson");
  write("wald/late.md", front + stop);
  write("wald/early.md", replaced(front, "order: 3", "order: 1") + stop);
  write("wald/broken.md", "nothing");
  write("wald/notes.txt", "not a lesson");
  write("wald/huge.md", std::string((1 << 20) + 1, 'x'));
  write("wald/lone-comma.md", "---\n,\n---");
  write("abc/some.md", front + stop);
  const LessonCatalogue catalogue = read_lessons(folder.string());
  REQUIRE(catalogue.lessons.size() == 3);
  CHECK(catalogue.lessons[2].id == "abc/some");
  CHECK(catalogue.lessons[0].id == "wald/early");
  CHECK(catalogue.lessons[1].id == "wald/late");
  REQUIRE(catalogue.problems.size() == 3);
  CHECK(catalogue.problems[0].where == (folder / "wald/broken.md").string() + ":1");
  CHECK(catalogue.problems[1].where == (folder / "wald/huge.md").string());
  CHECK(catalogue.problems[2].where == (folder / "wald/lone-comma.md").string() + ":2");
  fs::remove_all(folder);

  const LessonCatalogue missing = read_lessons(folder.string());
  CHECK(missing.lessons.empty());
  REQUIRE(missing.problems.size() == 1);
  CHECK(missing.problems[0].where == folder.string());
}

TEST_CASE("the lessons' folder can be chosen, and is the source tree's otherwise") {
  unsetenv("KDSCOPE_LESSONS");
  CHECK(std::filesystem::exists(lessons_folder() + "/wald/ten-points.md"));
  setenv("KDSCOPE_LESSONS", "/somewhere/else", 1);
  CHECK(lessons_folder() == "/somewhere/else");
  unsetenv("KDSCOPE_LESSONS");
}

}  // namespace kdscope::lesson_reader_test
