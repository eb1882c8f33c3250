#pragma once
// A strict reader of JSON that checks the tool's output against the grammar. It is independent of the writer.

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kdscope::tests {

struct Json {
  enum class Kind { null, truth, number, text, list, object } kind = Kind::null;
  bool truth = false;
  double number = 0;
  std::string text;  ///< with all escapes except \u resolved
  std::vector<Json> list;
  std::map<std::string, Json> object;

  const Json& operator[](const std::string& name) const { return object.at(name); }
};

class JsonReader {
 public:
  /// Returns the value of a document. Throws std::runtime_error at the first violation of the grammar.
  static Json read(std::string_view document) {
    JsonReader reader{document};
    Json value = reader.value();
    reader.space();
    if (!reader.rest_.empty()) reader.fail("more than one value");
    return value;
  }

 private:
  explicit JsonReader(std::string_view document) : rest_(document) {}
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(std::string(what) + " before '" + std::string(rest_.substr(0, 30)) + "'");
  }
  void space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  char peek() {
    space();
    if (rest_.empty()) fail("document ends");
    return rest_[0];
  }
  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail("unexpected character");
  }
  void word(std::string_view w) {
    if (rest_.substr(0, w.size()) != w) fail("unknown word");
    rest_.remove_prefix(w.size());
  }

  Json value() {
    Json v;
    const char c = peek();
    if (c == '{') {
      v.kind = Json::Kind::object;
      expect('{');
      if (accept('}')) return v;
      do {
        if (peek() != '"') fail("name expected");
        const std::string name = text();
        expect(':');
        if (!v.object.emplace(name, value()).second) fail("name given twice");
      } while (accept(','));
      expect('}');
    } else if (c == '[') {
      v.kind = Json::Kind::list;
      expect('[');
      if (accept(']')) return v;
      do v.list.push_back(value());
      while (accept(','));
      expect(']');
    } else if (c == '"') {
      v.kind = Json::Kind::text;
      v.text = text();
    } else if (c == 't' || c == 'f') {
      v.kind = Json::Kind::truth;
      v.truth = c == 't';
      word(v.truth ? "true" : "false");
    } else if (c == 'n') {
      word("null");
    } else {
      v.kind = Json::Kind::number;
      v.number = number();
    }
    return v;
  }

  double number() {
    std::size_t at = 0;
    const auto is = [&](std::string_view any) { return at < rest_.size() && any.find(rest_[at]) != any.npos; };
    const auto digits = [&] {
      const std::size_t from = at;
      while (is("0123456789")) ++at;
      if (at == from) fail("digit expected");
      return at - from;
    };
    if (is("-")) ++at;
    const bool zero = is("0");
    if (digits() > 1 && zero) fail("leading zero");
    if (is(".")) ++at, digits();
    if (is("eE")) {
      ++at;
      if (is("+-")) ++at;
      digits();
    }
    const double n = std::stod(std::string(rest_.substr(0, at)));
    rest_.remove_prefix(at);
    return n;
  }

  std::string text() {
    expect('"');
    std::string result;
    for (;;) {
      if (rest_.empty()) fail("text without end");
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') return result;
      if (static_cast<unsigned char>(c) < 0x20) fail("raw control character");
      if (c != '\\') {
        result += c;
        continue;
      }
      if (rest_.empty()) fail("text without end");
      const char e = rest_[0];
      rest_.remove_prefix(1);
      constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
      if (e == 'u') {
        if (rest_.size() < 4 || rest_.substr(0, 4).find_first_not_of("0123456789abcdefABCDEF") != rest_.npos)
          fail("bad \\u");
        result += "\\u" + std::string(rest_.substr(0, 4));
        rest_.remove_prefix(4);
      } else if (from.find(e) != from.npos) {
        result += to[from.find(e)];
      } else {
        fail("unknown escape");
      }
    }
  }

  std::string_view rest_;
};

}  // namespace kdscope::tests
