#include "algorithms/text/json_value.hpp"

#include <charconv>
#include <cmath>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope {

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue value = any(0);
    skip_space();
    if (at_ != text_.size()) fail("more than one value");
    return value;
  }

 private:
  static constexpr int deepest = 32;

  [[noreturn]] void fail(const std::string& what) const { throw JsonError(what + " at byte " + std::to_string(at_)); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char wanted) {
    skip_space();
    const bool found = peek() == wanted;
    at_ += found;
    return found;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(std::string("no '") + wanted + "'");
  }
  bool take_word(std::string_view word) {
    const bool found = text_.substr(at_, word.size()) == word;
    at_ += found ? word.size() : 0;
    return found;
  }

  JsonValue any(int depth) {
    if (depth > deepest) fail("too many brackets");
    JsonValue value;
    skip_space();
    if (take('{'))
      value.value_ = members(depth);
    else if (take('['))
      value.value_ = items(depth);
    else if (peek() == '"')
      value.value_ = string();
    else if (take_word("true"))
      value.value_ = true;
    else if (take_word("false"))
      value.value_ = false;
    else if (!take_word("null"))
      value.value_ = number();
    return value;
  }
  JsonValue::Members members(int depth) {
    JsonValue::Members all;
    if (take('}')) return all;
    do {
      skip_space();
      std::string name = string();
      expect(':');
      all.emplace_back(std::move(name), any(depth + 1));
    } while (take(','));
    expect('}');
    return all;
  }
  JsonValue::Items items(int depth) {
    JsonValue::Items all;
    if (take(']')) return all;
    do all.push_back(any(depth + 1));
    while (take(','));
    expect(']');
    return all;
  }
  double number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = from_chars(begin, text_.data() + text_.size(), value);
    // Reject inf and nan, which from_chars() also reads.
    if (error != std::errc() || !std::isfinite(value) || !(*begin == '-' || (*begin >= '0' && *begin <= '9')))
      fail("no value");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  std::string string() {
    expect('"');
    std::string text;
    for (;;) {
      const char c = peek();
      if (at_ == text_.size() || static_cast<unsigned char>(c) < 0x20) fail("a text without an end");
      if (c == '"') break;
      if (c == '\\') {
        ++at_;
        escaped(text);
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0) fail("bytes that are not UTF-8");
      text += text_.substr(at_, length);
      at_ += length;
    }
    ++at_;
    return text;
  }
  void escaped(std::string& text) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char letter = peek();
    ++at_;
    if (const std::size_t which = letters.find(letter); which != std::string_view::npos && letter != '\0') {
      text += meanings[which];
    } else if (letter == 'u') {
      std::uint32_t code = unit();
      if (code >= 0xd800 && code < 0xdc00) {
        if (!take_word("\\u")) fail("half a character");
        const std::uint32_t low = unit();
        if (low < 0xdc00 || low > 0xdfff) fail("half a character");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else if (code >= 0xdc00 && code < 0xe000) {
        fail("half a character");
      }
      append_utf8(text, code);
    } else {
      fail("an unknown escape");
    }
  }
  std::uint32_t unit() {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || end != digits.data() + 4) fail("an unknown escape");
    at_ += 4;
    return code;
  }
  static void append_utf8(std::string& text, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
    if (code < 0x80) return byte(code);
    if (code < 0x800)
      byte(0xc0 | code >> 6);
    else if (code < 0x10000)
      byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 63));
    else
      byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63));
    byte(0x80 | (code & 63));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

JsonValue JsonValue::parse(std::string_view text) {
  // Editors may write a byte order mark in front (RFC 8259, section 8.1).
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return JsonParser(text).document();
}

namespace {

template <class T, class Value>
const T& as(const Value& value, const char* what) {
  if (const T* found = std::get_if<T>(&value)) return *found;
  throw JsonError(std::string("a value that is no ") + what);
}

}  // namespace

const std::string& JsonValue::text() const { return as<std::string>(value_, "text"); }
bool JsonValue::boolean() const { return as<bool>(value_, "truth"); }
double JsonValue::number() const { return as<double>(value_, "number"); }
std::int64_t JsonValue::integer(std::int64_t min, std::int64_t max) const {
  const double value = number();
  constexpr double largest = 9007199254740992.0;
  if (value != std::floor(value) || std::abs(value) > largest || value < static_cast<double>(min) ||
      value > static_cast<double>(max))
    throw JsonError("a number that is no integer from " + std::to_string(min) + " to " + std::to_string(max));
  return static_cast<std::int64_t>(value);
}
const std::vector<JsonValue>& JsonValue::items() const { return as<Items>(value_, "list"); }
const std::vector<std::pair<std::string, JsonValue>>& JsonValue::members() const {
  return as<Members>(value_, "object");
}
const JsonValue* JsonValue::find(std::string_view name) const {
  for (const auto& [key, value] : members())
    if (key == name) return &value;
  return nullptr;
}
const JsonValue& JsonValue::at(std::string_view name) const {
  if (const JsonValue* found = find(name)) return *found;
  throw JsonError("no member '" + std::string(name) + "'");
}

}  // namespace kdscope
