#include "datasets/loaders/utf16.hpp"

#include <bit>
#include <cstdint>

#include "datasets/loaders/number_types.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {
namespace {

constexpr std::string_view little_mark = "\xff\xfe", big_mark = "\xfe\xff";

/// The order of the bytes of a character: by the mark, or by where the zeros are.
std::endian order_of(std::string_view bytes) {
  if (bytes.starts_with(big_mark)) return std::endian::big;
  return bytes.starts_with(little_mark) || bytes[0] != '\0' ? std::endian::little : std::endian::big;
}

bool has_mark(std::string_view bytes) { return bytes.starts_with(little_mark) || bytes.starts_with(big_mark); }

bool is_text(char c) { return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n'; }

void append_utf8(std::uint32_t code, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

bool is_utf32(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\xff\xfe\0\0", 4)) ||
         bytes.starts_with(std::string_view("\0\0\xfe\xff", 4));
}

}  // namespace

bool is_utf16(std::string_view bytes, std::string_view begin) {
  if (begin.empty() && is_utf32(bytes)) return true;
  if (bytes.size() < 4) return false;
  const std::size_t mark = has_mark(bytes) ? 2 : 0;
  const std::size_t zero = order_of(bytes) == std::endian::little ? 1 : 0;
  if (mark == 0 || !begin.empty())
    for (std::size_t i = mark; i + 1 < bytes.size() && i < mark + 2 * std::max<std::size_t>(begin.size(), 2); i += 2) {
      const char c = bytes[i + 1 - zero];
      if (bytes[i + zero] != '\0' || !is_text(c)) return false;
      if (!begin.empty() && lower(c) != begin[(i - mark) / 2]) return false;
    }
  return true;
}

std::string utf8_of_utf16(std::string_view bytes, const std::string& file) {
  if (is_utf32(bytes)) refuse(byte_position(file, 0), "the text is in UTF-32", "save it in UTF-8");
  if (bytes.size() % 2 != 0)
    refuse(byte_position(file, bytes.size()), "the text is in UTF-16 and ends within a character", "save it in UTF-8");
  const std::endian order = order_of(bytes);
  std::string text;
  text.reserve(bytes.size() / 2);
  const auto unit = [&](std::size_t i) -> std::uint32_t { return load_value<std::uint16_t>(&bytes[i], order); };
  for (std::size_t i = has_mark(bytes) ? 2 : 0; i < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xd800 && code < 0xe000) {
      const bool pair = code < 0xdc00 && i + 2 < bytes.size() && unit(i + 2) >= 0xdc00 && unit(i + 2) < 0xe000;
      code = pair ? 0x10000 + ((code - 0xd800) << 10) + (unit(i + 2) - 0xdc00) : 0xfffd;
      if (pair) i += 2;
    }
    append_utf8(code, text);
  }
  return text;
}

}  // namespace kdscope
