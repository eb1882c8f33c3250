#pragma once
// Checks a left-balanced tree in an NPY file that is larger than the memory, against the file of its points.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/check_result.hpp"
#include "algorithms/slabs/plan.hpp"

namespace kdscope::slabs {

struct SlabVerification {
  Shape shape;
  std::uint64_t tree_hash = 0;
  std::vector<CheckResult> findings;
};

/// Makes the checks of verify_left_balanced_tree() with split dimensions level mod k, within `memory` bytes: subtree by
/// subtree for the order of the points, and slab by slab of `points` for their coordinates, for each of which the tree
/// is read once. points: an NPY file as build_in_slabs() takes it; empty: coordinates are not compared. Work
/// O(n (log n + k)) on all threads. Errors: bad_input for files of other kinds; out_of_memory for a limit that is too
/// small; cancelled.
Result<SlabVerification> verify_in_slabs(const std::string& tree, const std::string& points, std::uint64_t memory,
                                         const RunControl& control = {});

}  // namespace kdscope::slabs
