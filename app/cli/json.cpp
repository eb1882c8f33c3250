#include "app/cli/json.hpp"

#include <charconv>
#include <cmath>

namespace kdscope::cli {
namespace {

/// Length of the well-formed UTF-8 sequence at the beginning of a text; 0 for none.
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
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf0 && byte(1) < 0x90) ||
      (lead == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

}  // namespace

void JsonWriter::separate() {
  if (!first_ && !after_key_) out_ << ',';
  first_ = false;
  after_key_ = false;
}

void JsonWriter::open(char bracket) {
  separate();
  out_ << bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  out_ << bracket;
  first_ = false;
}

void JsonWriter::raw(std::string_view text) {
  separate();
  out_ << text;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  out_ << ':';
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  quoted(text);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return raw("null");
  char buffer[40];
  raw({buffer, static_cast<std::size_t>(std::to_chars(buffer, buffer + sizeof buffer, number).ptr - buffer)});
}

void JsonWriter::number_text(const std::string& text) {
  if (text.empty())
    value(nullptr);
  else if (text.find_first_of("ina") == std::string::npos)
    raw(text);
  else
    value(text);
}

void JsonWriter::quoted(std::string_view text) {
  out_ << '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0)
      out_ << "\\ufffd";
    else if (c == '"' || c == '\\')
      out_ << '\\' << c;
    else if (c == '\n')
      out_ << "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr std::string_view digits = "0123456789abcdef";
      out_ << "\\u00" << digits[static_cast<std::size_t>(c) >> 4] << digits[c & 15];
    } else
      out_ << text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out_ << '"';
}

}  // namespace kdscope::cli
