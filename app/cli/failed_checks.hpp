#pragma once
// The failed checks of a recorded run with their steps and places, as `record` and `verify` print them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/text/json.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::cli {

/// An element of an array.
struct ElementPlace {
  std::string array;
  std::uint64_t index = 0;
};

/// The element that a check's detail begins with: "tags[984] is 62 ...". Empty if the detail does not begin with an
/// element of an array of the trace.
std::optional<ElementPlace> place_in(const Trace& trace, std::string_view detail);

/// A check that did not hold after a step. Points into the trace.
struct FailedCheck {
  const Step* step = nullptr;
  const CheckResult* check = nullptr;
  std::optional<ElementPlace> place;
};

/// All checks of a trace that failed, in the order of its steps. Work O(checks).
std::vector<FailedCheck> failed_checks(const Trace& trace);
/// Number of all checks of a trace.
std::size_t check_count(const Trace& trace);

/// "step 12 (build / level 5 / sort), observation 3.2: tags[984] is 62 in the segment of 61".
std::string failed_check_text(const FailedCheck& failed);

/// Writes the member `name` of an open JSON object: a list of step, path, name, statement, detail, violations (0: not
/// counted), array and index; the last two are null if the check names no element of an array.
void write_failed_checks(const std::string& name, const std::vector<FailedCheck>& failed, JsonWriter& json);

}  // namespace kdscope::cli
