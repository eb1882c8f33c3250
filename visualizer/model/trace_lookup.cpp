#include "visualizer/model/trace_lookup.hpp"

#include <algorithm>
#include <iterator>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "visualizer/model/highlights.hpp"

namespace kdscope {
namespace {

std::string name_of(const Trace::Array* array) { return array ? array->info.name : std::string(); }

std::optional<std::uint32_t> id_of_row(const Cursor& cursor, const std::string& array, std::uint64_t index) {
  if (array.empty() || index >= cursor.row_size(array)) return std::nullopt;
  return static_cast<std::uint32_t>(cursor.number(array, index));
}

}  // namespace

TreePlace place_of(const Cursor& cursor, NodeId node) { return place_of(NodeList(cursor), node); }

TreePlace place_of(const NodeList& list, NodeId node) {
  if (node.value >= list.size()) return place_of(node);
  std::vector<bool> turns;  // from the node upwards
  std::uint32_t at = node.value;
  for (std::uint32_t up = list.parent(at); up != no_id && turns.size() < 4096; at = up, up = list.parent(up))
    turns.push_back(list.is_right_child(at));
  TreePlace place;
  for (auto right = turns.rbegin(); right != turns.rend(); ++right) place = child_of(place, *right);
  return place;
}

bool is_below(const NodeList& list, NodeId node, NodeId above) {
  std::uint32_t at = node.value;
  for (int walked = 0; at != above.value && at < list.size() && walked < 4096; ++walked) at = list.parent(at);
  return at == above.value;
}

const Trace::Array* array_between(const Trace& trace, Space from, Space to) {
  for (const Trace::Array& array : trace.arrays)
    if (const ArrayInfo& info = array.info;
        info.index_space == from && info.value_space == to && info.components == 1 && !info.gather)
      return &array;
  return nullptr;
}

std::string point_of_position_array(const Trace& trace) {
  return name_of(array_between(trace, Space::position, Space::point));
}
std::string node_of_position_array(const Trace& trace) {
  return name_of(array_between(trace, Space::position, Space::node));
}

std::optional<NodeId> node_of_point(const Cursor& cursor, PointId point) {
  const auto node = id_of_row(cursor, partition_arrays::node_of_point, point.value);
  return node && *node != no_id ? std::optional(NodeId{*node}) : std::nullopt;
}

NodesOfPoints nodes_of_points(const Cursor& cursor) {
  NodesOfPoints found;
  const TypedArray* owner = cursor.array(partition_arrays::node_of_point);
  if (!owner || owner->type() != ElementType::uint32) return found;
  const auto nodes = owner->as<std::uint32_t>();
  found.node.assign(nodes.begin(), nodes.end());
  for (std::uint32_t point = 0; point < nodes.size(); ++point)
    if (nodes[point] == no_id) found.left_out.push_back(point);
  const TypedArray* points = cursor.array(points_array);
  const std::uint32_t dim = cursor.trace().header.dim;
  found.lost = found.left_out;
  if (found.left_out.empty() || !points || points->size() < nodes.size() * std::uint64_t(dim)) return found;
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t d = 0; d < dim; ++d)
      if (const double x = points->number(std::uint64_t(a) * dim + d), y = points->number(std::uint64_t(b) * dim + d);
          x != y)
        return x < y;
    return false;
  };
  std::vector<std::uint32_t> sorted = found.left_out;
  std::sort(sorted.begin(), sorted.end(), less);
  for (std::uint32_t point = 0; point < nodes.size(); ++point) {
    if (nodes[point] == no_id) continue;
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), point, less);
    std::for_each(first, last, [&](std::uint32_t same) { found.node[same] = nodes[point]; });
  }
  std::erase_if(found.lost, [&](std::uint32_t point) { return found.node[point] != no_id; });
  return found;
}

bool NodesOfPoints::in_tree(std::uint32_t point) const {
  return point < node.size() && node[point] != no_id && !std::binary_search(left_out.begin(), left_out.end(), point);
}

