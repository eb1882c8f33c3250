#pragma once
// Results with every kind of answer and every outcome.

#include <string>

#include "walkthroughs/practice/results.hpp"

namespace kdscope::test {

inline Attempt attempt(const std::string& stop, std::uint32_t question, Outcome outcome, GivenAnswer given = {}) {
  Attempt attempt;
  attempt.lesson = "wald/ten-points";
  attempt.stop = stop;
  attempt.question = question;
  attempt.asked = "What is \"" + stop + "\"?";
  attempt.outcome = outcome;
  attempt.given = std::move(given);
  attempt.seconds = 1'764'000'000 + question;
  return attempt;
}

inline Results some_results(const std::string& student) {
  Results results{student, {}};
  auto& all = results.attempts;
  all.push_back(attempt("Pivot", 0, Outcome::wrong, {AnswerKind::positions, {6}, "", 0, 0, "", 0}));
  all.back().hinted = true;
  all.push_back(attempt("Pivot", 0, Outcome::right, {AnswerKind::positions, {7, 3}, "", 0, 0, "", 0}));
  all.push_back(attempt("Pivot", 1, Outcome::wrong, {AnswerKind::points, {}, "", 0, 0, "", 0}));
  all.push_back(attempt("Pivot", 1, Outcome::revealed));
  all.push_back(attempt("Tags", 0, Outcome::right, {AnswerKind::cell, {9}, "tags", 0, 0, "", 0}));
  all.push_back(attempt("Tags", 1, Outcome::right, {AnswerKind::split, {}, "", -0.25, 1, "", 0}));
  all.push_back(attempt("Tags", 2, Outcome::wrong, {AnswerKind::number, {}, "", 4, 0, "", 0}));
  all.push_back(attempt("Tags", 3, Outcome::right, {AnswerKind::words, {}, "", 0, 0, "four \xe2\x86\x92 4", 0}));
  all.push_back(attempt("Tags", 4, Outcome::right, {AnswerKind::choice, {}, "", 0, 0, "", 2}));
  all.push_back(attempt("Tags", 5, Outcome::skipped));
  all.push_back(attempt("Tags", 6, Outcome::right, {AnswerKind::nodes, {4294967295u}, "", 0, 0, "", 0}));
  return results;
}

}  // namespace kdscope::test
