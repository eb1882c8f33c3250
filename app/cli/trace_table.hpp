#pragma once
// The state at a step as text tables in the layout of Wald's walkthrough: one row per array, one column per index.

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

/// The rows that a trace shows by default or, if `arrays` names any, all components of those in that order. An error
/// names an array that the trace does not hold, and suggests the nearest one.
Result<std::vector<TableRow>> table_rows(const Trace& trace, const std::vector<std::string>& arrays);

/// Number of columns of a row at the cursor; 0 if it has not been written yet.
std::uint64_t columns_of(const Cursor& cursor, const TableRow& row);

/// The printed columns of a table: [begin, end), without their middle if there are more than `most` (0: no limit).
struct ColumnChoice {
  std::uint64_t most = 24;
  std::uint64_t begin = 0, end = ~0ull;

  bool is_window() const { return begin > 0 || end != ~0ull; }
};

/// The columns of a window such as "980-990", its first and its last column; empty for any other text.
std::optional<ColumnChoice> column_window(const std::string& text);

/// Removes the rows of all dimensions after the first eight. Returns the number of dimensions left out.
std::uint32_t leave_out_dimensions(const Trace& trace, std::vector<TableRow>& rows);

/// Returns an element as text: "-" if it is missing, "inf" and "-inf" for infinities. Planes have no more digits than
/// floats need.
std::string cell_text(const Cursor& cursor, const TableRow& row, std::uint64_t column);

/// One aligned table per kind of index and number of columns. A line below a table names the columns that are left out.
/// Tables without any of the chosen columns are omitted.
std::string tables_text(const Cursor& cursor, const std::vector<TableRow>& rows, const ColumnChoice& columns);

}  // namespace kdscope::cli
