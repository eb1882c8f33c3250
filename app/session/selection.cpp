#include "app/session/selection.hpp"

#include <algorithm>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/model/split_candidates.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// The first array that maps `from` to `to` and has elements, else the first that is written; not written when the
/// trace has none.
RowReader map_between(const Cursor& cursor, Space from, Space to) {
  RowReader empty;
  for (const Trace::Array& array : cursor.trace().arrays) {
    const ArrayInfo& info = array.info;
    if (info.index_space != from || info.value_space != to || info.components != 1 || info.gather) continue;
    RowReader contents(cursor, info.name);
    if (contents.size() > 0) return contents;
    if (!empty) empty = contents;
  }
  return empty;
}

/// The order of the first dimension that has one: a stretch of positions of every order is of the same points there.
RowReader first_order_by_dimension(const Cursor& cursor) {
  for (const Trace::Array& array : cursor.trace().arrays)
    if (const ArrayInfo& info = array.info; info.dimension != no_id && info.index_space == Space::position &&
                                            info.value_space == Space::point && info.components == 1 && !info.gather)
      if (const RowReader order(cursor, info.name); !order || order.size() > 0) return order;
  // Every order is empty by now: what is listed elsewhere.
  return map_between(cursor, Space::position, Space::point);
}

/// Ids collected in any order; asked once they are complete.
class IdSet {
 public:
  void add(std::uint32_t id) {
    if (id != no_id) ids_.push_back(id);
  }
  bool empty() const { return ids_.empty(); }
  /// Ascending, each once. Ids that lie close together are marked rather than sorted.
  const std::vector<std::uint32_t>& complete() {
    if (ids_.empty() || std::is_sorted(ids_.begin(), ids_.end(), std::less_equal<>())) return ids_;
    constexpr std::size_t close = 1u << 24;
    const std::uint32_t largest = *std::max_element(ids_.begin(), ids_.end());
    if (largest > 16 * ids_.size() + close) {
      std::sort(ids_.begin(), ids_.end());
      ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
      return ids_;
    }
    marks_.assign(largest + std::size_t(1), false);
    for (const std::uint32_t id : ids_) marks_[id] = true;
    ids_.clear();
    for (std::uint32_t id = 0; id <= largest; ++id)
      if (marks_[id]) ids_.push_back(id);
    return ids_;
  }
  bool has(std::uint32_t id) const {
    return marks_.empty() ? std::binary_search(ids_.begin(), ids_.end(), id) : id < marks_.size() && marks_[id];
  }

 private:
  std::vector<std::uint32_t> ids_;
  std::vector<bool> marks_;
};

void add(std::vector<IndexRange>& ranges, std::uint64_t index) {
  if (!ranges.empty() && ranges.back().end == index)
    ++ranges.back().end;
  else
    ranges.push_back({index, index + 1});
}

/// Calls with every index of a row that holds a value.
template <class Take>
void each_with_value(const RowReader& row, std::uint64_t value, Take take) {
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row.id(i) == value) take(static_cast<std::uint32_t>(i));
}

/// The node that a segment belongs to: the one that the step names for it, else the lowest one above all of its points,
/// if no other point is below it. nodes: of the segment's points, ascending.
std::optional<std::uint32_t> node_of_segment(const Cursor& cursor, const Selection& segment,
                                             const std::vector<std::uint32_t>& nodes) {
  for (const Highlight& h : cursor.current().highlights)
    for (std::size_t i = 0;
         h.role == Role::segment && h.space == segment.space && i < std::min(h.ranges.size(), h.nodes.size()); ++i)
      if (h.ranges[i] == IndexRange{segment.index, segment.index + segment.count}) return h.nodes[i];
  const NodeList list(cursor);
  if (nodes.empty() || nodes.back() >= list.size()) return std::nullopt;
  std::vector<std::uint32_t> path, rank(list.size(), no_id);  // from the first node to the root
  for (std::uint32_t at = nodes.front(); at < list.size() && rank[at] == no_id; at = list.parent(at)) {
    rank[at] = static_cast<std::uint32_t>(path.size());
    path.push_back(at);
  }
  std::uint32_t lowest = 0;
  for (const std::uint32_t node : nodes) {
    std::uint32_t at = node;
    for (std::size_t walked = 0; at < list.size() && rank[at] == no_id && walked < list.size(); ++walked)
      at = list.parent(at);
    if (at >= list.size() || rank[at] == no_id) return std::nullopt;
    lowest = std::max(lowest, rank[at]);
  }

  // Count the points below it; parents precede their children.
  const std::uint32_t top = path[lowest];
  std::vector<bool> below(list.size(), false);
  below[top] = true;
  for (std::uint32_t node = top + 1; node < list.size(); ++node)
    if (const std::uint32_t up = list.parent(node); up < node) below[node] = below[up];
  const RowReader owner(cursor, partition_arrays::node_of_point);
  std::uint64_t points = 0;
  for (std::size_t point = 0; point < owner.size(); ++point)
    points += owner.id(point) < list.size() && below[owner.id(point)];
  return points == segment.count ? std::optional(top) : std::nullopt;
}

}  // namespace

