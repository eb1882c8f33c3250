#include "algorithms/text/json.hpp"

#include <charconv>
#include <cmath>

#include "algorithms/text/printable_text.hpp"

namespace kdscope {
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

}  // namespace kdscope
