#include "app/select/selection.hpp"

#include <algorithm>
#include <utility>

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

/// How a walk leads on along an array.
enum class Along : std::uint8_t {
  values,     ///< from each index to the value there
  indices,    ///< from each value to all indices that have it
  stretches,  ///< from the index to the positions from its value up to that of the next index
  points      ///< from the value to the points at all positions that have it, or to these if no array lists points
};

/// An array by the spaces of its index and its value, and how a walk from what was picked goes along it. Space::none is
/// any space that an algorithm names, such as chunks: what was picked, and the side of the array that it is on.
struct Relation {
  Space picked, index, value;
  Along along;
  bool unless_by_points = false;  ///< left out where the arrays of points lead to the same
};

constexpr Relation relations[] = {
    {Space::position, Space::position, Space::point, Along::values},
    {Space::position, Space::position, Space::node, Along::values, true},
    {Space::node, Space::point, Space::node, Along::indices},
    {Space::node, Space::position, Space::node, Along::indices, true},
    {Space::none, Space::none, Space::point, Along::values},
    {Space::none, Space::none, Space::node, Along::values},
    {Space::none, Space::none, Space::position, Along::stretches},
    {Space::none, Space::point, Space::none, Along::indices},
    {Space::none, Space::position, Space::none, Along::points},
    {Space::candidate, Space::candidate, Space::triangle, Along::values},
};
constexpr Relation triangles_by_position{Space::none, Space::position, Space::triangle, Along::values},
    node_by_point{Space::none, Space::point, Space::node, Along::values},
    positions_by_point{Space::none, Space::position, Space::point, Along::indices};

/// Collects what a selection stands for, space by space.
class SelectionWalk {
 public:
  SelectionWalk(const Cursor& cursor, const Selection& selection)
      : cursor_(cursor),
        selection_(selection),
        space_(selection.space),
        index_(selection.index),
        has_orders_(has_orders_by_dimension(cursor.trace())),
        node_at_(map_between(cursor, Space::position, Space::node)),
        node_of_(cursor, partition_arrays::node_of_point) {
    const Trace::Array* chosen = space_ == Space::position ? cursor.trace().find(selection.array) : nullptr;
    if (chosen && has_orders_) order_.emplace(cursor, chosen->info);
    point_at_ = order_        ? RowReader(order_->points())
                : has_orders_ ? first_order_by_dimension(cursor)
                              : map_between(cursor, Space::position, Space::point);
  }

  LinkedSelection resolve() {
    start();
    const bool is_named =
        space_ != Space::position && space_ != Space::point && space_ != Space::node && space_ != Space::count;
    const bool by_points = point_at_ && node_of_ && !(has_orders_ && space_ == Space::node);
    for (const Relation& relation : relations)
      if ((relation.picked == space_ || (relation.picked == Space::none && is_named)) &&
          !(relation.unless_by_points && by_points))
        follow(relation);
    if (space_ != Space::candidate && space_ != Space::triangle) follow(triangles_by_position);
    mark_plane();
    follow_masks();
    follow(node_by_point);
    // Points may have moved since they were counted or named.
    if (positions_.empty() && !points_.empty()) follow(positions_by_point);
    LinkedSelection linked{std::move(positions_), points_.complete(),    nodes_.complete(),
                           std::nullopt,          triangles_.complete(), plane_};
    if (space_ == Space::position && selection_.count > 1)
      linked.node = node_of_segment(cursor_, selection_, linked.nodes);
    else if (linked.nodes.size() == 1)
      linked.node = linked.nodes.front();
    return linked;
  }

 private:
  /// Takes what was picked itself.
  void start() {
    if (space_ == Space::position) {
      const std::uint64_t length = position_count() > 0 ? position_count() : cursor_.trace().header.n;
      const std::uint64_t begin = std::min(index_, length);
      if (const std::uint64_t count = std::min(selection_.count, length - begin); count > 0)
        positions_.push_back({begin, begin + count});
    } else if (space_ == Space::count) {
      const auto counts = CountArray::at(cursor_, selection_.array);
      if (!counts) return;
      const std::vector<std::uint64_t> elements = counts->elements(index_);
      for (const std::uint64_t element : elements)
        if (const auto point = counts->point_of(element)) points_.add(point->value);
      if (points_.empty() && counts->element_space() == Space::position)
        for (const std::uint64_t element : elements) add(positions_, element);
    } else if (space_ == Space::point || space_ == Space::node || space_ == Space::triangle) {
      reach(space_, id());
    }
  }

  void follow(const Relation& relation) {
    const Space index_space = relation.index == Space::none ? space_ : relation.index,
                value_space = relation.value == Space::none ? space_ : relation.value;
    const RowReader array = array_of(index_space, value_space);
    if (!array) return;
    if (relation.along == Along::values) {
      each_of(index_space, [&](std::uint64_t index) { reach(value_space, array.id(index)); });
    } else if (relation.along == Along::stretches) {
      const std::uint32_t begin = array.id(index_);
      const std::uint64_t end = index_ + 1 < array.size() ? array.id(index_ + 1) : position_count();
      if (begin != no_id && begin < end) positions_.push_back({begin, end});
    } else {
      const bool of_points = value_space == Space::point;
      if (of_points) points_.complete();
      for (std::uint64_t index = 0; index < array.size(); ++index) {
        const std::uint32_t value = array.id(index);
        if (of_points ? !points_.has(value) : value != index_) continue;
        if (relation.along == Along::points && point_at_)
          points_.add(point_at_.id(index));
        else
          reach(index_space, static_cast<std::uint32_t>(index));
      }
    }
  }

