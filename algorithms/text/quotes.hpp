#pragma once
// Texts inside other texts.

#include <string>
#include <string_view>

namespace kdscope {

/// In single quotes, as messages name what a person wrote: 'wald'.
std::string quoted(std::string_view text);
/// The first 24 characters in double quotes, each outside printable ASCII as '?'. For tokens of files of any content.
std::string excerpt(std::string_view token);
/// A field of a CSV row: in double quotes, with those inside doubled, only if it holds a comma, a quote or a line
/// break.
std::string csv_field(std::string_view text);

}  // namespace kdscope
