#pragma once
// Results that depend on the order of lanes, warps and blocks: two recordings of one run in different orders are
// compared.

#include <optional>
#include <string>

#include "algorithms/variants/inside/faults.hpp"
#include "algorithms/variants/inside/launch_recording.hpp"

namespace kdscope::access_log {

/// What is compared.
struct OrderComparison {
  std::uint32_t launches = 0;  ///< the first ones, in which nothing else is wrong
  std::string file = {};       ///< only elements that lines of this file leave; empty: all
  std::string order = {};      ///< the other order, as a clause
};

/// Returns the first launch after which an element of a global array differs between a run in ascending order and one
/// in another order, as a fault of it, with the accesses that left the element and the first access at which a lane
/// does something else. Its second access is one of `recording`, too: its array and site are added where they are
/// missing. Both recordings hold all blocks and lanes. Work O(accesses * bytes of each).
std::optional<Fault> order_fault(LaunchRecording& recording, const LaunchRecording& other,
                                 const OrderComparison& comparison);

}  // namespace kdscope::access_log
