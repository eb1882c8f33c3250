#pragma once
// The builder by rank (algorithms/builders/rank) over the memories of several ranks. Its upper levels are split by all
// ranks together, then every point moves once, to the rank that finishes its subtree.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/cluster/communicator.hpp"
#include "algorithms/cluster/pivot_search.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::cluster {

/// A rank's share of the input: points that follow each other in the order of their indices. Ranks hold theirs in
/// their own order, and a share may be empty.
struct PointShare {
  PointSet points;
  std::uint64_t first = 0;  ///< original index of the first point
};

/// A rank's share of the tree of n points, in any order: of a left-balanced tree, or of median stores.
struct TreeShare {
  std::uint64_t n = 0;
  std::uint32_t upper_nodes = 0;  ///< nodes that all ranks have split together; their points may be on any rank
  bool stores = false;            ///< nodes are entries of median stores; points that are removed from them have no_id
  std::vector<NodeId> node;
  std::vector<PointId> point_of_node;  ///< by row, as the other members
  std::vector<std::uint8_t> split_dim;
  PointSet points;  ///< coordinates alone
};

/// How finely a build works. No tree depends on it.
struct BuildSizes {
  std::uint64_t few = 2048;        ///< up to this many points of a node are compared by all ranks; of more, a sample
  std::uint64_t of_level = 16384;  ///< points of the samples of a level, over all nodes and ranks
  std::uint64_t least = 256;       ///< the least of a node's; with fewer than 64, a bracket may narrow nothing
  std::uint64_t subtrees = 16;     ///< per rank, below the upper levels; shares are then even to about a sixteenth
};

/// A build between two of its stages, as one rank sees it.
struct BuildStage {
  enum class After : std::uint8_t { shares, narrow, split, keep_pivots, exchange, finish };
  After after;
  int level = -1, pass = -1;
  std::vector<PointId> points;          ///< [own] original indices of this rank's points, in the order of its memory
  std::vector<NodeId> nodes;            ///< [own] the node to which each belongs, or whose pivot it is
  std::vector<std::uint8_t> split_dim;  ///< at the end: [own] of the nodes
  // The same on all ranks:
  std::span<const PivotSearch> searches = {};  ///< of a narrowing: [nodes of the level]
  std::vector<PointId> sampled = {};           ///< of a narrowing: points whose orders all ranks have seen
};
/// Watches a build. Every rank calls it after every stage.
using BuildObserver = std::function<void(const BuildStage&)>;

/// Builds the tree of all ranks' points, which is that of one process, bit for bit, at any number of ranks. Collective.
///
/// All ranks split the upper levels, about 16 subtrees per rank. On each level they find all pivots at once: samples of
/// all ranks bracket each pivot, each rank partitions its points by the brackets in place, and sums of the counts tell
/// where the pivot lies, until few points are left, which all ranks see. A partition in place leaves the points of
/// each subtree side by side, so that one exchange moves every point to the rank that finishes its subtree alone.
///
/// Work O(n / ranks log n). Memory beside the share: twice k + 1 words per point at the exchange. Rows of the
/// result: those of the finished subtrees, and the pivots of the upper levels that this rank held.
/// Throws ErrorException, on all ranks alike except where memory or the stop token ends one of them.
TreeShare build_by_rank(Communicator& ranks, PointShare share, const rank::RankOptions& options, std::stop_token stop,
                        const BuildSizes& sizes = {}, const BuildObserver& observer = {});

/// Returns the rank that finishes a subtree of a tree of n points.
std::uint32_t owner_of_subtree(NodeId root, std::uint32_t n, std::uint32_t ranks);

/// Returns the hash of the whole tree. Collective. Work O(nodes of the share).
std::uint64_t tree_hash_of(Communicator& ranks, const TreeShare& share);

}  // namespace kdscope::cluster
