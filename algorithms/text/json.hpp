#pragma once
// Writes JSON to a stream and escapes texts correctly.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kdscope {

/// Writes one JSON value piece by piece. The writer adds the separators; the caller closes what it opens.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  /// Writes the name of the next value.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(bool truth) { raw(truth ? "true" : "false"); }
  void value(std::nullptr_t) { raw("null"); }
  /// Writes a number. Infinities and NaN, which JSON lacks, become null.
  void value(double number);
  template <class Integer>
  requires std::is_integral_v<Integer>
  void value(Integer number) { raw(std::to_string(number)); }
  /// Writes a number that is already text. inf, -inf and nan, which JSON lacks, become strings; an empty text becomes
  /// null.
  void number_text(const std::string& text);

  template <class T>
  void member(std::string_view name, const T& v) {
    key(name);
    value(v);
  }
  /// null without a value.
  template <class T>
  void member(std::string_view name, const std::optional<T>& v) {
    key(name);
    v ? value(*v) : value(nullptr);
  }
  void member(std::string_view name, const std::map<std::string, std::string>& texts) {
    object(name, [&] {
      for (const auto& [of, text] : texts) member(of, text);
    });
  }
  template <class T>
  void member(std::string_view name, const std::vector<T>& values) {
    key(name);
    begin_array();
    for (const T& v : values) value(v);
    end_array();
  }
  /// A member that is an object, whose members write() adds.
  template <class Write>
  void object(std::string_view name, Write write) {
    key(name);
    begin_object();
    write();
    end_object();
  }
  /// A member that is a list of objects; write(item) adds the members of each.
  template <class Items, class Write>
  void objects(std::string_view name, const Items& items, Write write) {
    key(name);
    begin_array();
    for (const auto& item : items) {
      begin_object();
      write(item);
      end_object();
    }
    end_array();
  }

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);
  void raw(std::string_view text);
  void quoted(std::string_view text);

  std::ostream& out_;
  bool first_ = true;  ///< whether the innermost bracket is still empty
  bool after_key_ = false;
};

}  // namespace kdscope