std::string NodesOfPoints::lost_note() const {
  if (lost.empty()) return {};
  return "\u2717 " + grouped(lost.size()) + " of " + grouped(node.size()) +
         (lost.size() == 1 ? " points is" : " points are") + " in no node of the tree.";
}

std::string NodesOfPoints::note() const {
  const std::size_t duplicates = left_out.size() - lost.size();
  if (duplicates == 0) return {};
  return grouped(duplicates) + " of " + grouped(node.size()) + (duplicates == 1 ? " points is" : " points are") +
         " left out of the tree: other points have the same coordinates.";
}

bool is_left_out(const Cursor& cursor, PointId point) {
  return id_of_row(cursor, partition_arrays::node_of_point, point.value) == no_id;
}

std::string left_out_text(const NodesOfPoints& nodes, const TypedArray& coordinates, std::uint32_t dim, PointId point) {
  const std::uint64_t own = std::uint64_t(point.value) * dim;
  for (std::uint64_t other = 0; (other + 1) * dim <= coordinates.size() && own + dim <= coordinates.size(); ++other) {
    std::uint32_t d = nodes.in_tree(static_cast<std::uint32_t>(other)) ? 0 : dim + 1;
    while (d < dim && coordinates.number(other * dim + d) == coordinates.number(own + d)) ++d;
    if (d == dim) return "left out: the same coordinates as " + point_name(other);
  }
  return "in no node of the tree";
}

std::optional<std::uint64_t> position_of_point(const Cursor& cursor, PointId point) {
  const std::string name = point_of_position_array(cursor.trace());
  const TypedArray* points = name.empty() ? nullptr : cursor.array(name);
  if (!points || points->type() != ElementType::uint32) return std::nullopt;
  const auto values = points->as<std::uint32_t>();
  const auto found = std::find(values.begin(), values.end(), point.value);
  if (found == values.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - values.begin());
}

std::string sentence_of(const Trace& trace, const Step& step) {
  const auto& sources = trace.header.sources;
  const auto source = std::ranges::find(sources, step.code_anchor, &RecordedSource::region);
  if (source == sources.end()) return {};
  std::string words;
  for (std::string_view rest = source->text; rest.starts_with("///");) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    words += rest.substr(3, end - 3);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // The first sentence, if it says in words what is done: "Moves ...".
  int depth = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    depth += (words[i] == '(') - (words[i] == ')');
    if (words[i] != '.' || depth > 0 || (i + 1 < words.size() && words[i + 1] != ' ')) continue;
    const std::string sentence = words.substr(1, i);
    const std::string verb = sentence.substr(0, sentence.find(' '));
    const bool is_code = sentence.find_first_of("[]`") != std::string::npos ||
                         sentence.find("()") != std::string::npos || sentence.find(" - ") != std::string::npos;
    return verb.ends_with('s') && verb != "Returns" && !is_code ? sentence : std::string();
  }
  return {};
}

std::vector<PointId> points_of(const Cursor& cursor, const Highlight& highlight, std::size_t limit) {
  std::vector<PointId> points;
  const std::string of_position = point_of_position_array(cursor.trace());
  for (const IndexRange& r : highlight.ranges) {
    for (std::uint64_t i = r.begin; i < r.end && points.size() < limit; ++i) {
      std::optional<std::uint32_t> point;
      if (highlight.space == Space::point)
        point = static_cast<std::uint32_t>(i);
      else if (highlight.space == Space::position)
        point = id_of_row(cursor, of_position, i);
      else if (highlight.space == Space::node)
        point = id_of_row(cursor, partition_arrays::point, i);
      else
        return points;
      if (point && *point < cursor.trace().header.n) points.push_back({*point});
    }
  }
  return points;
}

std::vector<PointId> points_with_role(const Cursor& cursor, Role role, std::size_t limit,
                                      std::span<const Highlight> added, const Concealment& concealed) {
  std::vector<PointId> points;
  each_highlight(cursor, added, concealed, [&](const Highlight& h) {
    if (h.role != role) return;
    const std::vector<PointId> marked = points_of(cursor, h, limit - std::min(limit, points.size()));
    points.insert(points.end(), marked.begin(), marked.end());
  });
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace kdscope
