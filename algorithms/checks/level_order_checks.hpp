#pragma once
// Checks of the steps of builds that sort chunk by chunk (Wehr & Radkowski 2018). All on the host, over plain views;
// used by the recorder and the tests.

#include <cstdint>
#include <span>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope {

/// State during a build, as downloaded: "index" and the array p_d that the level sorts by; or I' and T.
struct KeyState {
  std::span<const PointId> point_of_position;      ///< [n]
  std::span<const std::uint32_t> key_of_position;  ///< [n]
};

/// p_d[i] is the key of point index[i]: dimension d was reorganized with the others (§III-A, Algorithm 1).
/// keys: [n] quantized coordinates of dimension d, in original order.
CheckResult check_keys_follow_index(const KeyState& state, std::span<const std::uint32_t> keys, std::uint32_t dim);

/// After a level's sort each chunk holds the points that it held before, by ascending key, equal keys in the order that
/// they had before (Algorithm 2; a radix sort needs stable passes, §III-C).
CheckResult check_chunks_sorted(const KeyState& before, const KeyState& after, const ChunksOfLevel& chunks);
/// The splitting elements, medians of the levels above, stay at the places of the closed form (appendix II).
CheckResult check_splitting_elements(const KeyState& before, const KeyState& after, const ChunksOfLevel& chunks);

/// One pass of the parallel radix sort (Algorithm 3).
struct RadixPass {
  ChunksOfLevel chunks;
  std::uint32_t base = 32;               ///< 2 to 256
  std::uint32_t pass = 0;                ///< 0 for the lowest digit
  std::uint32_t threads_per_block = 32;  ///< TPB, positions a block; at most a chunk's width

  std::uint32_t blocks() const { return (chunks.n + threads_per_block - 1) / threads_per_block; }
  std::uint32_t digit_of(std::uint32_t key) const;
};

/// h_0 and h_1 of each block count the digits of its positions, splitting elements left out (Algorithm 4).
/// keys: [n] p_d before the pass; h: [blocks x 2 x base].
CheckResult check_block_histograms(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> h,
                                   const RadixPass& pass);
/// H holds h_0 and h_1 of every block, chunks back to back, within a chunk digit by digit, within a digit block by
/// block (§III-C, Fig. 3), and nothing else. columns: [chunks + 1], the first (block, chunk) pair of each chunk, block
/// b of chunk c being pair b + c; H: [base * columns[chunks]].
CheckResult check_histogram_layout(std::span<const std::uint32_t> h, std::span<const std::uint32_t> columns,
                                   std::span<const std::uint32_t> H, const RadixPass& pass);
/// H' is the inclusive prefix sum of H (Algorithm 3), and ends with n less the splitting elements, which are not
/// counted.
CheckResult check_prefix_sum(std::span<const std::uint32_t> H, std::span<const std::uint32_t> H_sum,
                             const ChunksOfLevel& chunks);
/// T and I' are p_d and index sorted by this pass's digit within each chunk, stably, splitting elements copied through
/// (Algorithm 5, as meant: outputs of chunk c lie c places further, behind the splitting elements in front of it).
CheckResult check_distribution(const KeyState& before, const KeyState& distributed, const RadixPass& pass);

/// Slots of level `level` and above hold the medians of their chunks, or on the last level the one point of theirs;
/// those below are empty (§III-D). tree: [slots], no_id where empty.
CheckResult check_level_nodes(std::span<const PointId> tree, std::span<const PointId> point_of_position, int level);

}  // namespace kdscope
