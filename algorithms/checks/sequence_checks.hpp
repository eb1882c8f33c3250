#pragma once
// Checks of the steps of builds that keep one order of the points per dimension (Hu et al. 2015). All on the host, over
// plain views; used by the recorder and the tests.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// State of a build with one order of the points a dimension, as downloaded.
struct SequenceState {
  std::span<const std::uint32_t> owner;            ///< [n] position -> node; no_id where a leaf has settled
  std::vector<std::span<const PointId>> sequence;  ///< [k][n] position -> point; looked at where owner says a node
  PointsView points;
  std::vector<std::string> names = {};  ///< [k] of the sequences in the trace; empty: there are none
};

/// Every dimension's sequence holds the same points in each node: no point was lost, doubled or moved elsewhere.
CheckResult check_sequences_agree(const SequenceState& state);
/// Within a node each dimension's sequence ascends by (coordinate, original index).
CheckResult check_sequences_sorted(const SequenceState& state);

}  // namespace kdscope
