#pragma once
// What one person has answered so far: every attempt, and the state of each question. No Qt here.

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "walkthroughs/practice/answer.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// Which question it is. A question whose text changes becomes another one, so that its answer is asked for again.
struct QuestionPlace {
  std::string lesson;          ///< id; empty for a question on one's own run
  std::string stop;            ///< title, or the path of the step
  std::uint32_t question = 0;  ///< index within its stop
  std::string asked;           ///< the question's text
  auto operator<=>(const QuestionPlace&) const = default;
};

QuestionPlace place_of(const Attempt& attempt);
/// Returns an attempt at a question, without its outcome.
Attempt attempt_at(const QuestionPlace& place);

/// How far the work on a question is. A wrong answer leaves it open.
enum class QuestionState { open, right, revealed, skipped };

/// How far the work on a lesson is.
struct Progress {
  std::size_t questions = 0;
  std::size_t answered = 0;  ///< rightly, or shown if the program cannot check the answer
  std::size_t shown = 0;     ///< the answer was shown instead
  std::size_t skipped = 0;
};

class Answers {
 public:
  Answers() = default;
  explicit Answers(std::vector<Attempt> attempts);

  /// In the order in which they were made.
  const std::vector<Attempt>& attempts() const { return attempts_; }
  void add(Attempt attempt);
  QuestionState state(const QuestionPlace& place) const;
  /// Opens a question again, until the next attempt or for as long as this object lives.
  void reopen(const QuestionPlace& place) { states_.erase(place); }
  /// Counts the questions of all stops. Work O(questions log attempts).
  Progress progress(const Lesson& lesson) const;

 private:
  std::vector<Attempt> attempts_;
  std::map<QuestionPlace, QuestionState> states_;  // of those that are not open
};

}  // namespace kdscope
