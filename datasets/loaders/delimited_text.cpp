// CSV and XYZ: one point a line.

#include <algorithm>
#include <optional>

#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

/// Takes the next cell off a row; `more`: a separator followed it.
std::string_view next_cell(std::string_view& rest, char separator, bool& more) {
  const std::size_t end = rest.find(separator);
  more = end != std::string_view::npos;
  const std::string_view cell = trimmed(rest.substr(0, end));
  rest.remove_prefix(more ? end + 1 : rest.size());
  return cell;
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (bool more = true; more;) cells.push_back(next_cell(line, separator, more));
  return cells;
}

/// Spreadsheets of many languages separate columns by semicolons, and then may write 0,5 for 0.5.
void refuse_decimal_comma(std::string_view cell, const std::string& where) {
  const std::size_t comma = cell.find(',');
  if (comma == cell.npos) return;
  const std::string with_point = std::string(cell.substr(0, comma)) + "." + std::string(cell.substr(comma + 1));
  if (read_number(with_point).kind != NumberText::Kind::not_a_number)
    refuse(where, excerpt(cell) + " is a number with a decimal comma",
           "save the file with decimal points, such as " + with_point);
}

bool is_number(std::string_view cell) { return read_number(cell).kind != NumberText::Kind::not_a_number; }

/// The names of a header row; none when the row holds a number.
std::vector<std::string> header_names(const std::vector<std::string_view>& cells) {
  std::vector<std::string> names;
  for (std::string_view cell : cells) {
    if (cell.empty() || is_number(cell)) return {};
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    names.emplace_back(cell);
  }
  return names;
}

std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

[[noreturn]] void refuse_ragged(const LineScanner& lines, std::uint64_t have, std::uint64_t want) {
  refuse(lines.where(), "this row has " + counted(have, "value") + ", the rows before it have " + std::to_string(want));
}

}  // namespace

DataSet parse_csv(std::string_view bytes, const std::string& file) {
  LineScanner lines(bytes, file);
  DataSet set;
  std::optional<PointCollector> points;
  std::uint32_t dim = 0;
  std::uint64_t blank_line = 0;
  char separator = ',';
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) {
      if (blank_line == 0) blank_line = lines.line_number();
      continue;
    }
    // Empty lines may only end the file: in the middle they are lost rows.
    if (blank_line != 0)
      refuse(file + ":" + std::to_string(blank_line), "this row is empty, but rows follow it", "remove the empty line");
    if (!points) {
      separator = line.find(';') == line.npos ? ',' : ';';
      const std::vector<std::string_view> cells = cells_of(line, separator);
      check_dimension(lines.where(), cells.size());
      dim = static_cast<std::uint32_t>(cells.size());
      points.emplace(file, dim, ScalarType::int32, bytes);
      if (separator == ';')
        for (const std::string_view cell : cells) refuse_decimal_comma(cell, lines.where(cell));
      set.column_names = header_names(cells);
      if (!set.column_names.empty()) continue;
    }
    std::uint32_t d = 0;
    std::string_view rest = line;
    for (bool more = true; more; ++d) {
      const std::string_view cell = next_cell(rest, separator, more);
      if (d == dim) refuse_ragged(lines, cells_of(line, separator).size(), dim);
      if (cell.empty()) refuse(lines.where(cell), "the value is empty");
      if (separator == ';') refuse_decimal_comma(cell, lines.where(cell));
      points->add(cell, [&] { return lines.where(cell); });
    }
    if (d != dim) refuse_ragged(lines, d, dim);
  }
  if (!points) refuse(file, "the file is empty");
  if (points->count() == 0) refuse(lines.where(), "the file has column names but no points");
  points->finish(set);
  return set;
}

DataSet parse_xyz(std::string_view bytes, const std::string& file) {
  LineScanner lines(bytes, file);
  DataSet set;
  std::optional<PointCollector> points;
  std::uint32_t dim = 0;
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    std::string_view token = next_token(rest);
    if (token.empty() || token.front() == '#') continue;
    if (!points) {
      std::uint64_t columns = 0;
      for (std::string_view all = line; !next_token(all).empty();) ++columns;
      check_dimension(lines.where(), columns);
      dim = static_cast<std::uint32_t>(columns);
      points.emplace(file, dim, ScalarType::int32, bytes);
    }
    std::uint64_t d = 0;
    for (; !token.empty(); token = next_token(rest), ++d)
      if (d < dim) points->add(token, [&] { return lines.where(token); });
    if (d != dim) refuse_ragged(lines, d, dim);
  }
  if (!points) refuse(file, "the file holds no points");
  points->finish(set);
  return set;
}

}  // namespace kdscope
