#pragma once
// Texts inside other texts.

#include <string>
#include <string_view>

namespace kdscope {

/// In single quotes, as messages quote a user's input: 'wald'.
std::string quoted(std::string_view text);
/// The first 24 characters in double quotes, each one outside printable ASCII replaced by '?'. For tokens of arbitrary
/// files.
std::string excerpt(std::string_view token);
/// A field of a CSV row: in double quotes, with inner quotes doubled, only if it contains a comma, a quote or a line
/// break.
std::string csv_field(std::string_view text);

}  // namespace kdscope
