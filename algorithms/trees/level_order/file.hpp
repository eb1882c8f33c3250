#pragma once
// Files of level-order trees: one row per occupied slot, beginning with its node (trees/node_rows.hpp).

#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/node_rows.hpp"

namespace kdscope::tree_files {

NodeRows rows_of(const LevelOrderTree& tree);
/// Throws errors of kind bad_input that name the place; the verifier checks whether the rows form a tree.
LevelOrderTree level_order_tree_of(NodeRows rows);

}  // namespace kdscope::tree_files
