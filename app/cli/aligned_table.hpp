#pragma once
// Tables of text.

#include <cstdio>
#include <string>
#include <vector>

namespace kdscope::cli {

using Cells = std::vector<std::string>;

/// Returns values as printf writes them, 63 characters at most.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Returns the lines of a table: the first column on the left, the others on the right.
std::string aligned(const std::vector<Cells>& lines);

}  // namespace kdscope::cli
