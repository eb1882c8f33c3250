#pragma once
// The violated checks of a run, and the elements that violate them at a step. The tables, the tree and the 2D/3D view
// mark these elements.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A violated check: its step, and its place among that step's checks.
struct Violation {
  std::uint32_t step = 0, check = 0;
  bool operator==(const Violation&) const = default;
};

/// Returns all violated checks of a run, by step. Work O(checks).
std::vector<Violation> violations_of(const Trace& trace);
/// Returns whether a check of the step is violated.
bool is_violated(const Step& step);

/// Returns "First violation: tags[3] is 7." or, if the check counted its violations, "1 violation: ..." or "2
/// violations; the first: ...".
std::string violation_text(const CheckResult& check);

/// Returns the violating elements of an array after a step, as indices of its index space; ascending, disjoint.
std::vector<IndexRange> violating_elements(const Step& step, std::string_view array);
/// Returns the violating elements of all arrays with an index space, which a table of that space marks above its rows.
std::vector<IndexRange> violating_indices(const Trace& trace, const Step& step, Space space);
/// Returns the points that violating elements represent after the cursor's step: violating points, points at violating
/// positions, and points stored at violating nodes. Ascending; the first `most` that are found.
std::vector<PointId> violating_points(const Cursor& cursor, std::size_t most = 2000);

}  // namespace kdscope
