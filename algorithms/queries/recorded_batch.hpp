#pragma once
// A batch of searches as steps: every point is a query, served in two orders.

#include <memory>
#include <vector>

#include "algorithms/queries/search.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// What the steps show.
struct BatchReplay {
  std::shared_ptr<const Trace> built;  ///< a recording whose last state is the tree
  SearchSpec spec;
  SearchReport given, morton;                              ///< of all points, by the order of the queries
  std::vector<std::vector<std::uint32_t>> nodes_of_query;  ///< [points] the nodes visited, in order; empty: not known
  std::vector<CheckResult> checks;
};

/// Makes a trace of a batch: the finished tree, then the given order and that along a Morton curve, each with the
/// standard arrays batch_arrays. lanes is left out where it would have more than 2^22 entries, nodes also without
/// nodes_of_query, and idle, lanes and nodes where the search serves packets. most_steps: 0 for no limit. Work O(n +
/// warps x turns).
std::shared_ptr<const Trace> replay_batch(const BatchReplay& what, TraceHeader header, const RunControl& control,
                                          std::size_t most_steps);

}  // namespace kdscope
