#pragma once
// The points that the cells of a row indexed by position represent. A builder may keep one order of the points for all
// rows, or one per dimension (ArrayInfo::dimension); then a position is a different point in each dimension.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns whether the trace keeps separate orders of the points for single dimensions.
bool has_orders_by_dimension(const Trace& trace);

/// Returns the step whose order gives the points of a row indexed by position when the row is shown at `step`: the step
/// that last wrote the row if the order has changed since, else `step`. Work O(log versions).
std::uint32_t step_of_order(const Trace::Array& row, const Trace::Array& order, std::uint32_t step);

/// Returns the order of the dimension on whose arrays a step works, as named by a highlight of Role::read in
/// Space::dimension; null if there is none.
const Trace::Array* order_read_by(const Trace& trace, const Step& step);

/// Returns the row's declared owner, which gives the nodes of the elements of a list that is separate from the trace's
/// order; null if there is none.
const Trace::Array* nodes_of_list(const Trace& trace, const ArrayInfo& row);

/// The order of one row at a cursor's step; valid until the cursor moves.
///
/// A cell of a position -> point row represents the point that it names, and a cell of a gathered row the point through
/// which it is gathered. Any other cell represents the point that the first position -> point array of its own
/// dimension names; for a row of no dimension, this is the dimension on which the step that last wrote the row worked.
/// A row that was written before that order changed is read with the order as it was then.
class RowOrder {
 public:
  /// `info` describes an array indexed by position. Work O(1), or O(n) if the row is older than its order.
  RowOrder(const Cursor& cursor, const ArrayInfo& info);
  std::optional<PointId> point(std::uint64_t position) const;
  /// Returns the node of the point at a position, from the dimension's own row of nodes if that is as new as the order,
  /// else from the row of nodes for all dimensions. The first call costs O(n) if the row's order is not that of the
  /// nodes.
  std::optional<NodeId> node(std::uint64_t position) const;
  /// Returns the positions whose cells represent the given points (ascending ids); ascending, disjoint. Work O(n log
  /// points).
  std::vector<IndexRange> positions_of(std::span<const std::uint32_t> points) const;
  /// Returns the position -> point array in use; null if unknown.
  const TypedArray* points() const { return points_; }

 private:
  const TypedArray* points_ = nullptr;  // position -> point: the cursor's own array, or then_
  std::shared_ptr<const TypedArray> then_;
  const TypedArray* nodes_ = nullptr;        // position -> node, positions of nodes_order_
  const TypedArray* other_nodes_ = nullptr;  // used where nodes_ has none
  const TypedArray* nodes_order_ = nullptr;
  mutable std::vector<std::uint32_t> position_of_point_;  // in nodes_order_; set on first use
};

}  // namespace kdscope
