#pragma once
// The builder by rank (algorithms/builders/rank) over the memories of several ranks. Its upper levels are split by all
// ranks together, then every point moves once, to the rank that finishes its subtree.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/cluster/communicator.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::cluster {

/// A rank's share of the input: points that follow each other in the order of their indices. Ranks hold theirs in
/// their own order, and a share may be empty.
struct PointShare {
  PointSet points;
  std::uint64_t first = 0;  ///< original index of the first point
};

/// A rank's share of a left-balanced tree of n nodes, in any order.
struct TreeShare {
  std::uint64_t n = 0;
  std::vector<NodeId> node;
  std::vector<PointId> point_of_node;  ///< by row, as the other members
  std::vector<std::uint8_t> split_dim;
  PointSet points;  ///< coordinates alone
};

/// Builds the tree of all ranks' points, which is that of one process, bit for bit, at any number of ranks. Collective.
///
/// All ranks split the upper levels, about 16 subtrees per rank. On each level they find all pivots at once: samples of
/// all ranks bracket each pivot, each rank partitions its points by the brackets in place, and sums of the counts tell
/// where the pivot lies, until few points are left, which all ranks see. A partition in place leaves the points of
/// each subtree side by side, so that one exchange moves every point to the rank that finishes its subtree alone.
///
/// Work O(n / ranks log n). Memory beside the share: three times k + 1 words per point at the exchange. Rows of the
/// result: those of the finished subtrees, and the pivots of the upper levels that this rank held.
/// Throws ErrorException, on all ranks alike except where memory or the stop token ends one of them.
TreeShare build_by_rank(Communicator& ranks, PointShare share, const rank::RankOptions& options, std::stop_token stop);

/// Returns the hash of the whole tree. Collective. Work O(nodes of the share).
std::uint64_t tree_hash_of(Communicator& ranks, const TreeShare& share);

}  // namespace kdscope::cluster
