#include "algorithms/trees/level_order/file.hpp"

#include <algorithm>
#include <memory>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::tree_files {

NodeRows rows_of(const LevelOrderTree& tree) {
  NodeRows rows{true, {}, {}, {}, {tree.points->type, tree.points->dim, 0, {}}};
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    const PointId point = tree.point_of_node[node];
    if (point.value == no_id) continue;
    rows.node.push_back(node);
    rows.original_index.push_back(point);
    rows.split_dim.push_back(tree.split_dim[node]);
    for (std::uint32_t d = 0; d < rows.points.dim; ++d) rows.points.words.push_back(tree.points->word(point.value, d));
  }
  return rows;
}

LevelOrderTree level_order_tree_of(NodeRows rows) {
  const std::size_t n = rows.node.size();
  const std::uint32_t slots = median_tree_slots(static_cast<std::uint32_t>(n)), dim = rows.points.dim;
  auto points = std::make_shared<PointSet>(PointSet{rows.points.type, dim, 0, std::vector<std::uint32_t>(n * dim)});
  LevelOrderTree tree{points, std::vector<PointId>(slots, PointId{no_id}), std::vector<std::uint8_t>(slots)};
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    tree.split_dim[slot] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{slot})) % dim);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t node = rows.node[i], point = rows.original_index[i].value;
    if (node >= slots)
      refuse("there is no node " + std::to_string(node) + " in a tree of " + std::to_string(n) + " points",
             rows.place(i, 0));
    if (i > 0 && node <= rows.node[i - 1])
      refuse("node " + std::to_string(node) + " follows node " + std::to_string(rows.node[i - 1]), rows.place(i, 0),
             "nodes ascend");
    if (point >= n)
      refuse("there is no point " + std::to_string(point) + " among " + std::to_string(n), rows.place(i, 1));
    tree.point_of_node[node] = {point};
    tree.split_dim[node] = rows.split_dim[i];
    std::copy_n(rows.points.words.begin() + static_cast<std::ptrdiff_t>(i * dim), dim,
                points->words.begin() + static_cast<std::ptrdiff_t>(std::size_t(point) * dim));
  }
  return tree;
}

}  // namespace kdscope::tree_files
