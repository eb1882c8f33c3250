#pragma once
// Reads JSON, strictly: what JsonWriter writes and other programs send.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kdscope {

/// What is wrong with a text or a value, as a clause.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A JSON value. Every reader throws JsonError if the value does not have the form that it reads.
class JsonValue {
 public:
  /// Reads one value, with nothing but white space around it; at most 32 levels deep. Work and memory O(text).
  static JsonValue parse(std::string_view text);

  const std::string& text() const;
  bool boolean() const;
  double number() const;
  /// A whole number from min to max, of at most 53 bits.
  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  const std::vector<JsonValue>& items() const;
  const std::vector<std::pair<std::string, JsonValue>>& members() const;
  /// The member of a name, or null if there is none.
  const JsonValue* find(std::string_view name) const;
  /// The member of a name, which must be there.
  const JsonValue& at(std::string_view name) const;

 private:
  friend class JsonParser;
  using Items = std::vector<JsonValue>;
  using Members = std::vector<std::pair<std::string, JsonValue>>;
  std::variant<std::monostate, bool, double, std::string, Items, Members> value_;
};

}  // namespace kdscope
