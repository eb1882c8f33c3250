#pragma once
// What of a narration a class reads while a lecturer speaks. No Qt here.

#include <string>

namespace kdscope {

/// Returns the first two sentences of a Markdown text's paragraphs, and its tables, which no sentence replaces. The
/// rest is the speaker's. A full stop ends a sentence if a capital, a digit or markup follows after a blank.
std::string in_short(const std::string& markdown);

}  // namespace kdscope
