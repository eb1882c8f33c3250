// The answers that questions of shipped lessons expect: they can be given at their stop, agree with the model answer,
// and hide what the trace has.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <regex>
#include <set>

#include "tests/walkthroughs/shipped_lessons.hpp"

using namespace kdscope;

namespace {

/// The numbers that a text states, in digits ("1,024", "-0.42") or as a word from zero to twenty.
std::vector<double> numbers_in(const std::string& text) {
  static const char* const words[] = {"zero",     "one",     "two",     "three",     "four",     "five",     "six",
                                      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
                                      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  std::vector<double> numbers;
  static const std::regex token("[A-Za-z]+|-?[0-9]{1,3}(,[0-9]{3})+(\\.[0-9]+)?|-?[0-9]+(\\.[0-9]+)?");
  for (std::sregex_iterator it(text.begin(), text.end(), token), end; it != end; ++it) {
    std::string found = it->str();
    if (std::isalpha(static_cast<unsigned char>(found[0]))) {
      std::transform(found.begin(), found.end(), found.begin(), [](unsigned char c) { return std::tolower(c); });
      const auto word = std::find(std::begin(words), std::end(words), found);
      if (word != std::end(words)) numbers.push_back(static_cast<double>(word - std::begin(words)));
      continue;
    }
    std::erase(found, ',');
    double number = 0;
    std::from_chars(found.data(), found.data() + found.size(), number);
    numbers.push_back(number);
  }
  return numbers;
}

bool states(const std::string& text, double number, double within) {
  const std::vector<double> numbers = numbers_in(text);
  return std::any_of(numbers.begin(), numbers.end(), [&](double n) { return std::abs(n - number) <= within + 1e-9; });
}

/// Whether the model answer states every element, singly or as a range ("0 to 3").
bool states_all(const std::string& text, const std::vector<std::uint32_t>& elements) {
  return std::all_of(elements.begin(), elements.end(), [&](std::uint32_t e) { return states(text, e, 0); });
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The most columns of a row by position after the cursor's step.
std::uint64_t positions_at(const Cursor& cursor) {
  std::uint64_t most = 0;
  for (const Trace::Array& array : cursor.trace().arrays)
    if (array.info.index_space == Space::position) most = std::max(most, cursor.row_size(array.info.name));
  return most;
}

bool node_exists(const Cursor& cursor, std::uint32_t node) {
  if (node >= cursor.row_size(partition_arrays::parent)) return false;
  return node == 0 || cursor.number(partition_arrays::parent, node) != no_id;
}

void check_can_be_given(const ExpectedAnswer& answer, const Cursor& cursor) {
  const Trace& trace = cursor.trace();
  const std::uint64_t primitives = sorts_triangles(trace) ? cursor.row_size(triangles_array) / 3 : trace.header.n;
  for (const std::uint32_t element : answer.elements) {
    CAPTURE(element);
    if (answer.kind == AnswerKind::positions) CHECK(element < positions_at(cursor));
    if (answer.kind == AnswerKind::points) CHECK(element < primitives);
    if (answer.kind == AnswerKind::nodes) CHECK(node_exists(cursor, element));
    if (answer.kind == AnswerKind::cell) CHECK(element < cursor.row_size(answer.row));
  }
  if (answer.kind != AnswerKind::split) return;
  REQUIRE(answer.dimension < trace.header.dim);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (std::uint64_t i = answer.dimension; i < cursor.row_size(points_array); i += trace.header.dim) {
    least = std::min(least, cursor.number(points_array, i));
    most = std::max(most, cursor.number(points_array, i));
  }
  CHECK(answer.number > least);
  CHECK(answer.number < most);
  CHECK(answer.within > (most - least) / 500);  // a click hits it
  CHECK(answer.within < (most - least) / 10);
}

void check_agrees(const ExpectedAnswer& expected, const std::string& answer) {
  switch (expected.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
      CHECK(states_all(answer, expected.elements));
      break;
    case AnswerKind::number:
    case AnswerKind::split:
      CHECK(states(answer, expected.number, expected.within));
      break;
    case AnswerKind::words:
      CHECK(std::any_of(expected.texts.begin(), expected.texts.end(), [&](const std::string& text) {
        return lower_case(answer).find(lower_case(text)) != std::string::npos;
      }));
      break;
    case AnswerKind::choice:
      if (expected.texts == std::vector<std::string>{"yes", "no"}) {
        const std::string begin = lower_case(answer).substr(0, 3);
        CHECK_FALSE(begin == (expected.right == 0 ? "no," : "yes"));
        CHECK_FALSE(begin == (expected.right == 0 ? "no." : "yes"));
      }
      break;
    case AnswerKind::cell:
      break;
  }
}

}  // namespace

TEST_CASE("numbers are found in digits and in words") {
  CHECK(numbers_in("Two of 1,024, -0.5 and 10 percent; eleven") == std::vector<double>{2, 1024, -0.5, 10, 11});
  CHECK(states("x = 21.5", 21.5, 0));
  CHECK_FALSE(states("x = 21.5", 21, 0.25));
}

TEST_CASE("an expected answer can be given at its stop, and agrees with the model answer") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  std::size_t questions = 0, checked = 0;
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons) {
    const auto trace = trace_of(lesson);
    const auto stops = resolve_stops(lesson, *trace);
    REQUIRE(stops);
    Cursor cursor(trace);
    for (std::size_t i = 0; i < lesson.stops.size(); ++i) {
      const Stop& stop = lesson.stops[i];
      cursor.seek((*stops)[i]);
      for (const std::string& row : stop.rows) {
        CAPTURE(lesson.id, stop.title, row);
        CHECK(cursor.row_size(row) > 0);
      }
      for (const Question& question : stop.questions) {
        CAPTURE(lesson.id, stop.title, question.text, question.answer);
        ++questions;
        for (const std::string& row : question.hidden_rows) {
          CAPTURE(row);
          CHECK(cursor.row_size(row) > 0);
        }
        if (!question.expects) continue;
        ++checked;
        CHECK_FALSE(question.hint.empty());
        check_can_be_given(*question.expects, cursor);
        // Nodes are clicked in the tree.
        if (question.expects->kind == AnswerKind::nodes)
          CHECK(std::count(question.hides.begin(), question.hides.end(), HiddenPart::tree) == 0);
        if (question.expects->kind == AnswerKind::cell)
          CHECK(std::count(question.hidden_rows.begin(), question.hidden_rows.end(), question.expects->row) == 0);
        check_agrees(*question.expects, question.answer);
      }
    }
  }
  CHECK(checked * 10 >= questions * 9);
}

TEST_CASE("the right choice is not always at the same place") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  std::map<std::uint32_t, std::size_t> at;
  std::size_t choices = 0;
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons)
    for (const Stop& stop : lesson.stops)
      for (const Question& question : stop.questions)
        if (question.expects && question.expects->kind == AnswerKind::choice) ++choices, ++at[question.expects->right];
  for (const auto& [place, count] : at) CHECK(count * 10 < choices * 6);
}

TEST_CASE("every lesson has an aim and its minutes, and comes after the lessons that it builds on") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  std::set<std::string> before;
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons) {
    CAPTURE(lesson.id);
    CHECK(lesson.aim.ends_with('.'));
    CHECK(lesson.minutes >= 5);
    CHECK(lesson.minutes <= 60);
    if (!before.empty()) CHECK_FALSE(lesson.builds_on.empty());
    for (const std::string& other : lesson.builds_on) {
      CAPTURE(other);
      CHECK(before.count(other) == 1);  // so there is no cycle
    }
    before.insert(lesson.id);
  }
}
