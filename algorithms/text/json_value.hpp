#pragma once
// Reads JSON strictly: the output of JsonWriter, and what other programs send.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kdscope {

/// An error that describes what is wrong with a text or a value, as a clause.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A JSON value. Every function that reads it throws JsonError if the value has another form.
class JsonValue {
 public:
  /// Parses one value, at most 32 levels deep, with nothing but white space around it. Work and memory O(text).
  static JsonValue parse(std::string_view text);

  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  const std::string& text() const;
  bool boolean() const;
  double number() const;
  /// Returns a whole number from min to max, of at most 53 bits.
  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  const std::vector<JsonValue>& items() const;
  const std::vector<std::pair<std::string, JsonValue>>& members() const;
  /// Returns the member with this name, or null if there is none.
  const JsonValue* find(std::string_view name) const;
  /// Returns the member with this name. Throws if there is none.
  const JsonValue& at(std::string_view name) const;

 private:
  friend class JsonParser;
  using Items = std::vector<JsonValue>;
  using Members = std::vector<std::pair<std::string, JsonValue>>;
  std::variant<std::monostate, bool, double, std::string, Items, Members> value_;
};

}  // namespace kdscope
