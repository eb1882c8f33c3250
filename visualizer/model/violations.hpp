#pragma once
// The violated checks of a run and the elements that they concern, for marks in tables, trees and views of space.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A violated check: its step, and its index among that step's checks.
struct Violation {
  std::uint32_t step = 0, check = 0;
  bool operator==(const Violation&) const = default;
};

/// Returns all violated checks of a run, by step. Work O(checks).
std::vector<Violation> violations_of(const Trace& trace);

/// Returns "First violation: tags[3] is 7.", "2 violations; the first: ...", "1 violation: ...". The text includes the
/// number of violations if the check counted them.
std::string violation_text(const CheckResult& check);

/// Returns the violating elements of an array after a step, as indices of its index space, ascending and disjoint.
std::vector<IndexRange> violating_elements(const Step& step, std::string_view array);
/// Returns the violating elements of all arrays with this index space, which a table of the space marks above its rows.
std::vector<IndexRange> violating_indices(const Trace& trace, const Step& step, Space space);
/// Returns the points that violating elements stand for after the cursor's step: points themselves, points at violating
/// positions, and points stored at violating nodes. Ascending; only the first `most` that are found.
std::vector<PointId> violating_points(const Cursor& cursor, std::size_t most = 2000);

}  // namespace kdscope
