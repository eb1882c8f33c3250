#pragma once
// Checks of trees of split planes over triangles or points, in exact arithmetic and from the planes and the data alone:
// nothing of a builder is used. On the host, by recorder, tests and the headless tool alike.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/rules.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// Everything that a finished tree must satisfy, each as a finding: nodes in pre-order that name one another; the
/// leaves' positions follow one another; boxes of children tile their parent's, the root's holds all; a leaf lists,
/// ascending, every primitive that reaches into it, and only such whose own box does; and, where rules are given,
/// check_split_plane_rules(). input: the points or vertices that the tree must be over.
///
/// A point is in the one leaf on its side of each plane: left below the plane, right from it on. Which leaves must list
/// a triangle is decided exactly, whatever the sizes of the scene, by the cell between the planes above a leaf. Along a
/// dimension in which the triangle has more than one coordinate the cell is open: what only touches a plane may be left
/// out there, because the triangle goes on at the other side. Along one in which it has a single coordinate the cell
/// holds its lower plane, and not its upper one unless that is the root's side. So every point of a triangle is in, or
/// at the border of, a leaf that lists the triangle. Leaves may list more. Work O(references depth).
std::vector<CheckResult> verify_split_plane_tree(const SplitPlaneTree& tree, const PointSet& input,
                                                 const std::optional<SplitPlaneRules>& rules = {});

/// Whether the tree is that which its rules make (split_plane_reference.hpp), node by node; the first other one is
/// named with its rule. Precondition: three dimensions at most, and the checks of nodes and positions hold. Work O(r T)
/// for small nodes, O(r) a level for large ones.
CheckResult check_split_plane_rules(const SplitPlaneTree& tree, const SplitPlaneRules& rules);

}  // namespace kdscope
