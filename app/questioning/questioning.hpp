#pragma once
// The words around an answer, as the window asks questions. No Qt here.

#include <string>

#include "visualizer/model/question_concealment.hpp"
#include "walkthroughs/practice/answer.hpp"

namespace kdscope {

/// Returns how an answer is given, as one sentence: "Click a column of the table, or type its position". What is
/// concealed is not to be clicked.
std::string how_to_answer(const ExpectedAnswer& expected, std::uint32_t dim, const Concealment& concealed = {});

/// Returns the right answer as one short line: "position 6", "x = 46", "equal".
std::string right_answer(const ExpectedAnswer& expected, std::uint32_t dim);
/// Returns a given answer in the same words. Its form must be that of the expected one.
std::string given_answer(const ExpectedAnswer& expected, const GivenAnswer& given, std::uint32_t dim);

/// Returns whether an explanation begins with an answer, after two other words at most, so that it needs no verdict of
/// its own: "At 17, which is 15 + 2." begins with "position 17". Letter case, marks and nouns do not count.
bool begins_with_answer(const std::string& explanation, const std::string& answer);

/// Returns whether an answer of this kind consists of clicked elements.
bool is_of_elements(AnswerKind kind);

}  // namespace kdscope
