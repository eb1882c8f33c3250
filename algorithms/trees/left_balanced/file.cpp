#include "algorithms/trees/left_balanced/file.hpp"

namespace kdscope::tree_files {

NodeRows rows_of(const LeftBalancedTree& tree) { return {false, {}, tree.point_of_node, tree.split_dim, tree.points}; }

LeftBalancedTree left_balanced_tree_of(NodeRows rows) {
  return {std::move(rows.points), std::move(rows.original_index), std::move(rows.split_dim)};
}

}  // namespace kdscope::tree_files
