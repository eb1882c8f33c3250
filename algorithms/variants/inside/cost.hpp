#pragma once
// What the lines of a launch cost a device: how often they run, how many lanes take part, which memory they move.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/variants/inside/launch_recording.hpp"

namespace kdscope::access_log {

/// The accesses of one line to one array. A *warp access* is what the 32 lanes of a warp do at one place of the code in
/// one turn of the loops around it (loop_turns.hpp): lanes wait for one another at the end of each turn. An access
/// outside of intervals is made by all warps of its block.
struct LineCost {
  std::uint32_t launch = 0;
  std::string line;  ///< "update_tags.hpp:45"
  std::string array;
  bool shared = false;
  AccessKind kind = AccessKind::read;
  /// An element that is wider than its alignment takes one warp access per piece of that width. lanes: active ones,
  /// over all warp accesses.
  std::uint64_t warp_accesses = 0, lanes = 0;
  /// Global arrays: 32-byte pieces of memory that a warp access touches, where every array begins at such a piece; and
  /// the fewest that hold as many different bytes. ncu counts the first as
  /// l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum of reads, op_st of writes, op_red or op_atom of atomics.
  std::uint64_t sectors = 0, least_sectors = 0;
  /// Shared arrays: how many more passes the 32 banks of 4 bytes take than without conflicts: the largest number of
  /// different words that lanes want of one bank, less 1. Accesses of 8 bytes go by half warps, of 16 by quarters. ncu:
  /// l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum.
  std::uint64_t bank_conflicts = 0;

  double lanes_active() const { return static_cast<double>(lanes) / static_cast<double>(warp_accesses); }
};

/// Returns the lines that move most first: by sectors, then by conflicts, then by warp accesses.
std::vector<LineCost> cost_of_lines(const LaunchRecording& recording);

}  // namespace kdscope::access_log
