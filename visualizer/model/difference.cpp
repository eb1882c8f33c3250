#include "visualizer/model/difference.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/trace/divergence.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/partition.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_old_splits = 2000;

/// A run's tree with the data used to compare it with another.
struct ComparedRun {
  explicit ComparedRun(const Cursor& cursor) : partition(Partition::at(cursor, {no_id})), list(cursor) {
    const auto& nodes = partition.nodes();
    for (std::uint32_t i = 0; i < nodes.size() && root == no_id; ++i)
      if (nodes[i].alive && nodes[i].parent == no_id) root = i;
    is_cell.assign(nodes.size(), false);
    for (const NodeId cell : partition.cells()) is_cell[cell.value] = true;
    if (const TypedArray* array = cursor.array(partition_arrays::node_of_point);
        array && array->type() == ElementType::uint32)
      node_of_point = array->as<std::uint32_t>();
  }
  const PartitionNode& node(std::uint32_t i) const { return partition.nodes()[i]; }

  Partition partition;
  NodeList list;
  std::uint32_t root = no_id;
  std::vector<bool> is_cell;
  std::span<const std::uint32_t> node_of_point;
};

bool same_numbers(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

Difference difference(const Cursor& before, const Cursor& after, const std::vector<std::uint32_t>& earlier) {
  Difference result;
  if (before.step_count() == 0 || after.step_count() == 0) return result;
  const ComparedRun then(before), now(after);
  const auto was = [&](std::uint32_t point) {
    return point == no_id ? no_id : earlier.empty() ? point : point < earlier.size() ? earlier[point] : no_id;
  };

  // Walk both trees at once, level by level. Where one tree ends, the rest of the other differs.
  std::vector<std::uint32_t> partner(now.partition.nodes().size(), no_id);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (then.root != no_id || now.root != no_id) pairs.emplace_back(then.root, now.root);
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const auto [a, b] = pairs[at];
    if (a != no_id && b != no_id) partner[b] = a;
    const auto child = [](const ComparedRun& side, std::uint32_t i, bool right) {
      return i == no_id ? no_id : right ? side.node(i).right : side.node(i).left;
    };
    for (const bool right : {false, true})
      if (const std::uint32_t l = child(then, a, right), r = child(now, b, right); l != no_id || r != no_id)
        pairs.emplace_back(l, r);
  }

  // Mark the nodes whose points changed: points that arrived, left or no longer exist.
  std::vector<bool> others_then(then.partition.nodes().size()), others_now(now.partition.nodes().size()),
      met(then.node_of_point.size());
  const auto mark = [](std::vector<bool>& nodes, std::uint32_t node) {
    if (node < nodes.size()) nodes[node] = true;
  };
  for (std::uint32_t point = 0; point < now.node_of_point.size(); ++point) {
    const std::uint32_t node = now.node_of_point[point], old = was(point);
    const std::uint32_t there = node < partner.size() ? partner[node] : no_id;
    const bool known = old < then.node_of_point.size();
    const std::uint32_t old_node = known ? then.node_of_point[old] : no_id;
    if (known) met[old] = true;
    if (old != no_id && (!known || (there == old_node && (there != no_id || node == no_id)))) continue;
    result.points.push_back(point);
    mark(others_now, node);
    mark(others_then, old_node);
  }
  for (std::uint32_t old = 0; old < met.size(); ++old)
    if (!met[old]) mark(others_then, then.node_of_point[old]);

  for (const auto& [a, b] : pairs) {
    NodeDifference found{{a}, {b}};
    const bool both = a != no_id && b != no_id;
    if (both) {
      const PartitionNode &x = then.node(a), &y = now.node(b);
      found.split = x.split_dim != y.split_dim || (x.split_dim >= 0 && x.split_value != y.split_value);
      found.point = x.point != was(y.point);
      found.box = !same_numbers(then.list.box(a), now.list.box(b));
      found.tight_box = !same_numbers(then.list.tight_box(a), now.list.tight_box(b));
      found.bucket = x.bucket != y.bucket || (x.bucket && (others_then[a] || others_now[b]));
      found.cell = then.is_cell[a] != now.is_cell[b] || (now.is_cell[b] && found.box);
    } else {
      const ComparedRun& side = a == no_id ? now : then;
      const std::uint32_t i = a == no_id ? b : a;
      found.split = side.node(i).split_dim >= 0;
      found.point = side.node(i).point != no_id;
      found.box = true;
      found.tight_box = !side.list.tight_box(i).empty();
      found.bucket = side.node(i).bucket;
      found.cell = side.is_cell[i];
    }
    if (both && !found.split && !found.point && !found.box && !found.tight_box && !found.bucket && !found.cell)
      continue;
    result.nodes.push_back(found);
    result.splits += found.split;
    result.cells += found.cell;
    result.stored_points += found.point;
    if (found.split && a != no_id && then.node(a).split_dim >= 0 && result.old_splits.size() < most_old_splits)
      if (Box box; then.partition.box({a}, box))
        result.old_splits.push_back({box, then.node(a).split_dim, then.node(a).split_value});
  }
  return result;
}

std::uint32_t corresponding_step(const Trace& from, std::uint32_t step, const Trace& to) {
  if (to.steps.empty() || from.steps.empty()) return 0;
  const auto last = static_cast<std::uint32_t>(to.steps.size() - 1);
  step = std::min(step, static_cast<std::uint32_t>(from.steps.size() - 1));
  if (const auto same = step_of_same_path(from, step, to)) return *same;
  return from.steps.size() < 2
             ? last
             : static_cast<std::uint32_t>(std::lround(double(step) * last / double(from.steps.size() - 1)));
}

}  // namespace kdscope
