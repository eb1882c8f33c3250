#pragma once
// Makes texts from files safe to display. A terminal obeys control characters, and overrides of the writing direction
// change the order in which a line is read.

#include <string>
#include <string_view>

namespace kdscope {

/// Returns the length of the well-formed UTF-8 sequence at the beginning of a nonempty text; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Returns a text that is safe to display on one line. Control characters (C0, DEL, C1) and direction overrides become
/// "\n", "\x1b", "\u202e"; bytes that are not UTF-8 become "\xff"; all other characters are kept. Work O(text).
std::string printable(std::string_view text);
/// Returns a text that is safe to display on several lines: keeps newlines and tabs.
std::string printable_lines(std::string_view text);

}  // namespace kdscope
