#pragma once
// Writes and reads structs as JSON objects by their fields() (field.hpp): numbers, truths, texts, enumerations as
// numbers, lists, texts by name, and structs of these. A whole number of more than 53 bits, which JSON lacks, is a text
// in hexadecimal. An enumeration E needs `constexpr E last_of(E)`.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/text/field.hpp"
#include "algorithms/text/json.hpp"
#include "algorithms/text/json_value.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {

inline constexpr std::int64_t largest_in_json = std::int64_t(1) << 53;

/// Writes members of the open object.
class JsonFieldWriter {
 public:
  static constexpr bool writes = true;
  explicit JsonFieldWriter(JsonWriter& json) : json_(json) {}
  template <class... Types>
  void operator()(Field<Types>... members) {
    (member(members.name, members.value), ...);
  }

 private:
  template <class T>
  void member(const char* name, T& value) {
    json_.key(name);
    write(value);
  }
  template <class T>
  void member(const char* name, std::optional<T>& value) {
    if (value) member(name, *value);
  }
  template <class T>
  void write(T& value) {
    if constexpr (std::is_enum_v<T>) {
      json_.value(static_cast<std::int64_t>(value));
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      value > largest_in_json ? json_.value(hash_text(value)) : json_.value(value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      json_.value(value);
    } else {
      json_.begin_object();
      fields(*this, value);
      json_.end_object();
    }
  }
  template <class T>
  void write(std::vector<T>& items) {
    json_.begin_array();
    for (T& item : items) write(item);
    json_.end_array();
  }
  void write(std::map<std::string, std::string>& texts) {
    json_.begin_object();
    for (const auto& [name, text] : texts) json_.member(name, text);
    json_.end_object();
  }

  JsonWriter& json_;
};

/// Reads members of an object. Those that it lacks stay as they are; objects inside of it must have all. Throws
/// JsonError if a value has another form.
class JsonFieldReader {
 public:
  static constexpr bool writes = false;
  explicit JsonFieldReader(const JsonValue& object, bool complete = false) : object_(object), complete_(complete) {}
  template <class... Types>
  void operator()(Field<Types>... members) {
    (member(members.name, members.value), ...);
  }

 private:
  template <class T>
  void member(const char* name, T& value) {
    if (const JsonValue* found = complete_ ? &object_.at(name) : object_.find(name)) read(*found, value);
  }
  template <class T>
  void member(const char* name, std::optional<T>& value) {
    if (const JsonValue* found = object_.find(name)) read(*found, value.emplace());
  }
  template <class T>
  static void read(const JsonValue& from, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = from.boolean();
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(from.integer(0, static_cast<std::int64_t>(last_of(T{}))));
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      value = from.is_text() ? hexadecimal(from.text()) : static_cast<T>(from.integer(0, largest_in_json));
    } else if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      value = static_cast<T>(from.integer(std::max<std::int64_t>(Limits::min(), -largest_in_json),
                                          std::min<std::int64_t>(Limits::max(), largest_in_json)));
    } else if constexpr (std::is_floating_point_v<T>) {
      value = from.number();
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = from.text();
    } else {
      JsonFieldReader members(from, true);
      fields(members, value);
    }
  }
  template <class T>
  static void read(const JsonValue& from, std::vector<T>& items) {
    items.clear();
    for (const JsonValue& item : from.items()) read(item, items.emplace_back());
  }
  static void read(const JsonValue& from, std::map<std::string, std::string>& texts) {
    texts.clear();
    for (const auto& [name, text] : from.members()) texts[name] = text.text();
  }
  static std::uint64_t hexadecimal(const std::string& text) {
    std::uint64_t number = 0;
    constexpr std::size_t prefix = 2;  // "0x"
    const char *first = text.data() + std::min(prefix, text.size()), *last = text.data() + text.size();
    const auto [end, failed] = std::from_chars(first, last, number, 16);
    if (failed != std::errc() || end != last) throw JsonError("a text that is no number in hexadecimal");
    return number;
  }

  const JsonValue& object_;
  bool complete_;
};

}  // namespace kdscope