  RowReader array_of(const Space& index, const Space& value) const {
    if (index == Space::position && value == Space::point) return point_at_;
    if (index == Space::position && value == Space::node) return node_at_;
    if (index == Space::point && value == Space::node) return node_of_;
    return map_between(cursor_, index, value);
  }

  /// Calls with all that was reached in a space.
  template <class Take>
  void each_of(const Space& space, Take take) {
    if (space == Space::point)
      for (const std::uint32_t point : points_.complete()) take(point);
    else if (space == Space::position)
      for (const IndexRange& r : positions_)
        for (std::uint64_t i = r.begin; i < r.end; ++i) take(i);
    else
      take(index_);
  }

  void reach(const Space& space, std::uint32_t id) {
    if (space == Space::position)
      add(positions_, id);
    else
      (space == Space::point ? points_ : space == Space::node ? nodes_ : triangles_).add(id);
  }

  /// A candidate, or one that was tried, stands for its plane.
  void mark_plane() {
    const bool tried = space_ == Space::evaluation;
    if (!tried && space_ != Space::candidate) return;
    const std::uint32_t candidate = tried ? map_between(cursor_, Space::evaluation, Space::candidate).id(index_)
                                          : static_cast<std::uint32_t>(index_);
    if (candidate == no_id) return;
    const std::optional<NodeId> node = tried ? std::nullopt : node_of_candidate(cursor_, candidate);
    if (node) nodes_ = IdSet(), nodes_.add(node->value);
    const std::uint32_t of = node    ? node->value
                             : tried ? map_between(cursor_, Space::evaluation, Space::node).id(index_)
                                     : no_id;
    const std::uint32_t dim = map_between(cursor_, Space::candidate, Space::dimension).id(candidate);
    const RowReader value = map_between(cursor_, Space::candidate, Space::split_value);
    if (of != no_id && dim != no_id && candidate < value.size())
      plane_ = PlaneMark{NodeId{of}, dim, value.number(candidate)};
  }

  /// Follows the bit masks that say which triangles are in a node.
  void follow_masks() {
    if (space_ == Space::node && triangles_.empty() &&
        array_between(cursor_.trace(), Space::candidate, Space::triangle))
      for (const std::uint32_t triangle : primitives_by_mask(cursor_, NodeId{id()})) triangles_.add(triangle);
    if (space_ != Space::triangle || triangles_.empty()) return;
    for (const std::uint32_t node : nodes_with_primitive(cursor_, id())) nodes_.add(node);
    if (nodes_.empty())
      for (const IndexRange& r : positions_) nodes_.add(node_at_.id(r.begin));
  }

  /// The index as an id; no_id if it is too large for one.
  std::uint32_t id() const { return static_cast<std::uint32_t>(std::min<std::uint64_t>(index_, no_id)); }
  std::uint64_t position_count() const { return std::max(point_at_.size(), node_at_.size()); }

  const Cursor& cursor_;
  const Selection& selection_;
  const Space space_;
  const std::uint64_t index_;
  bool has_orders_;
  std::optional<RowOrder> order_;  ///< of the chosen array
  RowReader point_at_, node_at_, node_of_;
  IdSet points_, nodes_, triangles_;
  std::vector<IndexRange> positions_;
  std::optional<PlaneMark> plane_;
};

}  // namespace

LinkedSelection resolve_selection(const Cursor& cursor, const Selection& selection) {
  if (!selection || cursor.step_count() == 0) return {};
  return SelectionWalk(cursor, selection).resolve();
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
  if (!table.has_orders() || (!selection && linked.points.empty())) return rows;
  const std::vector<IndexRange> common = std::move(rows[0]);
  rows.assign(table.rows().size(), {});
  // A node's points stand at the same positions in every order; rows that stand for no points of
  // their own show these.
  const bool of_all_rows =
      selection && (selection.space == Space::node || (selection.space == Space::position && selection.array.empty()));
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
  // Each look-up passes over the run's lists: where much is picked, the marks of itself are enough.
  constexpr std::size_t most_looked_up = 16;
  std::vector<std::uint32_t> positions;
  for (const std::uint32_t position : elements.positions)
    if (position < cursor.trace().header.n) positions.push_back(position);
  if (linked.points.size() <= most_looked_up)
    for (const std::uint32_t point : linked.points)
      for (const IndexRange& range : resolve_selection(cursor, {Space::point, point}).positions)
        for (std::uint64_t i = range.begin; i < range.end; ++i) positions.push_back(static_cast<std::uint32_t>(i));
  // In several orders, a position stands for a different point in each.
  if (elements.positions.size() <= most_looked_up && !has_orders_by_dimension(cursor.trace()))
    for (const std::uint32_t position : elements.positions) {
      const LinkedSelection there = resolve_selection(cursor, {Space::position, position});
      linked.points.insert(linked.points.end(), there.points.begin(), there.points.end());
      linked.nodes.insert(linked.nodes.end(), there.nodes.begin(), there.nodes.end());
    }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  for (const std::uint32_t position : positions) add(linked.positions, position);
  std::sort(linked.points.begin(), linked.points.end());
  linked.points.erase(std::unique(linked.points.begin(), linked.points.end()), linked.points.end());
  for (const std::uint32_t node : elements.nodes)
    if (node < cursor.row_size(partition_arrays::parent)) linked.nodes.push_back(node);
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
