#include "visualizer/model/row_order.hpp"

#include <algorithm>

#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Returns the array from position to `value` of one dimension, or of none (no_id).
const Trace::Array* array_of_dimension(const Trace& trace, Space value, std::uint32_t dimension) {
  for (const Trace::Array& a : trace.arrays)
    if (a.info.index_space == Space::position && a.info.value_space == value && a.info.dimension == dimension &&
        a.info.components == 1 && !a.info.gather)
      return &a;
  return nullptr;
}

/// Returns the step at or before `step` that last wrote an array, or -1 if there is none.
std::int64_t last_written(const Trace::Array& array, std::uint32_t step) {
  const ArrayVersion* version = version_at(array, step);
  return version ? std::int64_t{version->step} : -1;
}

const TypedArray* as_ids(const TypedArray* array) {
  return array && array->type() == ElementType::uint32 ? array : nullptr;
}

std::uint32_t id_at(const TypedArray* array, std::uint64_t index) {
  return array && index < array->size() ? array->as<std::uint32_t>()[index] : no_id;
}

}  // namespace

bool has_orders_by_dimension(const Trace& trace) {
  return std::any_of(trace.arrays.begin(), trace.arrays.end(), [](const Trace::Array& a) {
    return a.info.dimension != no_id && a.info.index_space == Space::position && a.info.value_space == Space::point;
  });
}

std::uint32_t step_of_order(const Trace::Array& row, const Trace::Array& order, std::uint32_t step) {
  const std::int64_t written = last_written(row, step);
  if (written < 0 || written >= last_written(order, step)) return step;
  const auto then = static_cast<std::uint32_t>(written);
  return last_written(order, then) < 0 ? step : then;
}

const Trace::Array* order_read_by(const Trace& trace, const Step& step) {
  for (const Highlight& h : step.highlights)
    if (h.role == Role::read && h.space == Space::dimension && !h.ranges.empty())
      return array_of_dimension(trace, Space::point, static_cast<std::uint32_t>(h.ranges[0].begin));
  return nullptr;
}

std::vector<const Trace::Array*> orders_read_with(const Trace& trace, const Trace::Array& row, std::uint32_t step) {
  std::vector<const Trace::Array*> orders;
  if (row.info.index_space != Space::position || row.info.gather) return orders;
  const std::int64_t written = row.info.dimension == no_id ? last_written(row, step) : -1;
  const Trace::Array* const read_by_writer =
      written < 0 ? nullptr : order_read_by(trace, trace.steps[static_cast<std::size_t>(written)]);
  for (const Trace::Array* order :
       {read_by_writer ? read_by_writer : array_of_dimension(trace, Space::point, row.info.dimension),
        array_of_dimension(trace, Space::point, no_id)})
    if (order && order != &row && std::ranges::find(orders, order) == orders.end()) orders.push_back(order);
  return orders;
}

const Trace::Array* nodes_of_list(const Trace& trace, const ArrayInfo& row) {
  const Trace::Array* nodes = trace.find(row.owner);
  return nodes && nodes->info.index_space == Space::position && nodes->info.value_space == Space::node &&
                 nodes->info.components == 1
             ? nodes
             : nullptr;
}

RowOrder::RowOrder(const Cursor& cursor, const ArrayInfo& info) {
  const Trace& trace = cursor.trace();
  const std::uint32_t step = cursor.step();
  const Trace::Array *row = trace.find(info.name), *order = array_of_dimension(trace, Space::point, info.dimension);
  const std::int64_t written = row && info.dimension == no_id ? last_written(*row, step) : -1;
  const Trace::Array* worked_on =
      written < 0 ? nullptr : order_read_by(trace, trace.steps[static_cast<std::size_t>(written)]);
  if (worked_on) order = worked_on;
  const bool names_points = info.value_space == Space::point && info.components == 1;
  const TypedArray* now = order ? as_ids(cursor.array(order->info.name)) : nullptr;
  if (info.gather) {
    points_ = as_ids(cursor.array(info.gather->through));
  } else if (names_points) {
    points_ = as_ids(cursor.array(info.name));
  } else if (points_ = now; now && (info.dimension != no_id || worked_on)) {
    if (const std::uint32_t as_of = row ? step_of_order(*row, *order, step) : step; as_of < step) {
      then_ = std::make_shared<const TypedArray>(contents_at(*order, as_of));
      points_ = then_.get();
    }
  }
  const Trace::Array* own_list = nodes_of_list(trace, info);
  const Trace::Array* all = own_list ? own_list : array_of_dimension(trace, Space::node, no_id);
  if (own_list && info.dimension == no_id && !names_points && !info.gather)
    if (const Trace::Array* list = trace.find(info.order);
        list && list->info.index_space == Space::position && list->info.value_space == Space::point)
      points_ = as_ids(cursor.array(list->info.name));
  other_nodes_ = all ? as_ids(cursor.array(all->info.name)) : nullptr;
  // Points have moved since the row was written, or the row names no point and leaves a gap.
  if (worked_on && (then_ || names_points)) other_nodes_ = nullptr;
  nodes_order_ = points_;
  if (info.dimension == no_id || !now) return;
  nodes_order_ = now;
  const Trace::Array* own = array_of_dimension(trace, Space::node, info.dimension);
  if (own && last_written(*own, step) >= last_written(*order, step)) nodes_ = as_ids(cursor.array(own->info.name));
}

std::optional<PointId> RowOrder::point(std::uint64_t position) const {
  const std::uint32_t point = id_at(points_, position);
  return point == no_id ? std::nullopt : std::optional(PointId{point});
}

std::optional<NodeId> RowOrder::node(std::uint64_t position) const {
  std::uint64_t at = position;
  if (nodes_order_ != points_) {
    if (position_of_point_.empty()) {
      const auto order = nodes_order_->as<std::uint32_t>();
      position_of_point_.assign(order.size(), no_id);
      for (std::uint32_t i = 0; i < order.size(); ++i)
        if (order[i] < order.size()) position_of_point_[order[i]] = i;
    }
    const std::uint32_t point = id_at(points_, position);
    if (point != no_id) at = point < position_of_point_.size() ? position_of_point_[point] : no_id;
  }
  std::uint32_t node = id_at(nodes_, at);
  if (node == no_id) node = id_at(other_nodes_, at);
  return node == no_id ? std::nullopt : std::optional(NodeId{node});
}

std::vector<IndexRange> RowOrder::positions_of(std::span<const std::uint32_t> points) const {
  std::vector<IndexRange> positions;
  if (!points_ || points.empty()) return positions;
  const auto order = points_->as<std::uint32_t>();
  for (std::uint64_t i = 0; i < order.size(); ++i) {
    if (!std::binary_search(points.begin(), points.end(), order[i])) continue;
    if (!positions.empty() && positions.back().end == i)
      ++positions.back().end;
    else
      positions.push_back({i, i + 1});
  }
  return positions;
}

}  // namespace kdscope
