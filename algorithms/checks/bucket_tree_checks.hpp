#pragma once
// Checks of trees whose leaves hold buckets of points, and the plain host builder that Hu et al.'s is compared with. All on the
// host, over plain views; used by the recorder, the tests and the headless tool alike.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// The tree by plain means: a queue of nodes; one of more than leaf_size points whose smallest box has an extent is split at
/// the middle of its widest side, ties to the lowest dimension, smaller coordinates to the left (Hu et al. 2015, §II). The
/// points of a node are ordered by the coordinate of dimension 0, then original index. Work O(n (log n + k depth)).
BucketTree reference_middle_split_tree(std::shared_ptr<const PointSet> points, std::uint32_t leaf_size);

/// Everything a finished tree must satisfy, each as a finding: the same points as the input, each at one position; the root has
/// them all, children partition their parent's positions, and lie on their sides of its split value; boxes are the smallest. leaf_size: also that
/// larger nodes have been split unless their points coincide, and smaller ones not; 0 leaves that out.
/// Work O(n k depth).
std::vector<Finding> verify_bucket_tree(const BucketTree& tree, const PointSet& input, std::uint32_t leaf_size = 0);

/// State of a build with one order of the points a dimension, as downloaded.
struct SequenceState {
  std::span<const std::uint32_t> owner;           ///< [n] position -> node; no_id where a leaf has settled
  std::vector<std::span<const PointId>> sequence; ///< [k][n] position -> point; looked at where owner says a node
  PointsView points;
  std::vector<std::string> names = {};            ///< [k] of the sequences in the trace; empty: there are none
};

/// Every dimension's sequence holds the same points in each node: no point was lost, doubled or moved elsewhere.
Finding check_sequences_agree(const SequenceState& state);
/// Within a node each dimension's sequence ascends by (coordinate, original index).
Finding check_sequences_sorted(const SequenceState& state);

}  // namespace kdscope
