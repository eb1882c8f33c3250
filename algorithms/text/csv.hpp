#pragma once
// Comma-separated values as RFC 4180 describes them: the program's one way to write them and one way to read them.

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/text/numbers.hpp"

namespace kdscope {

/// Returns a field of a row. The field is in double quotes, with inner quotes doubled, only if it contains a comma, a
/// quote or a line break.
std::string csv_field(std::string_view text);

/// Writes rows to the end of a text. Texts are quoted where they have to be, numbers have the fewest digits that read
/// back as the same value, and lines end in LF.
class CsvWriter {
 public:
  explicit CsvWriter(std::string& text) : text_(text) {}
  template <class Value>
  CsvWriter& operator<<(const Value& value) {
    if (!std::exchange(at_begin_, false)) text_ += ',';
    if constexpr (std::is_arithmetic_v<Value>)
      text_ += shortest(value);
    else
      text_ += csv_field(value);
    return *this;
  }
  void end_row() {
    text_ += '\n';
    at_begin_ = true;
  }

 private:
  std::string& text_;
  bool at_begin_ = true;
};

/// A field as it stands in a file. A quoted one lacks its outer quotes.
struct CsvField {
  std::string_view text;
  bool quoted = false;

  /// Returns the field with its doubled quotes as one.
  std::string value() const;
};

/// Returns the position of the quote that ends a quoted field whose content begins at `from`; npos if none does.
std::size_t closing_quote(std::string_view text, std::size_t from);
/// Splits a row without its line end. Returns false if a quote is not closed or stands beside other text.
bool split_csv_row(std::string_view row, std::vector<CsvField>& fields);

}  // namespace kdscope
