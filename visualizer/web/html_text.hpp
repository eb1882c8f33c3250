#pragma once
// Texts of lessons and traces as HTML. Every foreign character is escaped, so no text can become markup of its own.

#include <string>
#include <string_view>

namespace kdscope {

/// Returns a text with &, <, >, " and ' escaped, and control characters made visible as by printable_lines().
std::string html_escaped(std::string_view text);

/// False in a build without md4c, which reads Markdown. Such a build makes no pages.
bool markdown_available();

/// Converts the Markdown of lessons to HTML. The dialect is the window's: CommonMark with tables and bare addresses.
/// Headings begin at <h3>, below those of a page. HTML and entities in the text are shown as they are written. A link
/// shows its text, and its address if that begins with http:// or https://; pictures show their text. A text whose
/// nesting or HTML would outgrow it, and every text in a build without md4c, is shown as it is written. Never fails.
/// Work O(text).
std::string html_of_markdown(std::string_view markdown);

}  // namespace kdscope
