#pragma once
// Records a build by several ranks as one trace, in which a row names the rank that holds each point.

#include <cstdint>
#include <memory>
#include <stop_token>

#include "algorithms/cluster/rank_build.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::cluster {

/// What the trace of a build is of, and how much memory it may keep.
struct RecordingOf {
  std::shared_ptr<const DataSet> data;  ///< this rank's share: the name, the up axis and the warnings are recorded
  std::uint64_t budget = 0;             ///< bytes, as the first rank has them
};

/// Builds the tree of all ranks' points with all stages recorded. The first rank gathers every stage and returns the
/// trace; the others return null. Positions of the trace are those of all ranks' memories, one rank behind the other.
/// Samples are smaller and subtrees fewer than those of a timed build, so that sets of a hundred points are split as
/// large ones are. The same points on as many ranks give the same trace. Collective. Every stage is checked against
/// sorted copies of its nodes' points.
///
/// Work on the first rank O(stages n (levels + log n)); memory there: the trace, and on every rank 5 bytes per point
/// of all ranks. Errors, the same on all ranks: over_budget before the build where the estimate exceeds one and a half
/// times the budget, and during it once the trace does.
Result<std::shared_ptr<const Trace>> record_by_rank(Communicator& ranks, PointShare share,
                                                    const rank::RankOptions& options, const RecordingOf& of,
                                                    std::stop_token stop);

}  // namespace kdscope::cluster
