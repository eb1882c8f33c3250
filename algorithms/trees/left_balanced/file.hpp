#pragma once
// Files of left-balanced trees: one row per node, in level order (trees/node_rows.hpp).

#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/node_rows.hpp"

namespace kdscope::tree_files {

NodeRows rows_of(const LeftBalancedTree& tree);
/// Converts rows to a tree. Throws errors of kind bad_input that name the place. The verifier checks whether the rows
/// form a tree.
LeftBalancedTree left_balanced_tree_of(NodeRows rows);

}  // namespace kdscope::tree_files
