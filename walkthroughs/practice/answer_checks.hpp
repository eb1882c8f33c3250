#pragma once
// Checks of the answer that a question expects: it can be given at its step, and the model answer agrees with it. No Qt
// here.

#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"
#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// Checks that an answer can be given at the cursor's step: its elements, cell or place exist there, and a place can be
/// hit by a click. Errors: failed_check, with what the step has instead. Work O(points) for a place, else O(elements).
Result<void> can_be_given(const ExpectedAnswer& answer, const Cursor& cursor);

/// Returns whether a model answer states the elements, the number or one of the words of the expected answer, and does
/// not begin with the opposite of a yes or no.
bool agrees(const ExpectedAnswer& expected, const std::string& model_answer);

/// The numbers that a text states, in digits ("1,024", "-0.42") or as a word from zero to twenty.
std::vector<double> numbers_in(const std::string& text);

}  // namespace kdscope
