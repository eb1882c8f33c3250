#pragma once
// Files of level-order trees: one row per occupied slot, with its node in front (trees/node_rows.hpp).

#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/node_rows.hpp"

namespace kdscope::tree_files {

NodeRows rows_of(const LevelOrderTree& tree);
/// Throws errors of kind bad_input that name the place; whether the rows make a tree is left to the verifier.
LevelOrderTree level_order_tree_of(NodeRows rows);

}  // namespace kdscope::tree_files
