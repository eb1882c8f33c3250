#pragma once
// The arrays of a step as the paper prints them: rows are arrays, columns are indices. Cells are computed on demand.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// One row. The first row of a table is the index itself: its name is empty, and its label is the name of the table's
/// space: "position", "point", "node". Points read "p7" in it and in rows whose values are points.
struct TableRow {
  std::string name;    ///< the array's name; empty for the index row
  std::string label;   ///< the symbol, followed by the format of the cells where readers need it (", binary")
  std::string symbol;  ///< as the source prints it
  Space index_space = Space::position;
  Space value_space = Space::none;
  std::uint32_t component = 0;  ///< component of the array; each component has its own row
  std::uint32_t components = 1;
  std::uint64_t size = 0;           ///< number of cells that this row has at this step
  std::uint32_t dimension = no_id;  ///< dimension to which the row belongs, or no_id
  bool concealed = false;           ///< its values are hidden: every cell reads concealed_text
};

/// Names a row: an array and one of its components.
struct RowName {
  std::string array;
  std::uint32_t component = 0;

  auto operator<=>(const RowName&) const = default;
};

/// The contents and marks of one cell.
struct TableCell {
  std::string text;                ///< empty if the row has no such element
  std::optional<NodeId> node;      ///< subtree to which it belongs
  std::optional<TreePlace> place;  ///< place of that subtree; the colour is subtree_colour(theme, *place)
  bool pivot = false;
  bool settled = false;
  bool segment = false;                              ///< inside a highlighted segment
  bool segment_first = false, segment_last = false;  ///< at the first or last element of one
  bool read = false, written = false, compared = false;
  bool changed = false;    ///< differs from the baseline, or is new
  std::string old_text;    ///< text in the baseline; empty if the cell is new or unchanged. Of a hidden value that was
                           ///< written since Concealment::before: the text there
  bool violating = false;  ///< violates a check of the step; in the index row: an element of this column does
};

/// The arrays of one step whose indices share a space. The table refers to the cursors, so rebuild it after either
/// moves. Building costs O(highlighted ranges); a cell costs O(log ranges + depth of the tree).
class ArrayTable {
 public:
  /// `baseline` is the state that cells are compared with, usually a cursor one step before. If it is null, no cell
  /// counts as changed. `space` selects the rows of one index space: position gives the paper's table, node or
  /// dimension give others. `axes` limits data of many dimensions to the rows of these dimensions (see
  /// shows_dimension()); without it, all rows are shown. `added` holds highlights beside those of the step, for
  /// instance those of a lesson. `concealed` hides values, marks, and the subtrees to which cells belong. `only` names
  /// the rows that are wanted; if it is empty, all are. There are as many columns in either case.
  explicit ArrayTable(const Cursor& now, const Cursor* baseline = nullptr, Space space = Space::position,
                      const std::optional<Axes>& axes = {}, std::span<const Highlight> added = {},
                      const Concealment& concealed = {}, std::span<const RowName> only = {});