LinkedSelection resolve_selection(const Cursor& cursor, const Selection& selection) {
  LinkedSelection linked;
  if (!selection || cursor.step_count() == 0) return linked;
  const bool by_dimension = has_orders_by_dimension(cursor.trace());
  const Trace::Array* chosen = selection.space == Space::position ? cursor.trace().find(selection.array) : nullptr;
  const std::optional<RowOrder> order =
      chosen && by_dimension ? std::optional<RowOrder>(std::in_place, cursor, chosen->info) : std::nullopt;
  const RowReader point_at = order          ? RowReader(order->points())
                             : by_dimension ? first_order_by_dimension(cursor)
                                            : map_between(cursor, Space::position, Space::point),
                  node_at = map_between(cursor, Space::position, Space::node),
                  node_of(cursor, partition_arrays::node_of_point);
  const std::uint64_t index = selection.index;
  IdSet points, nodes;
  const auto take = [&](std::uint32_t point) { points.add(point); };

  if (selection.space == Space::position) {
    std::uint64_t length = std::max(point_at.size(), node_at.size());
    if (length == 0) length = cursor.trace().header.n;
    const std::uint64_t begin = std::min(index, length), end = begin + std::min(selection.count, length - begin);
    if (begin < end) linked.positions.push_back({begin, end});
    for (std::uint64_t position = begin; position < end; ++position) {
      take(point_at.id(position));
      if (!point_at || !node_of) nodes.add(node_at.id(position));
    }
  } else if (selection.space == Space::point) {
    take(static_cast<std::uint32_t>(std::min<std::uint64_t>(index, no_id)));
  } else if (selection.space == Space::node) {
    nodes.add(static_cast<std::uint32_t>(std::min<std::uint64_t>(index, no_id)));
    each_with_value(node_of, index, take);
    if (!node_of || !point_at || by_dimension)
      each_with_value(node_at, index, [&](std::uint32_t position) { add(linked.positions, position); });
  } else if (selection.space == Space::count) {
    const auto counts = CountArray::at(cursor, selection.array);
    if (!counts) return linked;
    const std::vector<std::uint64_t> elements = counts->elements(index);
    for (const std::uint64_t element : elements)
      if (const auto point = counts->point_of(element)) take(point->value);
    if (points.empty() && counts->element_space() == Space::position)
      for (const std::uint64_t element : elements) add(linked.positions, element);
  } else {
    const RowReader named = map_between(cursor, selection.space, Space::point),
                    owner(map_between(cursor, selection.space, Space::node)),
                    first(map_between(cursor, selection.space, Space::position));
    take(named.id(index));
    nodes.add(owner.id(index));
    // Positions by another index are where its stretches begin.
    if (const std::uint32_t begin = first.id(index); begin != no_id)
      if (const std::uint64_t end =
              index + 1 < first.size() ? first.id(index + 1) : std::max(point_at.size(), node_at.size());
          begin < end)
        linked.positions.push_back({begin, end});
    each_with_value(map_between(cursor, Space::point, selection.space), index, take);
    each_with_value(map_between(cursor, Space::position, selection.space), index, [&](std::uint32_t position) {
      if (point_at)
        take(point_at.id(position));
      else
        add(linked.positions, position);
    });
  }

  // A candidate, or one that was tried, stands for its plane.
  const RowReader tried = map_between(cursor, Space::evaluation, Space::candidate);
  if (const std::uint32_t candidate = selection.space == Space::candidate    ? static_cast<std::uint32_t>(index)
                                      : selection.space == Space::evaluation ? tried.id(index)
                                                                             : no_id;
      candidate != no_id) {
    const std::optional<NodeId> node =
        selection.space == Space::candidate ? node_of_candidate(cursor, candidate) : std::nullopt;
    if (node) nodes = IdSet(), nodes.add(node->value);
    const RowReader dim = map_between(cursor, Space::candidate, Space::dimension),
                    at(map_between(cursor, Space::evaluation, Space::node));
    const RowReader value = map_between(cursor, Space::candidate, Space::split_value);
    const std::uint32_t of = node ? node->value : selection.space == Space::evaluation ? at.id(index) : no_id;
    if (of != no_id && dim.id(candidate) != no_id && candidate < value.size())
      linked.plane = PlaneMark{NodeId{of}, dim.id(candidate), value.number(candidate)};
  }

  // Triangles by name, by the positions that list them, or by the node's mask.
  IdSet triangles;
  if (selection.space == Space::triangle)
    triangles.add(static_cast<std::uint32_t>(std::min<std::uint64_t>(index, no_id)));
  else if (selection.space == Space::candidate)
    triangles.add(map_between(cursor, Space::candidate, Space::triangle).id(index));
  else if (const RowReader triangle_at = map_between(cursor, Space::position, Space::triangle); triangle_at)
    for (const IndexRange& r : linked.positions)
      for (std::uint64_t i = r.begin; i < r.end; ++i) triangles.add(triangle_at.id(i));
  if (selection.space == Space::node && triangles.empty() &&
      array_between(cursor.trace(), Space::candidate, Space::triangle))
    for (const std::uint32_t triangle :
         primitives_by_mask(cursor, NodeId{static_cast<std::uint32_t>(std::min<std::uint64_t>(index, no_id))}))
      triangles.add(triangle);
  linked.triangles = triangles.complete();
  if (selection.space == Space::triangle && !linked.triangles.empty()) {
    for (const std::uint32_t node : nodes_with_primitive(cursor, linked.triangles.front())) nodes.add(node);
    if (nodes.empty())
      for (const IndexRange& r : linked.positions) nodes.add(node_at.id(r.begin));
  }

  linked.points = points.complete();
  if (node_of && selection.space != Space::node)
    for (const std::uint32_t point : linked.points) nodes.add(node_of.id(point));
  linked.nodes = nodes.complete();
  // Points may have moved since they were counted or named.
  if (linked.positions.empty() && !linked.points.empty())
    for (std::size_t i = 0; i < point_at.size(); ++i)
      if (points.has(point_at.id(i))) add(linked.positions, i);
  if (selection.space == Space::position && selection.count > 1)
    linked.node = node_of_segment(cursor, selection, linked.nodes);
  else if (linked.nodes.size() == 1)
    linked.node = linked.nodes.front();
  return linked;
}

