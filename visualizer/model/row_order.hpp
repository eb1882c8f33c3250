#pragma once
// Which points the cells of a row by position stand for. A builder may keep one order of the points for all rows, or
// one per dimension (ArrayInfo::dimension). In the second case, a position stands for a different point in each order.

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

/// Returns the step whose order says which points the cells of a row stand for, seen from `step`. This is the step that
/// last wrote the row if the order has changed since, otherwise `step` itself. Work O(log versions).
std::uint32_t step_of_order(const Trace::Array& row, const Trace::Array& order, std::uint32_t step);

/// Returns the order of the dimension whose arrays a step works on, as a highlight of Role::read in Space::dimension
/// names it; otherwise null.
const Trace::Array* order_read_by(const Trace& trace, const Step& step);

/// Returns the orders of the points against which a row is read, or against which its cells move, at a step: that of
/// the step that wrote the row or of the row's dimension, and that of the trace. None for rows that name their points.
std::vector<const Trace::Array*> orders_read_with(const Trace& trace, const Trace::Array& row, std::uint32_t step);

/// Returns the array of nodes for a list by position that does not follow the trace's order: the row's declared owner,
/// or null.
const Trace::Array* nodes_of_list(const Trace& trace, const ArrayInfo& row);

/// The order of one row at a cursor's step; valid until the cursor moves.
///
/// A cell of an array position -> point stands for the point that it names. A cell of a derived row stands for the
/// point through which it is gathered. Any other cell stands for the point that the first array position -> point of
/// the row's dimension names. If the row has no dimension, that is the dimension on which the step that last wrote the
/// row worked. If the order has changed since the row was written, the row is read against the order as it was then.
class RowOrder {
 public:
  /// `info` describes an array by position. Work O(1), or O(n) if the row is older than its order.
  RowOrder(const Cursor& cursor, const ArrayInfo& info);
  std::optional<PointId> point(std::uint64_t position) const;
  /// Returns the node of the point at a position. The newest row of nodes of the dimension decides, or otherwise that
  /// of all dimensions. If the row has another order than the nodes, the first call costs O(n).
  std::optional<NodeId> node(std::uint64_t position) const;
  /// Returns the positions whose cells stand for these points (ascending ids), ascending and disjoint. Work O(n log
  /// points).
  std::vector<IndexRange> positions_of(std::span<const std::uint32_t> points) const;
  /// Returns position -> point as the row is read, or null if it is unknown.
  const TypedArray* points() const { return points_; }

 private:
  const TypedArray* points_ = nullptr;  // position -> point: a live array, or then_
  std::shared_ptr<const TypedArray> then_;
  const TypedArray* nodes_ = nullptr;        // position -> node, at positions of nodes_order_
  const TypedArray* other_nodes_ = nullptr;  // used where nodes_ has no node
  const TypedArray* nodes_order_ = nullptr;
  mutable std::vector<std::uint32_t> position_of_point_;  // in nodes_order_, filled on first use
};

}  // namespace kdscope
