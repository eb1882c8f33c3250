#pragma once
// Tables of text.

#include <string>
#include <vector>

namespace kdscope::cli {

using Cells = std::vector<std::string>;

/// Returns the lines of a table: the first column on the left, the others on the right.
std::string aligned(const std::vector<Cells>& lines);

}  // namespace kdscope::cli