void leave_out(LinkedSelection& linked, const Concealment& concealed, const Cursor& cursor, const Selection& selection,
               const SelectedElements& elements) {
  const Trace& trace = cursor.trace();
  if (selection && concealed.hides_points(trace)) {
    if (selection.space == Space::position)
      linked.points.clear();
    else
      linked.positions.clear();
  }
  if (!concealed.tree && !concealed.splits && !concealed.hides_nodes(trace)) return;
  if (selection.space == Space::node) {
    linked.points.clear();
    linked.positions.clear();
    linked.triangles.clear();
  } else {
    linked.nodes = selection ? std::vector<std::uint32_t>() : elements.nodes;
    linked.node.reset();
  }
}

std::vector<IndexRange> indices_in(const Cursor& cursor, const Selection& selection, const LinkedSelection& linked,
                                   Space space) {
  std::vector<IndexRange> indices;
  if (space == Space::position) return linked.positions;
  if (space == Space::point) {
    for (const std::uint32_t point : linked.points) add(indices, point);
  } else if (space == Space::node) {
    if (linked.node) return {{*linked.node, *linked.node + 1ull}};
    for (const std::uint32_t node : linked.nodes) add(indices, node);
  } else if (!selection) {
    return indices;
  } else if (space == selection.space && space != Space::count) {
    indices.push_back({selection.index, selection.index + 1});
  } else if (space == Space::triangle && !linked.triangles.empty()) {
    for (const std::uint32_t triangle : linked.triangles) add(indices, triangle);
  } else if (const RowReader named = map_between(cursor, selection.space, space);
             named && selection.space != Space::point && selection.space != Space::position) {
    if (named.id(selection.index) != no_id) add(indices, named.id(selection.index));
  } else if (const RowReader naming = map_between(cursor, space, selection.space);
             naming && selection.space != Space::count && selection.space != Space::position) {
    each_with_value(naming, selection.index, [&](std::uint32_t i) { add(indices, i); });
  } else if (space != Space::count) {
    IdSet values;
    const RowReader by_position = map_between(cursor, Space::position, space),
                    by_point(map_between(cursor, Space::point, space)),
                    by_node(map_between(cursor, Space::node, space));
    if (by_position) {
      for (const IndexRange& r : linked.positions)
        for (std::uint64_t i = r.begin; i < r.end; ++i) values.add(by_position.id(i));
    } else if (by_point) {
      for (const std::uint32_t point : linked.points) values.add(by_point.id(point));
    } else if (linked.node) {
      values.add(by_node.id(*linked.node));
    }
    for (const std::uint32_t value : values.complete()) add(indices, value);
    if (const RowReader of_node = map_between(cursor, space, Space::node); indices.empty() && linked.node)
      each_with_value(of_node, *linked.node, [&](std::uint32_t i) { add(indices, i); });
  }
  return indices;
}

