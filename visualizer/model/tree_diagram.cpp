#include "visualizer/model/tree_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Places by level up to here: 4,096 slots on the lowest one. Deeper, lopsided trees are laid out by their order.
constexpr int deepest_level_by_halves = 12;

std::string coordinates_of(const Cursor& cursor, std::uint32_t point) {
  const TypedArray* points = cursor.array(points_array);
  const std::uint32_t k = cursor.trace().header.dim;
  if (!points || (point + std::uint64_t(1)) * k > points->size()) return {};
  std::string text;
  for (std::uint32_t d = 0; d < std::min(k, 3u); ++d)
    text += (d ? ", " : "") + short_number(points->number(std::uint64_t(point) * k + d), 4);
  return k > 3 ? text + ", …" : text;
}

/// Levels of the tree that the trace ends with.
int levels_at_the_end(const Trace& trace) {
  const std::vector<std::uint32_t> parents = final_parents(trace);
  std::vector<int> level(parents.size(), -1);
  std::vector<std::uint32_t> path;
  int levels = 0;
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    // Up to a node whose level is known or the root; a damaged list's cycle ends at its own length. Then down again.
    std::uint32_t at = i;
    for (; at < parents.size() && level[at] < 0 && path.size() < parents.size(); at = parents[at]) path.push_back(at);
    int known = at < parents.size() ? level[at] : -1;
    for (; !path.empty(); path.pop_back()) level[path.back()] = ++known;
    levels = std::max(levels, level[i] + 1);
  }
  return levels;
}

/// Nodes that the step marks as pivots, by the nodes its highlights name.
std::set<std::uint32_t> pivot_nodes(const Cursor& cursor) {
  std::set<std::uint32_t> nodes;
  const std::string node_row = node_of_position_array(cursor.trace());
  for (const Highlight& h : cursor.current().highlights) {
    if (h.role != Role::pivot) continue;
    nodes.insert(h.nodes.begin(), h.nodes.end());
    if (!h.nodes.empty()) continue;
    for (const IndexRange& r : h.ranges)
      for (std::uint64_t i = r.begin; i < r.end; ++i) {
        if (h.space == Space::node) nodes.insert(static_cast<std::uint32_t>(i));
        else if (h.space == Space::position && !node_row.empty() && i < cursor.row_size(node_row))
          nodes.insert(static_cast<std::uint32_t>(cursor.number(node_row, i)));
      }
  }
  return nodes;
}

}  // namespace

TreeDiagram TreeDiagram::at(const Cursor& cursor, const TreeDiagramOptions& options) {
  TreeDiagram diagram;
  if (cursor.step_count() == 0) return diagram;
  PartitionOptions everything;
  everything.max_planes = 0;
  const Partition partition = Partition::at(cursor, everything);
  const std::vector<PartitionNode>& nodes = partition.nodes();

  // Level order, and how many points each node holds.
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].alive && nodes[i].parent == no_id) order.push_back(i);
  for (std::size_t at = 0; at < order.size(); ++at)
    for (std::uint32_t child : {nodes[order[at]].left, nodes[order[at]].right})
      if (child != no_id) order.push_back(child);
  std::vector<std::uint64_t> count(nodes.size());
  if (const TypedArray* of_point = cursor.array(partition_arrays::node_of_point);
      of_point && of_point->type() == ElementType::uint32)
    for (std::uint32_t node : of_point->as<std::uint32_t>())
      if (node < count.size()) ++count[node];
  for (auto i = order.rbegin(); i != order.rend(); ++i)
    if (nodes[*i].parent != no_id) count[nodes[*i].parent] += count[*i];

  const std::set<std::uint32_t> pivots = pivot_nodes(cursor);
  const auto state_of = [&](std::uint32_t i) {
    if (nodes[i].empty) return NodeState::empty;
    if (pivots.count(i)) return NodeState::pivot;
    return nodes[i].split_dim >= 0 || nodes[i].point != no_id ? NodeState::settled : NodeState::open;
  };
  diagram.node_count = order.size();
  diagram.final_levels = std::max(partition.level_count(), levels_at_the_end(cursor.trace()));
  diagram.levels.resize(partition.level_count());
  for (std::uint32_t i : order) {
    DiagramLevel& level = diagram.levels[nodes[i].level];
    const NodeState state = state_of(i);
    level.level = nodes[i].level;
    level.capacity = std::ldexp(1.0, level.level);
    ++level.nodes;
    ++(state == NodeState::settled ? level.settled : state == NodeState::pivot ? level.pivots : state == NodeState::empty ? level.empty : level.open);
    if (nodes[i].split_dim < 0) level.points_below += count[i];
  }
  diagram.folded = order.size() > options.fold_above;
  if (diagram.folded) return diagram;

  std::vector<std::ptrdiff_t> index_of(nodes.size(), -1);
  for (std::uint32_t i : order) {
    const PartitionNode& node = nodes[i];
    DiagramNode drawn;
    drawn.node = {i};
    drawn.place = node.place;
    drawn.level = node.level;
    drawn.parent = node.parent == no_id ? -1 : index_of[node.parent];
    drawn.x = drawn.parent < 0 ? 0.5
                               : diagram.nodes[drawn.parent].x + std::ldexp(nodes[node.parent].right == i ? 1.0 : -1.0,
                                                                           -node.level - 1);
    drawn.state = state_of(i);
    drawn.count = count[i];
    drawn.point = node.point;
    drawn.split_dim = node.split_dim;
    drawn.split_value = node.split_value;
    if (node.point != no_id) drawn.coordinates = coordinates_of(cursor, node.point);
    if (node.split_dim >= 0)
      drawn.split_text = dimension_name(node.split_dim, partition.dim()) + " = " + short_number(node.split_value, 4);
    index_of[i] = static_cast<std::ptrdiff_t>(diagram.nodes.size());
    diagram.nodes.push_back(std::move(drawn));
  }
  if (partition.level_count() > deepest_level_by_halves + 1) {
    // In-order ranks, without recursion: the trees that come here may be very deep.
    std::vector<std::uint32_t> path;
    std::size_t rank = 0;
    std::uint32_t at = order.front();
    while (at != no_id || !path.empty()) {
      for (; at != no_id; at = nodes[at].left) path.push_back(at);
      at = path.back();
      path.pop_back();
      diagram.nodes[index_of[at]].x = (static_cast<double>(rank++) + 0.5) / static_cast<double>(order.size());
      at = nodes[at].right;
    }
  }
  return diagram;
}

}  // namespace kdscope
