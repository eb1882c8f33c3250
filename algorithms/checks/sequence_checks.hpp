#pragma once
// Checks of the steps of builds that keep one order of the points per dimension (Hu et al. 2015). They run on the host
// over plain views; the recorder and the tests use them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// The downloaded state of a build with one order of the points per dimension.
struct SequenceState {
  std::span<const std::uint32_t> owner;            ///< [n] the node at each position; no_id where a leaf has settled
  std::vector<std::span<const PointId>> sequence;  ///< [k][n] the point at each position; read where owner names a node
  PointsView points;
  std::vector<std::string> names = {};  ///< [k] names of the sequences in the trace; empty for none
};

/// Checks that the sequences of all dimensions hold the same points in each node, so that no point was lost, duplicated
/// or moved to another node.
CheckResult check_sequences_agree(const SequenceState& state);
/// Checks that each dimension's sequence ascends by (coordinate, original index) within every node.
CheckResult check_sequences_sorted(const SequenceState& state);

}  // namespace kdscope
