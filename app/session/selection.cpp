#include "app/session/selection.hpp"

#include <algorithm>

#include "visualizer/model/count_array.hpp"

namespace kdscope {
namespace {

/// The first array that is written and maps `from` to `to`; null when the trace has none.
const TypedArray* map_between(const Cursor& cursor, Space from, Space to) {
  for (const Trace::Array& array : cursor.trace().arrays) {
    const ArrayInfo& info = array.info;
    if (info.index_space != from || info.value_space != to || info.components != 1 || info.gather) continue;
    if (const TypedArray* contents = cursor.array(info.name)) return contents;
  }
  return nullptr;
}

std::vector<std::uint32_t> indices_with_value(const TypedArray& map, double value) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < map.size(); ++i)
    if (map.number(i) == value) found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

void add(std::vector<IndexRange>& ranges, std::uint64_t index) {
  if (!ranges.empty() && ranges.back().end == index)
    ++ranges.back().end;
  else
    ranges.push_back({index, index + 1});
}

void sort_unique(std::vector<std::uint32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::uint32_t value_at(const TypedArray* map, std::uint64_t index) {
  return map && index < map->size() ? static_cast<std::uint32_t>(map->number(index)) : no_id;
}

}  // namespace

LinkedSelection link(const Cursor& cursor, Selection selection) {
  LinkedSelection linked;
  const TypedArray* point_at = map_between(cursor, Space::position, Space::point);
  const TypedArray* node_at = map_between(cursor, Space::position, Space::node);
  const TypedArray* node_of = cursor.array(partition_arrays::node_of_point);
  const auto add_node = [&](std::uint32_t node) {
    if (node != no_id) linked.nodes.push_back(node);
  };

  if (selection.space == Space::position) {
    linked.positions.push_back({selection.index, selection.index + selection.count});
    for (std::uint64_t position = selection.index; position < selection.index + selection.count; ++position) {
      const std::uint32_t point = value_at(point_at, position);
      if (point != no_id) linked.points.push_back(point);
      add_node(node_of && point != no_id ? value_at(node_of, point) : value_at(node_at, position));
    }
    sort_unique(linked.points);
    sort_unique(linked.nodes);
  } else if (selection.space == Space::point) {
    linked.points.push_back(static_cast<std::uint32_t>(selection.index));
    if (point_at)
      for (std::uint32_t position : indices_with_value(*point_at, static_cast<double>(selection.index)))
        add(linked.positions, position);
    add_node(value_at(node_of, selection.index));
  } else if (selection.space == Space::node) {
    linked.nodes.push_back(static_cast<std::uint32_t>(selection.index));
    if (node_of) linked.points = indices_with_value(*node_of, static_cast<double>(selection.index));
    if (point_at) {
      for (std::size_t i = 0; i < point_at->size(); ++i)
        if (std::binary_search(linked.points.begin(), linked.points.end(), value_at(point_at, i)))
          add(linked.positions, i);
    } else if (node_at) {
      for (std::uint32_t position : indices_with_value(*node_at, static_cast<double>(selection.index)))
        add(linked.positions, position);
    }
  } else if (selection.space == Space::count) {
    const auto counts = CountArray::at(cursor, selection.array);
    if (!counts) return linked;
    const std::vector<std::uint64_t> elements = counts->elements(selection.index);
    for (const std::uint64_t element : elements)
      if (const auto point = counts->point_of(element)) linked.points.push_back(point->value);
    std::sort(linked.points.begin(), linked.points.end());
    if (linked.points.empty() && counts->element_space() == Space::position)
      for (const std::uint64_t element : elements) add(linked.positions, element);
    // Points may have moved since they were counted.
    for (std::size_t i = 0; point_at && i < point_at->size() && !linked.points.empty(); ++i)
      if (std::binary_search(linked.points.begin(), linked.points.end(), value_at(point_at, i))) add(linked.positions, i);
    for (const std::uint32_t point : linked.points) add_node(value_at(node_of, point));
    sort_unique(linked.nodes);
  }
  return linked;
}

Selection pin_to_point(const Cursor& cursor, Selection selection) {
  if (selection.space != Space::position || selection.count != 1) return selection;
  const LinkedSelection linked = link(cursor, selection);
  return linked.points.empty() ? selection : Selection{Space::point, linked.points.front()};
}

}  // namespace kdscope
