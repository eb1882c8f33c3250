#pragma once
// Texts of lessons and traces as HTML. Every foreign character is escaped, so no text can become markup of its own.

#include <string>
#include <string_view>

namespace kdscope {

/// Returns a text with &, <, >, " and ' escaped, and control characters made visible as by printable_lines().
std::string html_escaped(std::string_view text);

/// Converts the Markdown of lessons to HTML: paragraphs, headings from ###, lists, block quotes, code, bold, italics
/// and links. HTML in the text is shown as it is written. A link shows its text, and its address if that begins with
/// http:// or https://; pictures show their text. Never fails; what it does not know stays as it is written. Work
/// O(text).
std::string html_of_markdown(std::string_view markdown);

}  // namespace kdscope
