#pragma once
// Arrays as the paper prints them: rows are arrays, columns are indices. Cells are computed on demand.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// One row. The first row of a table is the array index itself: its name is empty, and its label is, for example,
/// "array index".
struct TableRow {
  std::string name;    ///< of the array; empty for the index row
  std::string label;   ///< as shown: the symbol and, where needed, the notation of the cells
  std::string symbol;  ///< as the source prints it
  Space index_space = Space::position;
  Space value_space = Space::none;
  std::uint32_t component = 0;  ///< for arrays with several components, which have one row each
  std::uint32_t components = 1;
  std::uint64_t size = 0;           ///< number of cells of this row at this step
  std::uint32_t dimension = no_id;  ///< the dimension to which the row belongs; no_id: none
};

/// The contents and marks of one cell.
struct TableCell {
  std::string text;                ///< empty if the row has no such element
  std::optional<NodeId> node;      ///< root of the subtree to which it belongs
  std::optional<TreePlace> place;  ///< of that subtree; its colour is subtree_colour(theme, *place)
  bool pivot = false;
  bool settled = false;
  bool segment = false;                              ///< inside a highlighted segment
  bool segment_first = false, segment_last = false;  ///< at the ends of that segment
  bool read = false, written = false, compared = false;
  bool changed = false;    ///< differs from the baseline, or is new
  std::string old_text;    ///< its text in the baseline; empty if new or unchanged
  bool violating = false;  ///< violates a check of the step; in the index row: some element of the column does
};

/// The arrays of one step whose indices share a space. The table refers to the cursors: rebuild it after either one
/// moves. Building costs O(highlighted ranges); a cell costs O(log ranges + depth of the tree).
class ArrayTable {
 public:
  /// `baseline`: the state with which cells are compared, usually one step before; with null, no cell counts as
  /// changed. `space`: the table has only rows of this index space (position gives the paper's table). `axes`: if there
  /// are more than three dimensions, the table has only the rows of these (shows_dimension()); without axes, all rows.
  /// `added`: highlights beside those of the step, for example those of a lesson.
  explicit ArrayTable(const Cursor& now, const Cursor* baseline = nullptr, Space space = Space::position,
                      const std::optional<Axes>& axes = {}, std::span<const Highlight> added = {});

  const std::vector<TableRow>& rows() const { return rows_; }
  const Cursor* baseline() const { return baseline_; }
  std::uint64_t column_count() const { return columns_; }
  /// Returns the number of dimensions whose rows are left out.
  std::uint32_t hidden_dimensions() const { return hidden_dimensions_; }
  TableCell cell(std::size_t row, std::uint64_t column) const;
  /// Returns the columns in which an element violates a check of the step; ascending, disjoint.
  const std::vector<IndexRange>& violating_columns() const;
  /// Returns the columns with a role at this step, ascending by their begin.
  std::span<const IndexRange> columns_with(Role role) const;
  /// Returns the columns of a row that differ from the baseline, for minimaps and for steps from change to change.
  /// O(row).
  std::vector<IndexRange> changes(std::size_t row) const;
  /// Returns the rows from the first to the last that the step wrote, as [begin, end): only rows that differ from the
  /// baseline if any does, else all written rows. `with_context` extends this range: if all of these rows belong to one
  /// dimension, to the first row of that dimension; and to the rows of the dimension on which the step works
  /// (order_read_by()). {0, 0}: the step wrote none.
  std::pair<std::size_t, std::size_t> written_rows(bool with_context = true) const;
  /// Returns the point that a cell represents, to link selections; nullopt if unknown. In the index row, this is the
  /// point of all rows, where they agree.
  std::optional<PointId> point_at(std::size_t row, std::uint64_t column) const;
  /// Returns whether a column may represent a different point in each row, because each dimension has its own order of
  /// the points.
  bool has_orders() const { return has_orders_; }
  /// Returns the order of the points that the cells of a row indexed by position represent.
  const RowOrder& order_of(std::size_t row) const;
  /// Returns the number of characters of the widest text of a row over the whole run, for fixed column widths. This is
  /// an estimate from the type and a sample of the recorded values; O(1). `shortened`: for texts as shortened() returns
  /// them.
  std::size_t text_width(std::size_t row, bool shortened = false) const;
  /// Returns whether a row has floating-point numbers, which may be written with fewer digits.
  bool is_real(std::size_t row) const;

 private:
  struct Ranges {
    std::vector<IndexRange> ranges;  // ascending
    const IndexRange* find(std::uint64_t index) const;
  };
  std::string text_at(const Cursor& cursor, const RowReader& reader, std::size_t row, std::uint64_t column) const;
  bool is_of_list(const TableRow& row) const;
  std::optional<NodeId> node_at(std::size_t row, std::uint64_t column) const;

  const Cursor* now_;
  const Cursor* baseline_;
  Space space_;
  std::vector<TableRow> rows_;
  std::vector<RowReader> now_rows_, baseline_rows_;  // of each row
  std::vector<bool> in_bits_;                        // of each row: whether its cells are written in binary
  const TypedArray* node_of_column_ = nullptr;       // for tables of chunks, candidates and similar lists
  std::uint32_t listed_at_ = 0;                      // the step that wrote this list; older rows belong to another one
  std::uint64_t columns_ = 0;
  std::map<Role, Ranges> roles_;
  std::map<std::string, Ranges, std::less<>> violating_;  // by array; "", the index row, has those of all arrays
  bool has_orders_ = false;
  std::uint32_t hidden_dimensions_ = 0;
  mutable std::vector<std::optional<RowOrder>> orders_;  // of each row by position; set on first use
};

/// Returns a cell's text with four significant digits; whole numbers and texts that are not numbers stay as they are.
std::string shortened(const std::string& text);

/// Returns the index spaces for which a trace has rows to show, the paper's (position) first.
std::vector<Space> table_spaces(const Trace& trace);
/// Returns the first of these spaces with a row that the step changed, or `shown` if that has one; nullopt if no table
/// shows a change of the step. As in written_rows(), without `baseline` every row that the step wrote counts. Work
/// O(elements that the step wrote).
std::optional<Space> changed_space(const Cursor& now, const Cursor* baseline, Space shown);

}  // namespace kdscope
