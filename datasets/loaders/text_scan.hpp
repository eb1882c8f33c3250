#pragma once
// Lines, tokens and numbers of text files, with positions for errors; the locale plays no part.

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace kdscope {

/// The byte order mark that some editors write in front of a UTF-8 text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Walks over the lines of a text, without their line ends (LF, CRLF or CR alone), skipping a UTF-8 byte order mark.
class LineScanner {
 public:
  LineScanner(std::string_view text, std::string file);
  /// The next line, false after the last; the empty rest behind a final line end is no line.
  bool next(std::string_view& line);
  /// Bytes from the start of the text to what follows the current line, for bytes behind a header. Where lines end with
  /// CR alone, an LF behind the last one belongs to these bytes.
  std::size_t data_offset() const { return ends_with_cr_ ? line_end_ : next_; }
  std::uint64_t line_number() const { return line_number_; }
  /// "file:line:column" of a piece of the current line, or of one before it; columns count bytes from 1.
  std::string where(std::string_view piece) const;
  /// "file:line" of the current line.
  std::string where() const;
  /// "file:line:column" of any piece of the text. Work O(bytes in front of it).
  static std::string where(std::string_view text, const std::string& file, std::size_t offset);

 private:
  std::string_view text_;
  std::string file_;
  std::size_t next_ = 0, line_begin_ = 0;
  std::size_t line_end_ = 0;               ///< behind the first character of the current line's end
  std::size_t next_lf_ = 0, next_cr_ = 0;  ///< the first ones from next_ on, or the size of the text
  std::uint64_t line_number_ = 0;
  bool ends_with_cr_ = false;  ///< the first line ends with CR alone
};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns whether a word is a keyword, which is given in lower case. Case plays no part.
constexpr bool is_keyword(std::string_view word, std::string_view keyword) {
  if (word.size() != keyword.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(word[i]) != keyword[i]) return false;
  return true;
}

/// Takes the next blank-separated token off the front of a line; empty when there is none.
inline std::string_view next_token(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view token = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return token;
}

/// A number as it stands in a text.
struct NumberText {
  enum class Kind { integer, real, too_large, not_a_number } kind = Kind::not_a_number;
  std::int32_t integer = 0;  ///< of Kind::integer: whole and within int32
  float real = 0;            ///< of Kind::real, correctly rounded; NaN and infinity if spelled so
  double precise = 0;        ///< of Kind::real and too_large: the double that is nearest to the text
};
NumberText read_number(std::string_view token);

/// The whole token as an integer, false when it is anything else or does not fit.
template <class Integer>
bool read_integer(std::string_view token, Integer& value) {
  const char* const last = token.data() + token.size();
  const auto [end, error] = std::from_chars(token.data(), last, value);
  return error == std::errc() && end == last && !token.empty();
}

/// Throws ErrorException of kind bad_input.
[[noreturn]] void refuse(std::string where, std::string what, std::string remedy = {});

}  // namespace kdscope
