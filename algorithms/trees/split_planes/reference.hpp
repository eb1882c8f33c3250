#pragma once
// Plain references of the trees of split planes that Zhou et al. 2008 build: recursive, on one thread, without lists,
// chunks or masks. They share no rule and no arithmetic with the builders: this page states what both must do, and each
// does it in its own way.
//
// A primitive's part in a node has a box. In the root it is the smallest box of its corners. A large node is first cut,
// side by side: where its volume has more than C_e percent of its extent empty in front of the smallest box of all
// parts, compared in doubles, a plane takes that off: at a lower side in the box's face, at an upper one a float above
// it. Then it is halved along its widest side, the lowest dimension of equal ones, at the sum of the halves of both
// ends in floats, but above the lower end. A part goes left if its box begins below the plane, and right if it ends
// above or begins at it. A triangle of both sides gets in each child the smallest box of floats around its exact part
// in the child's volume, as far as that is in its old box, cut at the plane.
//
// A small node is split at a face of a part's box, upper ones a float above it, for points at the point. The candidate
// is inside its volume and costs least, of equal ones that of the lowest primitive and side; boxes stay those of the
// small root. The cost is C_ts M + (n_left M_left + n_right M_right), in doubles and in this order, a leaf's is n M. M
// is the surface 2 ((xy + yz) + zx), and for points the product of the sides, each longer by 2 R. A node is a leaf
// unless a split costs less.
//
// Bounds: no node at the largest depth is split, no cut leads there. A large node whose volume holds no plane is a
// leaf. So is one of more than T primitives below six halvings in a row, each of which costs no less than a leaf or
// leaves a child all primitives.

#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/rules.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// The tree that the rules make of a data set's triangles with the surface area heuristic. Three dimensions, float.
/// Work O(r T) for small nodes, O(r) a level for large ones.
SplitPlaneTree reference_sah_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules);

/// The tree of a data set's points with the voxel volume heuristic for searches of the rules' radius. One to three
/// dimensions, float, or integers of less than 2^24.
SplitPlaneTree reference_vvh_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules);

/// What the rules make of a node, and why.
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

/// A reference with the rule of each of its nodes.
struct ReasonedTree {
  SplitPlaneTree tree;
  std::vector<NodeRule> rule;  ///< [nodes]
};
ReasonedTree reasoned_tree(std::shared_ptr<const DataSet> data, Primitive primitive, const SplitPlaneRules& rules);

}  // namespace kdscope
