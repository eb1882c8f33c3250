#pragma once
// Linked selection: one picked element, resolved in every index space at the current step.

#include <optional>
#include <vector>

#include "app/session/session.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/plane_mark.hpp"

namespace kdscope {

/// A selection resolved at a step. A node stands for its points, a cell of counts for the points that it counts, and an
/// element of any other space for the points whose rows name it.
struct LinkedSelection {
  std::vector<IndexRange> positions;  ///< ascending, disjoint
  std::vector<std::uint32_t> points;  ///< ascending
  std::vector<std::uint32_t> nodes;   ///< ascending: those that the points belong to
  /// The one node that stands for everything selected: the node itself, that of the point or the segment. Of positions,
  /// the node that the step names for them, or whose subtree holds exactly the points there; none where there is no
  /// such node.
  std::optional<std::uint32_t> node;
  std::vector<std::uint32_t> triangles;  ///< ascending
  std::optional<PlaneMark> plane;        ///< where a candidate would split
};

/// Resolves a selection through the trace's arrays. An array with index space A and value space B links the two.
/// Work O(n) for points, nodes, cells and others, O(1) for a position, O(count + nodes) for a segment.
LinkedSelection resolve_selection(const Cursor& cursor, const Selection& selection);

/// Resolves several picked elements. Leaves out elements that this trace does not have. Work
/// O(n) per point, position and triangle if there are at most 16; of more, no elements that they stand for are found.
LinkedSelection resolve_elements(const Cursor& cursor, const SelectedElements& elements);

/// Removes the links that would reveal what is hidden: between positions and points, and to nodes. What is selected
/// itself stays: `selection` or, if it is nothing, `elements`.
void leave_out(LinkedSelection& linked, const Concealment& concealed, const Cursor& cursor, const Selection& selection,
               const SelectedElements& elements);

/// Returns the indices of a space that a table of that space, or the tree, marks. Ascending, disjoint.
std::vector<IndexRange> indices_in(const Cursor& cursor, const Selection& selection, const LinkedSelection& linked,
                                   Space space);

/// The same for each row of a table: where positions are those of a dimension's own order, each row shows the selected
/// points where they stand in its order, and the index row what stands at the same positions in all. One list for all
/// rows where a column means the same in each.
std::vector<std::vector<IndexRange>> columns_in(const ArrayTable& table, const Cursor& cursor,
                                                const Selection& selection, const LinkedSelection& linked, Space space);
/// The selection that a click on a cell means: where rows have orders of their own the point that it stands for, or its
/// node; else its index.
Selection selection_of_cell(const ArrayTable& table, Space space, std::size_t row, std::uint64_t column);

/// The marks of a selection in the view of space and in the tree.
struct SelectionMarks {
  std::vector<std::uint32_t> triangles;  ///< outlined, ascending
  std::optional<PlaneMark> plane;        ///< a split that the builder evaluated
  std::vector<PointId> points;           ///< ringed, ascending
  std::optional<NodeId> framed;          ///< the cell that is framed, if more than a point is selected
  std::vector<NodeId> nodes;             ///< framed in the tree, ascending
};
SelectionMarks marks_of(const Selection& selection, const LinkedSelection& linked);

/// Returns the selection that survives a move to another step. If a list is rebuilt between the two steps, an index
/// into it, such as that of a chunk, means another element there, so the node to which the element belonged is selected
/// instead. The same applies to positions that are a node's segment at the step where they were selected. Other
/// positions are kept. Work O(n) for a segment.
Selection carried_over(const Cursor& from, const Selection& selection, std::uint32_t to);

/// Returns the selection that survives a step: a single position becomes the point at it, so that the mark follows the
/// point.
Selection persist_as_point(const Cursor& cursor, Selection selection);

/// The first element that violates a check, as what a click on it selects; none where the check names none, or no table
/// shows it.
std::optional<Selection> selection_of_violation(const Trace& trace, const CheckResult& check);

/// The segment of the step in which an index lies: the shortest of those that it highlights, where it highlights any.
std::optional<Selection> segment_at(const Cursor& cursor, Space space, std::uint64_t index);

}  // namespace kdscope
