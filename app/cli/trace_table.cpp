#include "app/cli/trace_table.hpp"

#include <algorithm>
#include <charconv>

#include "algorithms/core/ids.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "app/arguments/arguments.hpp"

namespace kdscope::cli {
namespace {

constexpr std::uint32_t most_dimensions = 8;

std::string index_label(Space space) {
  return space == Space::position ? "array-idx" : std::string(name_of(space)) + "-idx";
}

/// Appends rows over the same indices as one table.
void append_table(const Cursor& cursor, const std::vector<TableRow>& rows, const ColumnChoice& columns,
                  std::string& text) {
  const std::uint64_t n = columns_of(cursor, rows[0]), first = std::min(columns.begin, n),
                      end = std::min(columns.end, n);
  if (first == end) return;
  std::uint64_t head = end, tail = end;  // [head, tail) is left out
  if (columns.most > 0 && end - first > columns.most) {
    head = first + columns.most - columns.most / 2;
    tail = end - columns.most / 2;
  }
  std::vector<std::string> lines{index_label(rows[0].index_space)};
  for (const TableRow& row : rows) lines.push_back(printable(row.label));
  std::size_t widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, line.size());
  for (std::string& line : lines) line += std::string(widest - line.size(), ' ') + ":";

  std::vector<std::string> cells(lines.size());
  for (std::uint64_t i = first; i < end; ++i) {
    if (i == head && head < tail) {
      for (std::string& line : lines) line += " ...";
      i = tail;
    }
    cells[0] = std::to_string(i);
    for (std::size_t r = 0; r < rows.size(); ++r) cells[r + 1] = cell_text(cursor, rows[r], i);
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    for (std::size_t r = 0; r < lines.size(); ++r) lines[r] += std::string(1 + width - cells[r].size(), ' ') + cells[r];
  }
  for (const std::string& line : lines) text += line + "\n";
  if (head < tail)
    text += "(" + std::to_string(tail - head) + " of " + std::to_string(n) + " columns left out, " +
            std::to_string(head) + " to " + std::to_string(tail - 1) + "; --full shows all)\n";
  else if (end - first < n)
    text += "(columns " + std::to_string(first) + " to " + std::to_string(end - 1) + " of " + std::to_string(n) + ")\n";
}

}  // namespace

Result<std::vector<TableRow>> table_rows(const Trace& trace, const std::vector<std::string>& arrays) {
  std::vector<TableRow> rows;
  const auto add = [&](const ArrayInfo& info) {
    const std::uint32_t components = info.gather ? 1 : info.components;
    for (std::uint32_t c = 0; c < components; ++c) {
      const std::string label = info.label.empty() ? info.name : info.label;
      rows.push_back({info.name, label + component_suffix(info, c, trace.header.dim), c, components, info.index_space});
    }
  };
  if (arrays.empty()) {
    for (const Trace::Array& a : trace.arrays)
      if (a.info.shown_as_row) add(a.info);
    return rows;
  }
  for (const std::string& name : arrays) {
    const Trace::Array* array = trace.find(name);
    if (!array) {
      std::vector<std::string> names;
      for (const Trace::Array& a : trace.arrays) names.push_back(a.info.name);
      std::string remedy = did_you_mean(name, names);
      if (remedy.empty()) {
        remedy = "it has";
        for (const std::string& n : names) remedy += " " + n;
      }
      return Error{ErrorKind::bad_usage, "the trace holds no array '" + name + "'", "", remedy};
    }
    add(array->info);
  }
  return rows;
}

std::uint64_t columns_of(const Cursor& cursor, const TableRow& row) {
  return RowReader(cursor, row.array, row.component).size();
}

std::optional<ColumnChoice> column_window(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::uint64_t first = 0, last = 0;
  const auto [dash, problem] = std::from_chars(text.data(), end, first);
  if (problem != std::errc() || dash == end || *dash != '-') return std::nullopt;
  const auto [rest, second_problem] = std::from_chars(dash + 1, end, last);
  if (second_problem != std::errc() || rest != end || first > last || last == ~0ull) return std::nullopt;
  return ColumnChoice{0, first, last + 1};
}

std::uint32_t leave_out_dimensions(const Trace& trace, std::vector<TableRow>& rows) {
  const std::uint32_t dim = trace.header.dim;
  if (dim <= most_dimensions) return 0;
  std::erase_if(rows, [&](const TableRow& row) {
    const ArrayInfo& info = trace.find(row.array)->info;
    const bool of_sides = info.value_space == Space::coordinate && row.components == dim;
    return (info.dimension != no_id && info.dimension >= most_dimensions) ||
           (of_sides && row.component >= most_dimensions);
  });
  return dim - most_dimensions;
}

std::string cell_text(const Cursor& cursor, const TableRow& row, std::uint64_t column) {
  const RowReader reader(cursor, row.array, row.component);
  return reader.is_missing(column) ? "-" : reader.short_text(column);
}

std::string tables_text(const Cursor& cursor, const std::vector<TableRow>& rows, const ColumnChoice& columns) {
  std::string text;
  std::vector<bool> done(rows.size(), false);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::uint64_t n = columns_of(cursor, rows[r]);
    if (done[r] || n == 0) continue;
    std::vector<TableRow> together;
    for (std::size_t other = r; other < rows.size(); ++other) {
      if (rows[other].index_space != rows[r].index_space || columns_of(cursor, rows[other]) != n) continue;
      together.push_back(rows[other]);
      done[other] = true;
    }
    append_table(cursor, together, columns, text);
  }
  return text;
}

}  // namespace kdscope::cli
