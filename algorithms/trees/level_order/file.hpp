#pragma once
// Files of level-order trees: one row per occupied slot, which begins with its node (trees/node_rows.hpp).

#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/node_rows.hpp"

namespace kdscope::tree_files {

NodeRows rows_of(const LevelOrderTree& tree);
/// Converts rows to a tree. Throws errors of kind bad_input that name the place. The verifier checks whether the rows
/// form a tree.
LevelOrderTree level_order_tree_of(NodeRows rows);

}  // namespace kdscope::tree_files
