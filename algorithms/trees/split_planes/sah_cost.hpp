#pragma once
// The cost of a ray in a finished tree of split planes, and statistics of its leaves.

#include <cstdint>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// Statistics of the leaves of a finished tree of split planes.
struct TreeShape {
  std::uint32_t leaves = 0, empty_leaves = 0, fullest_leaf = 0, deepest_leaf = 0;  ///< the root has depth 0
  std::uint64_t references = 0;  ///< number of primitives of all leaves together
};

/// Counts leaves and references. Precondition: nodes in pre-order. Work O(nodes).
TreeShape shape_of(const SplitPlaneTree& tree);

/// The cost of a tree by the surface area heuristic (Zhou et al. 2008, §3, evaluated over the whole tree), in tests of
/// one primitive. The probability that a ray meets a node is the ratio of its volume's surface to the root's. If the
/// root has no surface, every node has the probability 1.
struct TreeCost : TreeShape {
  double traversal = 0;  ///< C_ts for each inner node
  double tests = 0;      ///< one per primitive of a leaf
  double total() const { return traversal + tests; }
};

/// Computes the cost of a tree. traversal_cost: C_ts. Sums in node order, in doubles. Precondition: nodes in pre-order;
/// three dimensions. Work O(nodes).
TreeCost sah_cost(const SplitPlaneTree& tree, double traversal_cost);

}  // namespace kdscope
