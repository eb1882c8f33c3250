#pragma once
// What a batch of queries costs on lanes that take turns together: a warp takes as many turns as the longest of its
// lanes' queries. A turn is a node visited.

#include <algorithm>
#include <cstdint>
#include <span>

namespace kdscope {

inline constexpr std::uint32_t lanes_per_warp = 32;

struct WarpWork {
  std::uint64_t visits = 0;  ///< nodes visited by all queries
  std::uint64_t turns = 0;   ///< turns of all warps
  std::uint64_t slots = 0;   ///< turns of all warps times their lanes: what the visits would be if none were idle
  /// Returns the share of lanes at work, 0 to 1.
  double share() const { return slots == 0 ? 1 : static_cast<double>(visits) / static_cast<double>(slots); }
};

/// visited: [queries]; order: [queries] the query of each thread. Work O(n).
inline WarpWork warp_work(std::span<const std::uint32_t> visited, std::span<const std::uint32_t> order) {
  WarpWork work;
  for (std::size_t first = 0; first < order.size(); first += lanes_per_warp) {
    const std::size_t lanes = std::min<std::size_t>(lanes_per_warp, order.size() - first);
    std::uint32_t most = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      most = std::max(most, visited[order[first + lane]]);
      work.visits += visited[order[first + lane]];
    }
    work.turns += most;
    work.slots += std::uint64_t(most) * lanes;
  }
  return work;
}

}  // namespace kdscope
