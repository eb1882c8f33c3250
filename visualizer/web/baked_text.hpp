#pragma once
// JSON texts of a page, composed from parts that are stored once.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/text/json.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope {

/// Returns a foreign text as a JSON string, with control characters made visible.
inline std::string json_text(std::string_view text) {
  // Most texts are short and plain.
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) {
    std::string quoted = "\"";
    quoted += text;
    return quoted += '"';
  }
  std::ostringstream out;
  JsonWriter(out).value(printable_lines(text));
  return out.str();
}

/// Returns a coordinate in scene units with four decimals, a tenth of a pixel on a large screen. NaN becomes 0.
inline std::string json_place(double value) {
  if (!std::isfinite(value)) return "0";
  char digits[400];
  std::string text(digits, std::to_chars(digits, std::end(digits), value, std::chars_format::fixed, 4).ptr);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// Composes an array from the JSON texts of its elements.
class JsonList {
 public:
  JsonList& add(std::string_view element) {
    text_ += text_.size() > 1 ? "," : "";
    text_ += element;
    return *this;
  }
  template <class Integer>
  requires std::is_integral_v<Integer> JsonList& add(Integer number) {
    return add(std::string_view(std::to_string(number)));
  }
  std::string text() const { return text_ + "]"; }

 private:
  std::string text_ = "[";
};

/// Composes an object from names and the JSON texts of their values.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, std::string_view value) {
    text_ += text_.size() > 1 ? "," : "";
    text_ += "\"";
    text_ += name;
    text_ += "\":";
    text_ += value;
    return *this;
  }
  template <class Integer>
  requires std::is_integral_v<Integer> JsonObject& add(std::string_view name, Integer number) {
    return add(name, std::string_view(std::to_string(number)));
  }
  std::string text() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

/// Numbers of which many neighbours are equal, as runs: number, count, number, count, ...
class LookRuns {
 public:
  void add(std::size_t look) {
    if (count_ > 0 && look != last_) end_run();
    last_ = look;
    ++count_;
  }
  std::string text() {
    if (count_ > 0) end_run();
    return runs_.text();
  }

 private:
  void end_run() {
    runs_.add(last_).add(count_);
    count_ = 0;
  }
  JsonList runs_;
  std::size_t last_ = 0, count_ = 0;
};

/// JSON values of one kind, each stored once and named by its index.
class Pool {
 public:
  std::size_t put(std::string json) {
    const auto [found, is_new] = index_.try_emplace(std::move(json), index_.size());
    if (is_new) values_.push_back(&found->first);
    return found->second;
  }
  std::string text() const {
    JsonList list;
    for (const std::string* value : values_) list.add(*value);
    return list.text();
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<const std::string*> values_;  // keys of a map stay in place
};

}  // namespace kdscope
