#include "algorithms/text/quotes.hpp"

namespace kdscope {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string excerpt(std::string_view token) {
  constexpr std::size_t longest = 24;
  std::string text = "\"";
  for (const char c : token.substr(0, longest)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (token.size() > longest ? "...\"" : "\"");
}

std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace kdscope
