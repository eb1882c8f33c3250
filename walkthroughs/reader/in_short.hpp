#pragma once
// What of a narration a class reads while a lecturer speaks. No Qt here.

#include <string>
#include <vector>

namespace kdscope {

/// Returns a Markdown text without the sentences that send their reader to a control of the window, such as "Open View
/// > Panes > Variants", and without those behind them that begin with "Its" and the like: an audience sees no control.
std::string without_controls(const std::string& markdown);

/// Returns what may be left of a Markdown text, the best version first: the first two sentences of its paragraphs with
/// its tables, the first sentence with the tables, the tables alone, of which questions ask; the two sentences, the
/// first sentence. A table keeps the sentence before it that ends with a colon: it says what the figures are of. Unless
/// a sentence that is left defines a term in bold, the last of them gives way to the first later one that does. Equal
/// versions stand there once. A text with neither sentences nor tables stays whole. The rest is the speaker's, and so
/// are sentences about controls. A full stop ends a sentence if a capital, a digit or markup follows after a blank,
/// outside of brackets.
std::vector<std::string> in_short(const std::string& markdown);

}  // namespace kdscope
