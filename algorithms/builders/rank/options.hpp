#pragma once
// Parameters of the builder by rank.

#include <cstdint>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope::rank {

inline constexpr std::uint32_t max_dim = 8;

/// The most levels that one round splits, and the most points of a subtree that one block finishes.
inline constexpr std::uint32_t max_levels_per_round = 3, max_subtree = 4096, max_intervals = 64, max_sample = 1024;

/// Up to this many subtrees are shared by at least four blocks each. Shared subtrees have up to four times as many
/// points as others.
inline constexpr std::uint32_t max_shared = 32;

struct RankOptions {
  Split split = Split::round_robin;
  std::uint32_t levels_per_round = 3;
  std::uint32_t sample = 512;
  std::uint32_t intervals = 64;
  std::uint32_t subtree = max_subtree;
};

const OptionTable<RankOptions>& option_table();

}  // namespace kdscope::rank
