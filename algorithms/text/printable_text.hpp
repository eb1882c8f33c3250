#pragma once
// Makes texts from files safe to display: a terminal obeys control characters, and overrides of the writing direction
// change the order in which a line is read.

#include <string>
#include <string_view>

namespace kdscope {

/// Length of the well-formed UTF-8 sequence at the beginning of a nonempty text; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Returns the text fit for one line. Control characters (C0, DEL, C1) and direction overrides become "\n", "\x1b",
/// "\u202e"; bytes that are not UTF-8 become "\xff"; all other characters are kept. Work O(text).
std::string printable(std::string_view text);
/// The same for several lines: newlines and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace kdscope
