#pragma once
// What the steps of a build show that splits each node's segment in place into a left-balanced tree.

#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope {

namespace arrays {
/// [n] Holds the deepest node that owns each position.
inline constexpr ArrayDef<std::uint32_t> node{{.name = "node", .values = Space::node}};
}  // namespace arrays

/// Writes the array "node", the partition so far and, as highlights, the segments and pivots of a level whose nodes
/// have just been split (-1: no level yet). Accepts any contents. Work O(n levels).
void add_segments_in_place(StepWriter& step, const PointSet& points, const SegmentState& state, int level);

}  // namespace kdscope
