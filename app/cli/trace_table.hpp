#pragma once
// The state at a step as text tables in the layout of Wald's walkthrough: a row an array, a column an index.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope::cli {

/// A row of a table: an array, or one component of an array that has several.
struct TableRow {
  std::string array;
  std::string label;
  std::uint32_t component = 0, components = 1;
  Space index_space = Space::position;
};

/// The rows that a trace shows; all components of the arrays named, in that order, if any are named. An error names an
/// array that the trace does not hold, and the nearest one.
Result<std::vector<TableRow>> table_rows(const Trace& trace, const std::vector<std::string>& arrays);

/// Number of columns of a row at the cursor; 0 when it is not written yet.
std::uint64_t columns_of(const Cursor& cursor, const TableRow& row);

/// Which columns of a table are printed: those from `begin` to `end`, without their middle where they are more than
/// `most` (0: all).
struct ColumnChoice {
  std::uint64_t most = 24;
  std::uint64_t begin = 0, end = ~0ull;

  bool is_window() const { return begin > 0 || end != ~0ull; }
};

/// The window "980-990", its first and its last column; nothing for any other text.
std::optional<ColumnChoice> column_window(const std::string& text);

/// Takes the rows of all dimensions but the first eight out; how many dimensions that leaves out.
std::uint32_t leave_out_dimensions(const Trace& trace, std::vector<TableRow>& rows);

/// An element as printed: "-" where it is missing, "inf" and "-inf" for infinities; planes in as few digits as floats
/// need.
std::string cell_text(const Cursor& cursor, const TableRow& row, std::uint64_t column);

/// One table for each kind of index, aligned. A line below a table names the columns that are left out. Tables without
/// any of the columns are left out.
std::string tables_text(const Cursor& cursor, const std::vector<TableRow>& rows, const ColumnChoice& columns);

}  // namespace kdscope::cli
