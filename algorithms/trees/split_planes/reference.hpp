#pragma once
// Simple references of the trees of split planes that Zhou et al. 2008 build: recursive, on one thread, without lists,
// chunks or masks. They share no rule and no arithmetic with the builders. This page defines what both must do, and
// each implements it separately.
//
// The part of a primitive in a node has a box. In the root, it is the smallest box of the corners. A large node is
// first cut, side by side: if more than C_e percent of its volume's extent is empty before the smallest box of all
// parts (compared in doubles), a plane cuts off the empty space. The plane of a lower side lies in the face of the box,
// the plane of an upper side one float above it. Then the node is halved along its widest side (ties go to the lowest
// dimension) at the sum of the halves of both ends in floats, but above the lower end. A part goes left if its box
// begins below the plane, and right if it ends above the plane or begins at it. A triangle that goes to both sides gets
// in each child the smallest box of floats around its exact part in the child's volume, intersected with its old box
// cut at the plane.
//
// A small node is split at a face of a part's box (one float above an upper face) or, for points, at the point. The
// candidate must lie inside the volume and have the lowest cost; ties go to the lowest primitive and side. Boxes stay
// those of the small root. The cost is C_ts M + (n_left M_left + n_right M_right), in doubles and in this order; the
// cost of a leaf is n M. M is the surface 2 ((xy + yz) + zx) and, for points, the product of the sides, each extended
// by 2 R. A node is a leaf unless a split costs less.
//
// Bounds: no node at the largest depth is split, and no cut leads to that depth. A large node whose volume contains no
// plane is a leaf. A node of more than T primitives below six successive halvings is also a leaf if each of them costs
// no less than a leaf or leaves all primitives in one child.

#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/rules.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// Builds the tree of a data set's triangles by these rules with the surface area heuristic. Requires three dimensions,
/// float. Work O(r T) for small nodes, O(r) per level for large ones.
SplitPlaneTree reference_sah_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules);

/// Builds the tree of a data set's points with the voxel volume heuristic for searches of the rules' radius. Requires
/// one to three dimensions, float, or integers of less than 2^24.
SplitPlaneTree reference_vvh_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules);

/// The rule that decided a node.
enum class NodeRule : std::uint8_t {
  cut_off,
  empty_space,
  halved,
  least_cost,
  no_split_pays,
  at_depth,
  bad_refines,
  indivisible
};

/// A reference tree with the rule that decided each node.
struct ReasonedTree {
  SplitPlaneTree tree;
  std::vector<NodeRule> rule;  ///< [nodes]
};
ReasonedTree reasoned_tree(std::shared_ptr<const DataSet> data, Primitive primitive, const SplitPlaneRules& rules);

}  // namespace kdscope
