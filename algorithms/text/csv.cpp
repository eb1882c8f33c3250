#include "algorithms/text/csv.hpp"

#include <algorithm>

namespace kdscope {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

std::string CsvField::value() const {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    value += text[i];
    if (quoted && text.substr(i).starts_with("\"\"")) ++i;
  }
  return value;
}

std::size_t closing_quote(std::string_view text, std::size_t from) {
  std::size_t at = text.find('"', from);
  while (at != text.npos && text.substr(at + 1, 1) == "\"") at = text.find('"', at + 2);
  return at;
}

bool split_csv_row(std::string_view row, std::vector<CsvField>& fields) {
  fields.clear();
  for (std::size_t begin = 0;;) {
    const bool quoted = row.substr(begin, 1) == "\"";
    begin += quoted;
    const std::size_t end = quoted ? closing_quote(row, begin) : std::min(row.find(',', begin), row.size());
    if (end == row.npos) return false;
    fields.push_back({row.substr(begin, end - begin), quoted});
    const std::size_t next = end + quoted;
    if (!quoted && fields.back().text.find('"') != row.npos) return false;
    if (next == row.size()) return true;
    if (row[next] != ',') return false;
    begin = next + 1;
  }
}

}  // namespace kdscope
