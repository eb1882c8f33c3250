#include "app/cli/aligned_table.hpp"

#include <algorithm>

namespace kdscope::cli {

std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths;
  for (const Cells& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t column = 0; column < line.size(); ++column)
      widths[column] = std::max(widths[column], line[column].size());
  }
  std::string text;
  for (const Cells& line : lines) {
    text += line.front() + std::string(widths.front() - line.front().size(), ' ');
    for (std::size_t column = 1; column < line.size(); ++column)
      text += "  " + std::string(widths[column] - line[column].size(), ' ') + line[column];
    text += "\n";
  }
  return text;
}

}  // namespace kdscope::cli
