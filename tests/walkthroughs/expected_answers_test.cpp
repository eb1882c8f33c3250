// The answers that questions of shipped lessons expect: they can be given at their stop, agree with the model answer,
// and hide what the trace has.

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "tests/support/cases.hpp"
#include "tests/walkthroughs/shipped_lessons.hpp"
#include "walkthroughs/practice/answer_checks.hpp"

using namespace kdscope;

TEST_CASE("numbers are found in digits and in words") {
  CHECK(numbers_in("Two of 1,024, -0.5 and 10 percent; eleven") == std::vector<double>{2, 1024, -0.5, 10, 11});
  ExpectedAnswer number;
  number.kind = AnswerKind::number;
  number.number = 21.5;
  CHECK(agrees(number, "x = 21.5"));
  number.number = 21;
  number.within = 0.25;
  CHECK_FALSE(agrees(number, "x = 21.5"));
}

LESSON_CASE("an expected answer can be given at its stop, and agrees with the model answer") {
  std::size_t questions = 0, checked = 0;
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons) {
    const auto trace = trace_of(lesson);
    const auto stops = resolve_stops(lesson, *trace).value();
    Cursor cursor(trace);
    for (std::size_t i = 0; i < lesson.stops.size(); ++i) {
      const Stop& stop = lesson.stops[i];
      cursor.seek(stops[i]);
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
        const auto given = can_be_given(*question.expects, cursor);
        INFO((given ? std::string() : given.error().message()));
        CHECK(given);
        if (question.expects->kind == AnswerKind::cell)
          CHECK(std::count(question.hidden_rows.begin(), question.hidden_rows.end(), question.expects->row) == 0);
        CHECK(agrees(*question.expects, question.answer));
      }
    }
  }
  CHECK(checked * 10 >= questions * 9);
}

LESSON_CASE("neither the narration nor another question of a stop states a number that a question asks for") {
  static const std::regex code("`[^`]*`");
  std::size_t asked = 0;
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons)
    for (const Stop& stop : lesson.stops)
      for (const Question& question : stop.questions) {
        const auto& expects = question.expects;
        if (!expects || (expects->kind != AnswerKind::number && expects->kind != AnswerKind::split)) continue;
        const auto states = [&](const std::string& text) {
          return std::ranges::count(numbers_in(text), expects->number) > 0;
        };
        // Small numbers count something else as often as not
        const bool small = expects->number <= 10 && expects->number == std::floor(expects->number);
        if (small || states(question.text)) continue;
        ++asked;
        CAPTURE(lesson.id, stop.title, question.text, expects->number);
        CHECK_FALSE(states(std::regex_replace(stop.narration, code, "")));
        for (const Question& other : stop.questions) {
          if (&other == &question) continue;
          CAPTURE(other.text, other.hint);
          CHECK_FALSE(states(other.text));
          CHECK_FALSE(states(other.hint));
          if (other.expects)
            for (const std::string& choice : other.expects->texts) CHECK_FALSE(states(choice));
        }
      }
  CHECK(asked > 40);
}

LESSON_CASE("the right choice is not always at the same place") {
  std::map<std::uint32_t, std::size_t> at;
  std::size_t choices = 0;
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons)
    for (const Stop& stop : lesson.stops)
      for (const Question& question : stop.questions)
        if (question.expects && question.expects->kind == AnswerKind::choice) ++choices, ++at[question.expects->right];
  for (const auto& [place, count] : at) CHECK(count * 10 < choices * 6);
}

LESSON_CASE("every lesson has an aim and its minutes, and comes after the lessons that it builds on") {
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
