#pragma once
// Quotes texts inside other texts.

#include <string>
#include <string_view>

namespace kdscope {

/// Returns the text in single quotes, as messages quote a user's input: 'wald'.
std::string quoted(std::string_view text);
/// Returns the first 24 characters in double quotes, with '?' for each character outside printable ASCII. For tokens of
/// arbitrary files.
std::string excerpt(std::string_view token);

/// Returns a word as a POSIX shell reads it: in single quotes if it has characters that the shell interprets.
std::string shell_word(const std::string& word);

}  // namespace kdscope
