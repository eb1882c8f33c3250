#pragma once
// Texts from files, as people may see them: a terminal obeys control characters, and overrides of writing direction
// change the order in which a line is read.

#include <string>
#include <string_view>

namespace kdscope {

/// Length of the well-formed UTF-8 sequence at the beginning of a text that is not empty; 0 for none.
std::size_t utf8_length(std::string_view text);

/// A text for one line. Control characters (C0, DEL, C1) and overrides of direction become "\n", "\x1b", "\u202e",
/// bytes that are no UTF-8 "\xff"; all other characters stay. Work O(text).
std::string printable(std::string_view text);
/// The same for several lines: newlines and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace kdscope
