#pragma once
// The points that the cells of a row by position stand for. A builder may keep one order of the points for all rows, or
// one per dimension (ArrayInfo::dimension). Then a position stands for a different point in each.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns whether the trace keeps an order of the points per dimension.
bool has_orders_by_dimension(const Trace& trace);

/// The step as of whose order the cells of a row by position stand for points, seen from a step: the step that wrote
/// the row last, where the order has moved on since, else this one. Work O(log versions).
std::uint32_t step_of_order(const Trace::Array& row, const Trace::Array& order, std::uint32_t step);

/// The order of the dimension whose arrays a step works on, as named by a highlight of Role::read in
/// Space::dimension; else null.
const Trace::Array* order_read_by(const Trace& trace, const Step& step);

/// The nodes of the elements of a list by position that is apart from the trace's order: the row's declared owner; else
/// null.
const Trace::Array* nodes_of_list(const Trace& trace, const ArrayInfo& row);

/// The order of one row at a cursor's step; valid until the cursor moves.
///
/// A cell of position -> point stands for the point that it names, a derived one for the point that it is gathered
/// through, any other for what the first array of position -> point of its own dimension names; of no dimension, of the
/// one that the step which wrote it last has worked on. A row that was written before that order moved on is read
/// against the order as it was then.
class RowOrder {
 public:
  /// `info` of an array by position. Work O(1); O(n) where the row is older than its order.
  RowOrder(const Cursor& cursor, const ArrayInfo& info);
  std::optional<PointId> point(std::uint64_t position) const;
  /// The node to which the newest row of nodes of the dimension gives the point there, else that of all dimensions. The
  /// first question of a row whose order is another than that of the nodes costs O(n).
  std::optional<NodeId> node(std::uint64_t position) const;
  /// Where cells stand for points (ascending ids); ascending, disjoint. Work O(n log points).
  std::vector<IndexRange> positions_of(std::span<const std::uint32_t> points) const;
  /// Position -> point as it is read; null if unknown.
  const TypedArray* points() const { return points_; }

 private:
  const TypedArray* points_ = nullptr;  // position -> point, live, or what follows
  std::shared_ptr<const TypedArray> then_;
  const TypedArray* nodes_ = nullptr;        // position -> node, positions of nodes_order_
  const TypedArray* other_nodes_ = nullptr;  // where that has none
  const TypedArray* nodes_order_ = nullptr;
  mutable std::vector<std::uint32_t> position_of_point_;  // in nodes_order_, once asked for
};

}  // namespace kdscope
