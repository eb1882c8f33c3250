#pragma once
// Linked selection: one pick, seen in every index space at the current step.

#include <vector>

#include "app/session/session.hpp"

namespace kdscope {

/// What a selection means at a step. A node stands for the points that belong to it, a cell for those that it counts.
struct LinkedSelection {
  std::vector<IndexRange> positions;  ///< ascending
  std::vector<std::uint32_t> points;  ///< ascending
  std::vector<std::uint32_t> nodes;
};

/// Follows the trace's arrays from one space to the others: an array with index space A and value space B links them.
/// Work O(n) for points, nodes and cells, O(1) for a
/// position, O(count) for a segment.
LinkedSelection link(const Cursor& cursor, Selection selection);

/// The selection that survives a step: a position is alone is turned into the point there, so that the mark follows the point.
Selection pin_to_point(const Cursor& cursor, Selection selection);

}  // namespace kdscope
