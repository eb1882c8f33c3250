#pragma once
// Arrays as the paper prints them: rows are arrays, columns are indices. Cells are made when they are looked at.

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
  std::string label;   ///< as shown: the symbol, and how the cells are written where that needs saying
  std::string symbol;  ///< as the source prints it
  Space index_space = Space::position;
  Space value_space = Space::none;
  std::uint32_t component = 0;  ///< of arrays with several components, one row each
  std::uint32_t components = 1;
  std::uint64_t size = 0;           ///< cells that this row has at this step
  std::uint32_t dimension = no_id;  ///< to which the row belongs; no_id: to none
};

/// What one cell shows.
struct TableCell {
  std::string text;                ///< empty where the row has no such element
  std::optional<NodeId> node;      ///< the subtree it belongs to
  std::optional<TreePlace> place;  ///< of that subtree; its colour is subtree_colour(theme, *place)
  bool pivot = false;
  bool settled = false;
  bool segment = false;                              ///< inside a highlighted segment
  bool segment_first = false, segment_last = false;  ///< at its ends
  bool read = false, written = false, compared = false;
  bool changed = false;    ///< differs from the baseline, or is new
  std::string old_text;    ///< what it was; empty when new or unchanged
  bool violating = false;  ///< violates a check of the step; in the index row: an element of the column does
};

/// The arrays of one step whose indices share a space. Refers to the cursors: rebuild it after either moved. Building
/// costs O(highlighted ranges); a cell costs O(log ranges + depth of the tree).
class ArrayTable {
 public:
  /// `baseline` is what cells are compared with, usually a cursor one step before; null: nothing counts as changed.
  /// `space`: rows of this index space only (position is the paper's table; node or dimension give others).
  /// `axes`: of many dimensions the rows of these alone (shows_dimension()); none: all rows.
  /// `added`: highlights beside those of the step, as a lesson gives them.
  explicit ArrayTable(const Cursor& now, const Cursor* baseline = nullptr, Space space = Space::position,
                      const std::optional<Axes>& axes = {}, std::span<const Highlight> added = {});

  const std::vector<TableRow>& rows() const { return rows_; }
  const Cursor* baseline() const { return baseline_; }
  /// Returns whether the baseline is a state of another run.
  bool compares_runs() const { return baseline_ && &baseline_->trace() != &now_->trace(); }
  std::uint64_t column_count() const { return columns_; }
  /// How many dimensions have rows that are left out.
  std::uint32_t hidden_dimensions() const { return hidden_dimensions_; }
  TableCell cell(std::size_t row, std::uint64_t column) const;
  /// The columns in which an element violates a check of the step, ascending, disjoint.
  const std::vector<IndexRange>& violating_columns() const;
  /// The columns with a role at this step, ascending by their begin.
  std::span<const IndexRange> columns_with(Role role) const;
  /// Columns of a row that differ from the baseline; O(row), for minimaps and for walking the changes.
  std::vector<IndexRange> changes(std::size_t row) const;
  /// The rows from the first to the last that the step wrote, as [begin, end): those that differ from the baseline,
  /// where any does. `with_context`: where they are of one dimension, from its first row on; and with the rows of the
  /// dimension that the step works on (order_read_by()). {0, 0}: none.
  std::pair<std::size_t, std::size_t> written_rows(bool with_context = true) const;
  /// The point that a cell stands for, to link selections; nullopt if unknown. In the index row that of all
  /// rows, where they agree.
  std::optional<PointId> point_at(std::size_t row, std::uint64_t column) const;
  /// Whether a column may stand for another point in each row: there is an order of the points for each dimension.
  bool has_orders() const { return has_orders_; }
  /// What the cells of a row by position stand for.
  const RowOrder& order_of(std::size_t row) const;
  /// Characters of the widest text of a row over the whole run; O(1), for fixed column widths. From the type and a
  /// sample of the first and the last values that the trace has. `shortened`: as shortened() writes them.
  std::size_t text_width(std::size_t row, bool shortened = false) const;
  /// Whether a row has numbers with fractions, which may be written in fewer digits.
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

/// A cell's text in four significant digits; whole numbers and what is no number stay as they are.
std::string shortened(const std::string& text);

/// Index spaces for which a trace has rows to show, the paper's (position) first.
std::vector<Space> table_spaces(const Trace& trace);
/// The first of them with a row that the step changed, `shown` where that has one; none where no table shows anything
/// of the step. As written_rows(), without `baseline` all that it wrote. Work O(elements that the step wrote).
std::optional<Space> changed_space(const Cursor& now, const Cursor* baseline, Space shown);

}  // namespace kdscope
