#pragma once
// The violated checks of a run, and what of a step's state they are about: tables, trees and views of space mark it.

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

/// All violated checks of a run, by step. Work O(checks).
std::vector<Violation> violations_of(const Trace& trace);
/// Whether a check of the step is violated.
bool is_violated(const Step& step);

/// "First violation: tags[3] is 7.", "2 violations; the first: ...", "1 violation: ...": how many there are is said
/// where the check counted them.
std::string violation_text(const CheckResult& check);

/// The violating elements of an array after a step, as indices of its index space: ascending, disjoint.
std::vector<IndexRange> violating_elements(const Step& step, std::string_view array);
/// The violating elements of all arrays with an index space: what a table of that space marks above its rows.
std::vector<IndexRange> violating_indices(const Trace& trace, const Step& step, Space space);
/// The points that violating elements stand for after the cursor's step: points themselves, those at violating
/// positions, those stored at violating nodes. Ascending, the first `most` that are found.
std::vector<PointId> violating_points(const Cursor& cursor, std::size_t most = 2000);

}  // namespace kdscope