  const std::vector<TableRow>& rows() const { return rows_; }
  const Cursor* baseline() const { return baseline_; }
  /// Returns whether the baseline is the state one step before.
  bool compares_steps() const { return baseline_ && !compares_runs() && baseline_->step() + 1 == now_->step(); }
  /// Returns whether the baseline is a state of another run.
  bool compares_runs() const { return baseline_ && &baseline_->trace() != &now_->trace(); }
  std::uint64_t column_count() const { return columns_; }
  /// Returns the number of dimensions whose rows are hidden.
  std::uint32_t hidden_dimensions() const { return hidden_dimensions_; }
  TableCell cell(std::size_t row, std::uint64_t column) const;
  /// Returns the value of a cell; NaN if it is concealed, or there is none. Not for the index row.
  double number(std::size_t row, std::uint64_t column) const {
    return rows_[row].concealed ? std::numeric_limits<double>::quiet_NaN() : now_rows_[row].number(column);
  }
  /// Returns a node's parent; no_id if it has none.
  NodeId parent_of(NodeId node) const { return {node.value < nodes_.size() ? nodes_.parent(node.value) : no_id}; }
  TreePlace place_of_node(NodeId node) const;
  /// Returns whether the value of a cell differs from the baseline.
  bool is_changed(std::size_t row, std::uint64_t column) const;
  /// Returns whether all values of a row, of two or more, differ from the baseline, or nine tenths of a long one: its
  /// name is marked in place of its cells. Work O(1): long rows are sampled.
  bool is_mostly_changed(std::size_t row) const;
  /// Returns the columns in which an element violates a check of the step, ascending and disjoint.
  const std::vector<IndexRange>& violating_columns() const;
  /// Returns the columns with a role at this step, in ascending order of their first index.
  std::span<const IndexRange> columns_with(Role role) const;
  /// Returns the columns of a row that differ from the baseline, for minimaps and for walking through the changes. Work
  /// O(row).
  std::vector<IndexRange> changes(std::size_t row) const;
  /// Returns the rows from the first to the last that the step wrote, as [begin, end). If any of them differ from the
  /// baseline, only those count. `with_context` widens the range: if all these rows belong to one dimension, the range
  /// starts at that dimension's first row, and it includes the rows of the dimension on which the step works
  /// (order_read_by()). Returns {0, 0} if there are none.
  std::pair<std::size_t, std::size_t> written_rows(bool with_context = true) const;
  /// Returns the point that a cell stands for, so that selections can be linked, or nullopt if it is unknown. In the
  /// index row, this is the point of all rows if they agree.
  std::optional<PointId> point_at(std::size_t row, std::uint64_t column) const;
  /// Returns whether a column may stand for a different point in each row, because each dimension has its own order of
  /// the points.
  bool has_orders() const { return has_orders_; }
  /// Returns whether a step's pivot stands at a cell. Where orders differ, the same pivot stands in another column of
  /// each.
  bool is_pivot(std::size_t row, std::uint64_t column) const;
  /// Returns the order that says which points the cells of a row by position stand for.
  const RowOrder& order_of(std::size_t row) const;
  /// Returns the number of characters in the widest text of a row over the whole run, for fixed column widths. Work
  /// O(1): the width follows from the type and from a sample of the first and last values in the trace. Texts count as
  /// shown_real() writes them.
  std::size_t text_width(std::size_t row, bool shortened = false) const;
  /// Returns whether a row holds fractional numbers, which may be written with fewer digits.
  bool is_real(std::size_t row) const;

 private:
  struct Ranges {
    std::vector<IndexRange> ranges;  // ascending
    const IndexRange* find(std::uint64_t index) const;
  };
  std::string text_at(const Cursor& cursor, const RowReader& reader, std::size_t row, std::uint64_t column) const;
  std::string value_text(const RowReader& reader, std::size_t row, std::uint64_t column) const;
  std::optional<NodeId> node_before(std::size_t row, std::uint64_t column) const;
  bool is_of_list(const TableRow& row) const;
  std::optional<NodeId> node_at(std::size_t row, std::uint64_t column) const;

  const Cursor* now_;
  const Cursor* baseline_;
  Space space_;
  std::vector<TableRow> rows_;
  std::vector<RowReader> now_rows_;  // one reader per row
  std::vector<RowReader>
      baseline_rows_;          // the same; without a baseline, of hidden rows as they were, then of the nodes
  std::vector<bool> in_bits_;  // per row: whether its cells are written in binary
  std::vector<const ArrayInfo*> ordered_by_;  // per row: its array, or null if it has the index row's order
  NodeList nodes_;
  const TypedArray* node_of_point_ = nullptr;
  // Per row of a list that shares its space with others: the points or the nodes of its entries, or null
  std::vector<const TypedArray*> listed_points_, listed_nodes_;
  const TypedArray* node_of_column_ = nullptr;  // for lists of chunks, candidates and the like
  std::uint32_t listed_at_ = 0;                 // the step that made the list; older rows belong to another list
  std::uint64_t columns_ = 0;
  std::map<Role, Ranges> roles_;
  std::vector<PointId> pivots_;  // in ascending order, if orders differ
  std::map<std::string, Ranges, std::less<>>
      violating_;  // per array that a check names; the index row (empty name) has the ranges of all
  bool has_orders_ = false;
  bool nodes_hidden_ = false, points_hidden_ = false;
  std::uint32_t hidden_dimensions_ = 0;
  mutable std::vector<std::optional<RowOrder>> orders_;  // one per row by position, made on first use
  mutable std::vector<std::optional<bool>> mostly_changed_;
};

/// Returns a cell's text with at most five significant digits; one of few characters stays whole. If `shorter`, with
/// four, the digits of every text beside a table, or fewer where zeros in front of them would make it long. Integers
/// and texts that are not numbers stay as they are.
std::string shown_real(const std::string& text, bool shorter);

/// Returns the index spaces for which a trace has rows to show. The paper's (position) comes first.
std::vector<Space> table_spaces(const Trace& trace);
/// Returns the first of these spaces with a row that the step changed, but prefers `shown` if it has one. Returns
/// nullopt if no table shows a change of the step. As in written_rows(), every row that the step wrote counts if
/// `baseline` is null. Work O(elements that the step wrote).
std::optional<Space> changed_space(const Cursor& now, const Cursor* baseline, Space shown);

}  // namespace kdscope
