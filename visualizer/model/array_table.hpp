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

/// One row. The first row of a table is the array index itself: name empty, label "array index".
struct TableRow {
  std::string name;    ///< of the array; empty for the index row
  std::string label;   ///< as shown: the symbol, and the notation of the cells if it is not obvious
  std::string symbol;  ///< as the source prints it
  Space index_space = Space::position;
  Space value_space = Space::none;
  std::uint32_t component = 0;  ///< of arrays with several components, one row each
  std::uint32_t components = 1;
  std::uint64_t size = 0;           ///< number of cells at this step
  std::uint32_t dimension = no_id;  ///< that the row belongs to; no_id: none
};

/// The contents and marks of one cell.
struct TableCell {
  std::string text;                ///< empty if the row has no such element
  std::optional<NodeId> node;      ///< the subtree it belongs to
  std::optional<TreePlace> place;  ///< of that subtree; its colour is subtree_colour(theme, *place)
  bool pivot = false;
  bool settled = false;
  bool segment = false;                              ///< inside a highlighted segment
  bool segment_first = false, segment_last = false;  ///< at its ends
  bool read = false, written = false, compared = false;
  bool changed = false;    ///< differs from the baseline, or is new
  std::string old_text;    ///< the text at the baseline; empty if the element is new or unchanged
  bool violating = false;  ///< violates a check of the step; in the index row, an element of the column does
};

/// The arrays of one step whose indices share a space. Refers to the cursors, and is valid until either moves. Building
/// it costs O(highlighted ranges); a cell costs O(log ranges + depth of the tree).
class ArrayTable {
 public:
  /// `baseline`: the state that cells are compared with, usually one step before; null: nothing counts as changed.
  /// `space`: rows of this index space only (position is the paper's table; node or dimension give others).
  /// `axes`: with many dimensions, only the rows of these (shows_dimension()); none: all rows.
  /// `added`: further highlights, for example those of a lesson.
  explicit ArrayTable(const Cursor& now, const Cursor* baseline = nullptr, Space space = Space::position,
                      const std::optional<Axes>& axes = {}, std::span<const Highlight> added = {});

  const std::vector<TableRow>& rows() const { return rows_; }
  const Cursor* baseline() const { return baseline_; }
  /// Returns whether the baseline is a state of another run.
  bool compares_runs() const { return baseline_ && &baseline_->trace() != &now_->trace(); }
  std::uint64_t column_count() const { return columns_; }
  /// Returns the number of dimensions whose rows are left out.
  std::uint32_t hidden_dimensions() const { return hidden_dimensions_; }
  TableCell cell(std::size_t row, std::uint64_t column) const;
  /// Returns the columns with an element that violates a check of the step. Ascending, disjoint.
  const std::vector<IndexRange>& violating_columns() const;
  /// Returns the columns with a role at this step, ascending by begin.
  std::span<const IndexRange> columns_with(Role role) const;
  /// Returns the columns of a row that differ from the baseline, for minimaps and for the walk over changes. Work
  /// O(row).
  std::vector<IndexRange> changes(std::size_t row) const;
  /// Returns the range [begin, end) of rows from the first to the last that the step wrote. If some of them differ from
  /// the baseline, only these count. `with_context`: if they belong to one dimension, the range starts at its first
  /// row, and it includes the rows of the dimension that the step works on (order_read_by()). {0, 0}: none.
  std::pair<std::size_t, std::size_t> written_rows(bool with_context = true) const;
  /// Returns the point that a cell stands for, to link selections; nullopt if unknown. In the index row, the point on
  /// which all rows agree.
  std::optional<PointId> point_at(std::size_t row, std::uint64_t column) const;
  /// Returns whether a column may stand for a different point in each row, because each dimension has its own order.
  bool has_orders() const { return has_orders_; }
  /// Returns the points that the cells of a row by position stand for.
  const RowOrder& order_of(std::size_t row) const;
  /// Estimates the widest text of a row over the whole run, in characters, for fixed column widths. Uses the type and a
  /// sample of the first and last values of the trace. `shortened`: for texts of shortened(). Work O(1).
  std::size_t text_width(std::size_t row, bool shortened = false) const;
  /// Returns whether a row has fractions, which can be shown with fewer digits.
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
  std::vector<bool> in_bits_;                        // of each row: its cells are written in binary
  const TypedArray* node_of_column_ = nullptr;  // of lists of chunks, candidates and the like
  std::uint32_t listed_at_ = 0;                 // the step that made the list; older rows are of another one
  std::uint64_t columns_ = 0;
  std::map<Role, Ranges> roles_;
  std::map<std::string, Ranges, std::less<>>
      violating_;  // of each array that a check names; of the index row: of all of them
  bool has_orders_ = false;
  std::uint32_t hidden_dimensions_ = 0;
  mutable std::vector<std::optional<RowOrder>> orders_;  // of each row by position, once asked for
};

/// Returns a cell's text with four significant digits. Whole numbers and other texts stay unchanged.
std::string shortened(const std::string& text);

/// Returns the index spaces for which a trace has rows, position first.
std::vector<Space> table_spaces(const Trace& trace);
/// Returns the first index space with a row that the step changed, or `shown` if it has one; nullopt if no table shows
/// a change of the step. Without `baseline`, every written row counts, as in written_rows(). Work O(elements that the
/// step wrote).
std::optional<Space> changed_space(const Cursor& now, const Cursor* baseline, Space shown);

}  // namespace kdscope
