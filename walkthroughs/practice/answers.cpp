#include "walkthroughs/practice/answers.hpp"

namespace kdscope {

QuestionPlace place_of(const Attempt& attempt) {
  return {attempt.lesson, attempt.stop, attempt.question, attempt.asked};
}

Attempt attempt_at(const QuestionPlace& place) {
  Attempt attempt;
  attempt.lesson = place.lesson;
  attempt.stop = place.stop;
  attempt.question = place.question;
  attempt.asked = place.asked;
  return attempt;
}

Answers::Answers(std::vector<Attempt> attempts) {
  for (Attempt& attempt : attempts) add(std::move(attempt));
}

void Answers::add(Attempt attempt) {
  if (attempt.outcome != Outcome::wrong)
    states_[place_of(attempt)] = attempt.outcome == Outcome::right      ? QuestionState::right
                                 : attempt.outcome == Outcome::revealed ? QuestionState::revealed
                                                                        : QuestionState::skipped;
  attempts_.push_back(std::move(attempt));
}

QuestionState Answers::state(const QuestionPlace& place) const {
  const auto found = states_.find(place);
  return found == states_.end() ? QuestionState::open : found->second;
}

Progress Answers::progress(const Lesson& lesson) const {
  Progress progress;
  for (const Stop& stop : lesson.stops)
    for (std::uint32_t i = 0; i < stop.questions.size(); ++i) {
      const QuestionState of = state({lesson.id, stop.title, i, stop.questions[i].text});
      ++progress.questions;
      progress.answered += of == QuestionState::right || (of == QuestionState::revealed && !stop.questions[i].expects);
      progress.shown += of == QuestionState::revealed && stop.questions[i].expects;
      progress.skipped += of == QuestionState::skipped;
    }
  return progress;
}

}  // namespace kdscope
