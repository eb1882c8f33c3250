#include "walkthroughs/practice/answers.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

const QuestionPlace first{"wald/ten-points", "The root", 0, "Which position?"};

Attempt attempt(const QuestionPlace& place, Outcome outcome) {
  Attempt attempt = attempt_at(place);
  attempt.outcome = outcome;
  return attempt;
}

}  // namespace

TEST_CASE("a question stays open after wrong answers, and is settled by a right one, its answer or a skip") {
  Answers answers;
  CHECK(answers.state(first) == QuestionState::open);
  answers.add(attempt(first, Outcome::wrong));
  CHECK(answers.state(first) == QuestionState::open);
  answers.add(attempt(first, Outcome::skipped));
  CHECK(answers.state(first) == QuestionState::skipped);
  answers.reopen(first);
  CHECK(answers.state(first) == QuestionState::open);
  answers.add(attempt(first, Outcome::right));
  CHECK(answers.state(first) == QuestionState::right);
  answers.add(attempt(first, Outcome::wrong));  // for practice, later
  CHECK(answers.state(first) == QuestionState::right);
  answers.add(attempt(first, Outcome::revealed));
  CHECK(answers.state(first) == QuestionState::revealed);
  CHECK(answers.attempts().size() == 5);

  const Answers again(answers.attempts());
  CHECK(again.state(first) == QuestionState::revealed);
  QuestionPlace reworded = first;
  reworded.asked += " ";
  CHECK(again.state(reworded) == QuestionState::open);
}

TEST_CASE("progress counts right answers, and shown answers of questions that nobody can check") {
  Lesson lesson;
  lesson.id = "wald/ten-points";
  lesson.stops.resize(2);
  lesson.stops[0].title = "The root";
  lesson.stops[0].questions.resize(3);
  lesson.stops[1].title = "The end";
  lesson.stops[1].questions.resize(1);
  for (std::uint32_t i = 0; i < 3; ++i) lesson.stops[0].questions[i].text = "question " + std::to_string(i);
  lesson.stops[0].questions[0].expects = lesson.stops[0].questions[1].expects = ExpectedAnswer();
  Answers answers;
  const auto place = [&](std::uint32_t i) {
    return QuestionPlace{lesson.id, "The root", i, lesson.stops[0].questions[i].text};
  };
  Progress progress = answers.progress(lesson);
  CHECK(progress.questions == 4);
  CHECK(progress.answered == 0);
  answers.add(attempt(place(0), Outcome::right));
  answers.add(attempt(place(1), Outcome::revealed));
  answers.add(attempt(place(2), Outcome::revealed));
  answers.add(attempt({lesson.id, "The end", 0, ""}, Outcome::skipped));
  answers.add(attempt({"other/lesson", "The root", 0, "question 0"}, Outcome::right));
  progress = answers.progress(lesson);
  CHECK(progress.answered == 2);
  CHECK(progress.shown == 1);
  CHECK(progress.skipped == 1);
}
