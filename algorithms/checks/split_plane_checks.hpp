#pragma once
// Checks of trees of split planes over triangles or points, from the planes and the data alone: nothing of a builder is used. On
// the host, by recorder, tests and the headless tool alike.

#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// Everything that a finished tree must satisfy, each as a finding: nodes in pre-order that name one another; the leaves' positions
/// follow one another; boxes of children tile their parent's, the root's holds all; a leaf lists, ascending, every primitive that
/// reaches into it, and only such whose own box does; points are in the one leaf on their side of each plane. Triangles are
/// cut at the planes in doubles, what a plane takes off in 2^-36 of the scene's size counts as touched. input: the points or
/// vertices that the tree must be over. Work O(references depth).
std::vector<Finding> verify_split_plane_tree(const SplitPlaneTree& tree, const PointSet& input);

}  // namespace kdscope
