#pragma once
// The k nearest points of queries that lie on several ranks, in a tree whose shares lie there too.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "algorithms/cluster/rank_build.hpp"

namespace kdscope::cluster {

/// What was found for the queries of a rank.
struct NeighbourShare {
  std::vector<std::uint32_t> found;  ///< [queries * k] original indices, nearest first, no_id where there are fewer
  std::vector<double> distances;     ///< [queries * k] squared, as in SearchReport; infinity where there are fewer
  std::uint64_t asked = 0;           ///< the ranks that answered, added up over the queries
};

/// Finds the k nearest of every query, ties by original index. The results equal those of one process, bit for bit, at
/// any number of ranks. queries: this rank's own, of the tree's type and dimensions; there may be none. k: 1 to 128.
/// Collective.
///
/// Points of the nodes that all ranks have split together go to the rank whose points are nearest. Each rank knows the
/// boxes of all subtrees. A query travels to the rank of the nearest box, which answers from its own points. It then
/// travels to every other rank of which a box meets the ball around the query that reaches to the k-th point
/// found so far.
///
/// Work O(q k log n) for the q queries that a rank answers; a tree over the share is built for them. Memory beside the
/// share: that tree; k + 1 words per query, and four times k words per answer that travels.
/// Throws ErrorException, on all ranks alike except where memory or the stop token ends one of them.
NeighbourShare nearest_by_ranks(Communicator& ranks, const TreeShare& tree, const PointSet& queries, std::uint32_t k,
                                std::stop_token stop);

}  // namespace kdscope::cluster
