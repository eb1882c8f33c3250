#pragma once
// Lines that arrive in pieces.

#include <string>
#include <string_view>

namespace kdscope::variants {

/// The longest line of the protocol (protocol.hpp).
inline constexpr std::size_t longest_line = 4 << 20;

/// Appends bytes to an open line. Passes on each line that they complete, without its '\n'; the rest stays open.
template <class Take>
void take_lines(std::string& open_line, std::string_view bytes, Take take) {
  for (std::size_t end; (end = bytes.find('\n')) != bytes.npos; bytes.remove_prefix(end + 1)) {
    open_line += bytes.substr(0, end);
    take(open_line);
    open_line.clear();
  }
  open_line += bytes;
}

}  // namespace kdscope::variants
