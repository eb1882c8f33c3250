#include "algorithms/text/printable_text.hpp"

namespace kdscope {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

/// Returns the code point of a well-formed UTF-8 sequence.
char32_t code_point(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  char32_t code = byte(0) & (0xffu >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i) code = code << 6 | (byte(i) & 0x3fu);
  return code;
}

/// Returns whether a character above ASCII changes how surrounding text is displayed: C1 controls, line separators,
/// direction overrides and isolates. The marks U+200E, U+200F and U+061C are kept, because Hebrew and Arabic texts need
/// them.
bool is_hidden_control(char32_t code) {
  return (code >= 0x80 && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void append_byte(std::string& out, unsigned char byte) {
  out += "\\x";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

std::string escaped(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      append_byte(out, first);
    } else if (length == 1 && (first < 0x20 || first == 0x7f)) {
      if (keep_lines && (first == '\n' || first == '\t'))
        out += text[0];
      else if (first == '\n')
        out += "\\n";
      else if (first == '\t')
        out += "\\t";
      else if (first == '\r')
        out += "\\r";
      else
        append_byte(out, first);
    } else if (const char32_t code = code_point(text.substr(0, length)); is_hidden_control(code)) {
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) out += digits[code >> shift & 15];
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Reject overlong forms, surrogates, and code points above U+10FFFF.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf0 && byte(1) < 0x90) ||
      (lead == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

std::string printable(std::string_view text) { return escaped(text, false); }
std::string printable_lines(std::string_view text) { return escaped(text, true); }

}  // namespace kdscope
