#include "algorithms/trees/csv_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/core/error.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope::tree_files {

void refuse(std::string what, std::string where, std::string remedy) {
  // Shorten fields in messages, because a field may have any length and any bytes.
  constexpr std::size_t longest = 400;
  const bool cut = what.size() > longest;
  what = printable(std::string_view(what).substr(0, longest)) + (cut ? "..." : "");
  throw ErrorException({ErrorKind::bad_input, std::move(what), std::move(where), std::move(remedy)});
}

std::string column_name(std::uint32_t dim) { return dim < 4 ? std::string(1, "xyzw"[dim]) : "c" + std::to_string(dim); }

std::string coordinate_text(std::uint32_t word, ScalarType type) {
  if (type != ScalarType::float32) return shortest(static_cast<std::int32_t>(word));
  const std::string text = shortest(std::bit_cast<float>(word));
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

void CsvRows::next() {
  ++line_;
  std::size_t end = text_.find('\n');
  if (end == text_.npos) end = text_.size();
  std::string_view line = text_.substr(0, end);
  text_.remove_prefix(std::min(end + 1, text_.size()));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const bool sound = split_csv_row(line, split_);
  if (!sound && line_ > 1) refuse("a quote is not closed, or stands beside other text", place(0));
  if (!sound) split_ = {{line}};  // the names of no tree
  fields_.clear();
  for (const CsvField& field : split_) fields_.push_back(field.text);
}

std::string CsvRows::place(std::size_t line, std::size_t column) const {
  return path_ + ":" + std::to_string(line) + ":" + std::to_string(column + 1);
}

double CsvRows::coordinate(std::size_t column) {
  const std::string_view text = fields_[column];
  const auto integer = parsed<std::int32_t>(text);
  integers_ = integers_ && integer && text != "-0";
  const auto single = integers_ ? std::nullopt : parsed<float>(text);
  if (!integers_ && (!single || !std::isfinite(*single)))
    refuse("'" + std::string(text) + "' is no coordinate", place(column));
  return integers_ ? *integer : double{*single};
}

std::vector<std::uint32_t> CsvRows::words(const std::vector<double>& coordinates) const {
  std::vector<std::uint32_t> words;
  words.reserve(coordinates.size());
  for (const double v : coordinates)
    words.push_back(integers_ ? word_of(static_cast<std::int32_t>(v)) : word_of(static_cast<float>(v)));
  return words;
}

}  // namespace kdscope::tree_files
