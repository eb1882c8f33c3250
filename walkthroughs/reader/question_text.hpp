#pragma once
// The texts of questions as Markdown. No Qt here.

#include <string>

namespace kdscope {

/// Returns a text of a question as Markdown in which a number at its start is a number: "0. Wald's builder sorts on
/// every level." is not read as a list of one item. A text whose next line continues the count stays a list.
std::string starting_with_prose(const std::string& markdown);

}  // namespace kdscope
