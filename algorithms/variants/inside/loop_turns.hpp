#pragma once
// The loops of kernels, and their turns, from the order in which lanes pass places of the code.

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "algorithms/variants/inside/launch_recording.hpp"

namespace kdscope::access_log {

/// Numbers the turns of loops, so that the accesses of several lanes stand side by side as a device makes them: lanes
/// that leave an inner loop early wait behind it, and lanes that skip a line leave a hole in that turn.
///
/// Sites that lanes reach from one another again and again are a loop. What remains of it without the way back to its
/// first site is searched for inner loops (Bourdoncle's weak topological order). A lane that goes on at a site that is
/// not behind its last one begins a turn. A loop without accesses other than those of an inner loop counts as one with
/// that loop.
class LoopTurns {
 public:
  /// Finds the loops of the accesses [begin, end). Precondition: the accesses of a lane in an interval follow one
  /// another. Work O(accesses log sites + sites * ways between them).
  LoopTurns(const LaunchRecording& recording, std::size_t begin, std::size_t end);

  /// Returns a number that two accesses at one site share if all loops around it are in the same turn. Takes the
  /// accesses in their order; Access::order 0 begins a lane's interval.
  std::uint32_t turn_of(const Access& access);

 private:
  /// A loop around a site, or the kernel itself, and the place in it of the site or of the inner loop that holds it.
  struct Level {
    std::uint32_t loop, position;
  };
  struct Turn {
    std::uint32_t count = 0, number = 0;  ///< of the loop; of this loop and all around it
  };
  struct Ways;

  std::vector<std::vector<Level>> levels_;  ///< by site, from the outside
  std::uint32_t last_ = 0;                  ///< site
  std::vector<Turn> turns_;                 ///< by level of the last site
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  ///< by outer, loop, count
};

}  // namespace kdscope::access_log
