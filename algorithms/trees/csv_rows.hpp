#pragma once
// Reads the rows of a CSV file of numbers one after another. Errors name the line and the column.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/text/from_chars.hpp"

namespace kdscope::tree_files {

/// Throws an error of kind bad_input.
[[noreturn]] void refuse(std::string what, std::string where, std::string remedy = "");

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const auto [end, problem] = from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Returns the name of a dimension's column: x, y, z, w, c4, ...
std::string column_name(std::uint32_t dim);
/// Returns the shortest text that reads back as the coordinate. A whole float does not look like an integer.
std::string coordinate_text(std::uint32_t word, ScalarType type);

class CsvRows {
 public:
  CsvRows(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}
  bool at_end() const { return text_.empty(); }
  /// Goes to the next line. The first call goes to the first line.
  void next();
  const std::vector<std::string_view>& fields() const { return fields_; }
  std::size_t line() const { return line_; }
  /// Returns a place in a given line or in the current one: "tree.csv:3:1".
  std::string place(std::size_t line, std::size_t column) const;
  std::string place(std::size_t column) const { return place(line_, column); }
  /// Returns a field as a number. An error states that the field is no `what`.
  template <class T>
  T number(std::size_t column, const char* what) const {
    const auto value = parsed<T>(fields_[column]);
    if (!value) refuse("'" + std::string(fields_[column]) + "' is no " + what, place(column));
    return *value;
  }
  /// Returns a field as an exact coordinate. "7.0" and "-0" are floats, and one float makes all coordinates floats.
  double coordinate(std::size_t column);
  ScalarType type() const { return integers_ ? ScalarType::int32 : ScalarType::float32; }
  /// Returns coordinates as words. Call this after all of them are read.
  std::vector<std::uint32_t> words(const std::vector<double>& coordinates) const;

 private:
  std::string_view text_;
  std::string path_;
  std::size_t line_ = 0;
  std::vector<CsvField> split_;
  std::vector<std::string_view> fields_;
  bool integers_ = true;
};

}  // namespace kdscope::tree_files
