#pragma once
// Checks of the steps of builds that sort chunk by chunk (Wehr & Radkowski 2018). They run on the host over plain
// views; the recorder and the tests use them.

#include <cstdint>
#include <span>

#include "algorithms/core/check_result.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope {

/// The downloaded state during a build: "index" and the array p_d by which the level sorts; or I' and T.
struct KeyState {
  std::span<const PointId> point_of_position;      ///< [n]
  std::span<const std::uint32_t> key_of_position;  ///< [n]
};

/// Checks that p_d[i] is the key of point index[i], that is, that dimension d was reorganized with the others (§III-A,
/// Algorithm 1). keys: [n] keys of dimension d, in original order.
CheckResult check_keys_follow_index(const KeyState& state, std::span<const std::uint32_t> keys, std::uint32_t dim);

/// Checks that, after a level's sort, each chunk holds the same points as before, by ascending key, and that equal keys
/// keep their earlier order (Algorithm 2; a radix sort needs stable passes, §III-C).
CheckResult check_chunks_sorted(const KeyState& before, const KeyState& after, const ChunksOfLevel& chunks);
/// Checks that the splitting elements, which are medians of the levels above, stay at the places of the closed form
/// (appendix II).
CheckResult check_splitting_elements(const KeyState& before, const KeyState& after, const ChunksOfLevel& chunks);

/// One pass of the parallel radix sort (Algorithm 3).
struct RadixPass {
  ChunksOfLevel chunks;
  std::uint32_t base = 32;               ///< 2 to 256
  std::uint32_t pass = 0;                ///< 0 for the lowest digit
  std::uint32_t threads_per_block = 32;  ///< TPB, positions per block; at most a chunk's width

  std::uint32_t blocks() const { return (chunks.n + threads_per_block - 1) / threads_per_block; }
  std::uint32_t digit_of(std::uint32_t key) const;
};

/// Checks that h_0 and h_1 of each block count the digits of its positions, without splitting elements (Algorithm 4).
/// keys: [n] p_d before the pass; h: [blocks x 2 x base].
CheckResult check_block_histograms(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> h,
                                   const RadixPass& pass);
/// Checks that H holds h_0 and h_1 of every block and nothing else: chunks one after another, digit by digit within a
/// chunk, block by block within a digit (§III-C, Fig. 3). columns: [chunks + 1], the first (block, chunk) pair of each
/// chunk, where block b of chunk c is pair b + c; H: [base * columns[chunks]].
CheckResult check_histogram_layout(std::span<const std::uint32_t> h, std::span<const std::uint32_t> columns,
                                   std::span<const std::uint32_t> H, const RadixPass& pass);
/// Checks that H' is the inclusive prefix sum of H (Algorithm 3) and ends with n minus the number of splitting
/// elements, which are not counted.
CheckResult check_prefix_sum(std::span<const std::uint32_t> H, std::span<const std::uint32_t> H_sum,
                             const ChunksOfLevel& chunks);
/// Checks that T and I' are p_d and index, stably sorted by this pass's digit within each chunk, and that splitting
/// elements are copied. (Algorithm 5 as intended: the outputs of chunk c are shifted by the c splitting elements before
/// it.)
CheckResult check_distribution(const KeyState& before, const KeyState& distributed, const RadixPass& pass);

/// Checks that the slots of level `level` and above hold the medians of their chunks, or on the last level the chunk's
/// only point, and that all slots below are empty (§III-D). tree: [slots], no_id in empty slots.
CheckResult check_level_nodes(std::span<const PointId> tree, std::span<const PointId> point_of_position, int level);

}  // namespace kdscope
