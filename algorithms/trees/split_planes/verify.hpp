#pragma once
// Checks of trees of split planes over triangles or points, in exact arithmetic. They use only the planes and the data,
// and no builder code. They run on the host; the recorder, the tests and the headless tool use them.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/rules.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// Checks everything that a finished tree must satisfy, one result per property: nodes are in pre-order and name one
/// another; the leaves' positions follow one another; boxes of children tile their parent's box, and the root's box
/// contains everything; a leaf lists, in ascending order, every primitive that reaches into it, and only primitives
/// whose own box does; and, if rules are given, check_split_plane_rules(). input: the points or vertices over which the
/// tree must be built.
///
/// A point is in the one leaf on its side of each plane: left if it is below the plane, right if it is on or above it.
/// The cell between the planes above a leaf decides exactly which triangles the leaf must list, whatever the sizes of
/// the scene. Along a dimension in which the triangle has more than one coordinate, the cell is open: a triangle that
/// only touches a plane may be missing there, because it continues on the other side. Along a dimension in which it has
/// a single coordinate, the cell contains its lower plane, and its upper plane only if that is the root's side. So
/// every point of a triangle is in, or at the border of, a leaf that lists the triangle. Leaves may list more. Work
/// O(references depth).
std::vector<CheckResult> verify_split_plane_tree(const SplitPlaneTree& tree, const PointSet& input,
                                                 const std::optional<SplitPlaneRules>& rules = {});

/// Checks node by node that the tree is the one that its rules make (reference.hpp). The result names the first
/// differing node with its rule. Precondition: at most three dimensions, and the checks of nodes and positions pass.
/// Work O(r T) for small nodes, O(r) per level for large ones.
CheckResult check_split_plane_rules(const SplitPlaneTree& tree, const SplitPlaneRules& rules);

}  // namespace kdscope
