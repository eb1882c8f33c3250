#pragma once
// Texts in UTF-16, as some programs write them by default.

#include <string>
#include <string_view>

namespace kdscope {

/// Returns whether bytes are a text in UTF-16 (or UTF-32): by a byte order mark, or because every other byte of the
/// first characters is zero. `begin`: how the text must begin, in lower case, where other bytes may look the same.
bool is_utf16(std::string_view bytes, std::string_view begin);

/// Returns the text in UTF-8, without its byte order mark; U+FFFD stands for damaged characters. Refuses UTF-32, and an
/// odd number of bytes.
std::string utf8_of_utf16(std::string_view bytes, const std::string& file);

}  // namespace kdscope