std::vector<std::vector<IndexRange>> columns_in(const ArrayTable& table, const Cursor& cursor,
                                                const Selection& selection, const LinkedSelection& linked,
                                                Space space) {
  std::vector<std::vector<IndexRange>> rows{indices_in(cursor, selection, linked, space)};
  if (!table.has_orders() || !selection) return rows;
  const std::vector<IndexRange> common = std::move(rows[0]);
  rows.assign(table.rows().size(), {});
  // A node's points stand at the same positions in every order; rows that stand for no points of
  // their own show these.
  const bool of_all_rows =
      selection.space == Space::node || (selection.space == Space::position && selection.array.empty());
  if (of_all_rows) rows[0] = common;
  // A position that no order has a point for stays marked in the rows of its own order.
  const Trace::Array* chosen = cursor.trace().find(selection.array);
  const auto is_of_chosen = [&](std::size_t row) {
    return chosen && chosen->info.dimension == table.rows()[row].dimension;
  };
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const RowOrder& order = table.order_of(row);
    rows[row] = order.positions_of(linked.points);
    const bool at_positions =
        of_all_rows ? table.rows()[row].dimension == no_id : linked.points.empty() && is_of_chosen(row);
    if (at_positions && rows[row].empty()) rows[row] = common;
  }
  return rows;
}

Selection selection_of_cell(const ArrayTable& table, Space space, std::size_t row, std::uint64_t column) {
  if (!table.has_orders() || row == 0) return {space, column};
  if (const auto point = table.point_at(row, column)) return {Space::point, point->value};
  // A row that names no point names no node either.
  if (const auto node = table.rows()[row].value_space == Space::point ? std::nullopt : table.cell(row, column).node)
    return {Space::node, node->value};
  return {space, column, table.rows()[row].name};
}

