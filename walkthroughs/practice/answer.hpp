#pragma once
// Answers to questions, as they are given and graded. No Qt here.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// An answer as it was given. The kind states which members count, as in ExpectedAnswer.
struct GivenAnswer {
  AnswerKind kind = AnswerKind::words;
  std::vector<std::uint32_t> elements;  ///< clicked, in any order
  std::string row;
  double number = 0;
  std::uint32_t dimension = 0;
  std::string text;
  std::uint32_t choice = 0;

  bool operator==(const GivenAnswer&) const = default;
};

/// Returns whether an answer is right. Texts are compared without case and with single spaces; an answer of another
/// kind is wrong, and so is a number that is not finite.
bool is_right(const ExpectedAnswer& expected, const GivenAnswer& given);

/// Returns an answer as one short line: "positions 6 7", "split 46 along dimension 0", "four".
std::string text_of(const GivenAnswer& given);

/// Reads a typed answer as the kind that a question expects: "6, 7" are two positions, "4" is a number, "2" is the
/// second choice. An answer that is not of that form gives no value.
std::optional<GivenAnswer> read_answer(const ExpectedAnswer& expected, const std::string& typed);

/// How the work on a question ended.
enum class Outcome { right, wrong, revealed, skipped };
const char* name_of(Outcome outcome);

/// One answer, or a question given up.
struct Attempt {
  std::string lesson;          ///< id; empty for a question on one's own run
  std::string stop;            ///< title, or the path of the step
  std::uint32_t question = 0;  ///< index within its stop
  std::string asked;           ///< the question's text
  Outcome outcome = Outcome::wrong;
  GivenAnswer given;         ///< where the outcome is right or wrong
  bool hinted = false;       ///< the hint was open
  std::int64_t seconds = 0;  ///< since 1970, UTC
};

}  // namespace kdscope
