#include "visualizer/model/heat.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kdscope {
namespace {

constexpr std::array names{"subtree", "leaf-size", "depth"};

/// Returns the number of primitives of each node that is not split.
std::vector<double> sizes_of(const Cursor& cursor, const Partition& partition) {
  std::vector<double> sizes(partition.nodes().size(), 0);
  if (const TypedArray* count = cursor.array(partition_arrays::count)) {
    for (std::size_t i = 0; i < std::min(sizes.size(), count->size()); ++i) sizes[i] = count->number(i);
    return sizes;
  }
  const NodesOfPoints points = nodes_of_points(cursor);
  for (const std::uint32_t node : points.node)
    if (node < sizes.size()) ++sizes[node];
  for (const std::uint32_t point : points.left_out)
    if (const std::uint32_t node = points.node[point]; node < sizes.size()) --sizes[node];
  return sizes;
}

/// Returns the visits of each point's query at this step of a batch; else null.
const TypedArray* visits_of(const Cursor& cursor) {
  const TypedArray* visits = cursor.array(batch_arrays::visits);
  return visits && visits->size() > 0 ? visits : nullptr;
}

NodeHeat heat_of_visits(const Cursor& cursor, const Partition& partition, const TypedArray& visits) {
  NodeHeat heat;
  const std::size_t nodes = partition.nodes().size();
  heat.of_node.assign(nodes, std::nan(""));
  std::vector<double> sum(nodes, 0), count(nodes, 0);
  const NodesOfPoints points = nodes_of_points(cursor);
  for (std::size_t point = 0; point < visits.size(); ++point) {
    heat.of_point.push_back(visits.number(point));
    if (point >= points.node.size() || points.node[point] >= nodes) continue;
    sum[points.node[point]] += visits.number(point);
    ++count[points.node[point]];
  }
  const auto [low, high] = std::minmax_element(heat.of_point.begin(), heat.of_point.end());
  heat.low = *low, heat.high = *high;
  for (std::size_t node = 0; node < nodes; ++node)
    if (count[node] > 0) heat.of_node[node] = sum[node] / count[node];
  // A cell has the points of all nodes below it; children precede no parent.
  for (std::size_t node = nodes; node-- > 0;)
    if (const std::uint32_t parent = partition.nodes()[node].parent; parent < nodes)
      sum[parent] += sum[node], count[parent] += count[node];
  heat.of_cell.assign(nodes, std::nan(""));
  for (std::size_t node = 0; node < nodes; ++node)
    if (count[node] > 0) heat.of_cell[node] = sum[node] / count[node];
  return heat;
}

}  // namespace

const char* name_of(Colouring colouring) { return names[static_cast<std::size_t>(colouring)]; }

std::optional<Colouring> colouring_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Colouring>(found - names.begin()));
}

bool can_colour(const Trace& trace, Colouring colouring) {
  return colouring != Colouring::leaf_size || trace.find(partition_arrays::leaf) || trace.find(partition_arrays::count);
}

double NodeHeat::share_of(const std::vector<double>& numbers, std::uint32_t node) const {
  if (node >= numbers.size() || std::isnan(numbers[node])) return 0;
  return high > low ? std::clamp((numbers[node] - low) / (high - low), 0.0, 1.0) : 0.5;
}

NodeHeat heat_of(const Cursor& cursor, const Partition& partition, Colouring colouring) {
  NodeHeat heat;
  const std::vector<PartitionNode>& nodes = partition.nodes();
  if (const TypedArray* visits = visits_of(cursor); visits && colouring == Colouring::subtree)
    return heat_of_visits(cursor, partition, *visits);
  if (colouring == Colouring::subtree || nodes.empty() || !can_colour(cursor.trace(), colouring)) return heat;
  const std::vector<double> sizes =
      colouring == Colouring::leaf_size ? sizes_of(cursor, partition) : std::vector<double>();
  heat.of_node.assign(nodes.size(), std::nan(""));
  heat.of_cell = heat.of_node;
  bool any = false;
  // Visit children before their parents, which precede them in the list.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const PartitionNode& node = nodes[i];
    if (!node.alive) continue;
    double below = std::nan("");
    for (const std::uint32_t child : {node.left, node.right})
      if (child < nodes.size() && !std::isnan(heat.of_cell[child])) below = std::fmax(below, heat.of_cell[child]);
    const bool split = !std::isnan(below);
    if (!split || sizes.empty()) heat.of_node[i] = sizes.empty() ? node.level : sizes[i];
    heat.of_cell[i] = split ? below : heat.of_node[i];
    if (std::isnan(heat.of_node[i]) || (split && node.point == no_id)) continue;
    heat.low = any ? std::min(heat.low, heat.of_node[i]) : heat.of_node[i];
    heat.high = any ? std::max(heat.high, heat.of_node[i]) : heat.of_node[i];
    any = true;
  }
  return heat;
}

std::vector<std::uint32_t> nodes_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                              const std::vector<std::uint32_t>& triangles) {
  const auto& nodes = partition.nodes();
  std::vector<std::uint32_t> found(triangles.size() / 3, no_id);
  std::uint32_t root = 0;
  while (root < nodes.size() && !(nodes[root].alive && nodes[root].parent == no_id)) ++root;
  if (root == nodes.size()) return found;
  for (std::size_t t = 0; t < found.size(); ++t) {
    std::uint32_t node = root;
    while (nodes[node].split_dim >= 0 && static_cast<std::uint32_t>(nodes[node].split_dim) < dim) {
      double middle = 0;
      for (std::size_t c = 3 * t; c < 3 * t + 3; ++c)
        middle +=
            points.number(std::size_t(triangles[c]) * dim + static_cast<std::uint32_t>(nodes[node].split_dim)) / 3;
      const std::uint32_t child = middle < nodes[node].split_value ? nodes[node].left : nodes[node].right;
      if (child >= nodes.size() || !nodes[child].alive) break;
      node = child;
    }
    found[t] = node;
  }
  return found;
}

}  // namespace kdscope