LinkedSelection resolve_elements(const Cursor& cursor, const SelectedElements& elements) {
  LinkedSelection linked;
  for (const std::uint32_t point : elements.points)
    if (point < cursor.trace().header.n) linked.points.push_back(point);
  // A run that sorts the corners alone has no triangles to outline.
  const std::uint64_t triangle_count = cursor.row_size(triangles_array) / 3;
  for (const std::uint32_t triangle : elements.triangles)
    if (triangle < triangle_count) linked.triangles.push_back(triangle);
  for (const std::uint32_t point : linked.points)
    if (const auto node = node_of_point(cursor, {point})) linked.nodes.push_back(node->value);
  for (const std::uint32_t position : elements.positions)
    if (position < cursor.trace().header.n) add(linked.positions, position);
  for (const std::uint32_t node : elements.nodes)
    if (node < cursor.row_size(partition_arrays::parent)) linked.nodes.push_back(node);
  // Each look-up passes over the run's lists: the outlines of many triangles are enough.
  constexpr std::size_t most_looked_up = 16;
  if (linked.triangles.size() <= most_looked_up)
    for (const std::uint32_t triangle : linked.triangles)
      for (const std::uint32_t node : resolve_selection(cursor, {Space::triangle, triangle}).nodes)
        linked.nodes.push_back(node);
  std::sort(linked.nodes.begin(), linked.nodes.end());
  linked.nodes.erase(std::unique(linked.nodes.begin(), linked.nodes.end()), linked.nodes.end());
  return linked;
}

SelectionMarks marks_of(const Selection& selection, const LinkedSelection& linked) {
  SelectionMarks marks;
  marks.points.reserve(linked.points.size());
  for (const std::uint32_t point : linked.points) marks.points.push_back({point});
  if (linked.node)
    marks.nodes.push_back({*linked.node});
  else
    for (const std::uint32_t node : linked.nodes) marks.nodes.push_back({node});
  const bool more_than_a_point =
      selection.space == Space::node || (selection.space != Space::point && linked.points.size() != 1);
  if (linked.node && more_than_a_point) marks.framed = NodeId{*linked.node};
  marks.triangles = linked.triangles;
  marks.plane = linked.plane;
  return marks;
}

Selection carried_over(const Cursor& from, const Selection& selection, std::uint32_t to) {
  const Space space = selection.space;
  if (space == Space::position && selection.count > 1 && selection.array.empty()) {
    const std::optional<std::uint32_t> node = resolve_selection(from, selection).node;
    return node ? Selection{Space::node, *node} : selection;
  }
  if (space == Space::none || space == Space::count || space == Space::position || space == Space::point ||
      space == Space::node)
    return selection;
  const Trace::Array* owner = array_between(from.trace(), space, Space::node);
  if (!owner || same_version(from.trace(), owner->info.name, from.step(), to)) return selection;
  const std::uint32_t node = RowReader(from, owner->info.name).id(selection.index);
  return node == no_id ? Selection() : Selection{Space::node, node};
}

Selection persist_as_point(const Cursor& cursor, Selection selection) {
  if (selection.space != Space::position || selection.count != 1) return selection;
  const LinkedSelection linked = resolve_selection(cursor, selection);
  return linked.points.empty() ? selection : Selection{Space::point, linked.points.front()};
}

std::optional<Selection> selection_of_violation(const Trace& trace, const CheckResult& check) {
  const Trace::Array* array = check.elements.empty() ? nullptr : trace.find(check.array);
  if (!array) return std::nullopt;
  const ArrayInfo& info = array->info;
  const std::uint64_t element = check.elements.front().begin;
  if (info.index_space == Space::none) return Selection{Space::count, element, info.name};
  const bool in_order = info.index_space == Space::position && has_orders_by_dimension(trace);
  return Selection{info.index_space, element, in_order ? info.name : std::string()};
}

std::optional<Selection> segment_at(const Cursor& cursor, Space space, std::uint64_t index) {
  std::optional<IndexRange> best;
  if (space != Space::position || cursor.step_count() == 0) return std::nullopt;
  for (const Highlight& h : cursor.current().highlights) {
    if (h.role != Role::segment || h.space != space) continue;
    for (const IndexRange& r : h.ranges)
      if (r.begin <= index && index < r.end && (!best || r.end - r.begin < best->end - best->begin)) best = r;
  }
  if (!best) return std::nullopt;
  return Selection{space, best->begin, {}, best->end - best->begin};
}

}  // namespace kdscope
