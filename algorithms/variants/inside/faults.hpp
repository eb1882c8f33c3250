#pragma once
// What is wrong in the recording of a launch, whatever its results are: a device may run lanes, warps and blocks in any
// order.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/variants/inside/launch_recording.hpp"

namespace kdscope::access_log {

enum class FaultKind : std::uint8_t {
  out_of_bounds,        ///< of a global or shared array, or after its release
  unwritten_read,       ///< of an element that nobody wrote
  race_in_group,        ///< two lanes of a block or warp at one address in one interval, one of which writes
  race_between_groups,  ///< the same of two blocks or warps, or two indices, of one launch
  barrier,              ///< not all lanes reach a call that all make together
  lane_rules,           ///< a lane uses another one's registers, or all lanes do what each does for itself
  order,                ///< a result depends on the order of lanes, warps or blocks
};
/// Returns "out of bounds", "race in a block", ...
const char* name_of(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::out_of_bounds;
  std::string sentence;
  std::uint64_t times = 1;                        ///< how often it happens at these lines in this array
  std::optional<Access> first = {}, second = {};  ///< second: of a race; of an order, in a run in another order
  std::uint32_t launch = 0;
};

/// Returns one fault per kind, array and pair of lines, the first of its kind first. A race needs two accesses that are
/// not both atomic, and not both reads. Writes of one value to one place are no race, as any order gives the same
/// result. Work O(accesses * bytes of each), in time and memory.
std::vector<Fault> find_faults(const LaunchRecording& recording);

}  // namespace kdscope::access_log
