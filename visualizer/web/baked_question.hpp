#pragma once
// Questions as JSON for a page.

#include <string>

#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// Returns Markdown as HTML in a JSON string.
std::string json_html(const std::string& markdown);

/// Returns a question. `bit`: the bit, in the number of a concealed state, that hides this question's answer; -1 if
/// nothing is hidden. `asked`: its text in a result file.
std::string json_question(const Question& question, int bit, const std::string& asked);

}  // namespace kdscope
