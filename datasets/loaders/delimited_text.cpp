// CSV and XYZ: one point a line.

#include <algorithm>
#include <optional>

#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

/// Takes the next cell off a comma-separated row; `more` says whether a comma followed it.
std::string_view next_cell(std::string_view& rest, bool& more) {
  const std::size_t comma = rest.find(',');
  more = comma != std::string_view::npos;
  const std::string_view cell = trimmed(rest.substr(0, comma));
  rest.remove_prefix(more ? comma + 1 : rest.size());
  return cell;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (bool more = true; more;) cells.push_back(next_cell(line, more));
  return cells;
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
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) {
      if (blank_line == 0) blank_line = lines.line_number();
      continue;
    }
    // Empty lines may only end the file: in the middle they are lost rows.
    if (blank_line != 0)
      refuse(file + ":" + std::to_string(blank_line), "this row is empty, but rows follow it", "remove the empty line");
    if (!points) {
      const std::vector<std::string_view> cells = cells_of(line);
      check_dimension(lines.where(), cells.size());
      dim = static_cast<std::uint32_t>(cells.size());
      points.emplace(file, dim, ScalarType::int32);
      set.column_names = header_names(cells);
      if (!set.column_names.empty()) continue;
    }
    std::uint32_t d = 0;
    std::string_view rest = line;
    for (bool more = true; more; ++d) {
      const std::string_view cell = next_cell(rest, more);
      if (d == dim) refuse_ragged(lines, cells_of(line).size(), dim);
      if (cell.empty()) refuse(lines.where(cell), "the value is empty");
      points->add(cell, [&] { return lines.where(cell); });
    }
    if (d != dim) refuse_ragged(lines, d, dim);
  }
  if (!points) refuse(file, "the file is empty");
  if (points->count() == 0) refuse(lines.where(), "the file has column names but no points");
  set.points = points->finish();
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
      points.emplace(file, dim, ScalarType::int32);
    }
    std::uint64_t d = 0;
    for (; !token.empty(); token = next_token(rest), ++d)
      if (d < dim) points->add(token, [&] { return lines.where(token); });
    if (d != dim) refuse_ragged(lines, d, dim);
  }
  if (!points) refuse(file, "the file holds no points");
  set.points = points->finish();
  return set;
}

}  // namespace kdscope
