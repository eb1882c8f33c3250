#pragma once
// Ranks the points of subtrees that several blocks share.

#include "algorithms/builders/rank/block_ranks.hpp"
#include "algorithms/builders/rank/round.hpp"

namespace kdscope::rank {

/// Ranks the points of subtrees along all dimensions, one block per subtree and dimension, so that blocks that share a
/// subtree need not repeat it.
struct RankSubtrees {
  static constexpr int most_lanes = 1024;
  static constexpr std::size_t bytes_per_point = 12;  ///< of shared memory, beside a few hundred
  Records from;
  std::uint32_t n, k;
  int level;             ///< the roots' level
  std::uint32_t most;    ///< the most points of a subtree
  std::uint16_t* ranks;  ///< [k x n] by position: the rank of each point within its subtree

  std::size_t shared_bytes() const { return 8 * most + BlockRanks<int>::shared_bytes(most) + 64; }
  int lanes() const { return most_lanes / (most > 1023 ? 1 : most > 511 ? 2 : 4); }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t d = block.index() % k;
    const NodeId root{full_tree_size(level) + block.index() / k};
    const std::uint32_t begin = in_order_begin(root, n), size = subtree_size(root, n);
    auto* column = block.template shared<std::uint32_t>(static_cast<int>(most));
    auto* list = block.template shared<std::uint16_t>(static_cast<int>(most));
    auto* rank = block.template shared<std::uint16_t>(static_cast<int>(most));
    auto* ends = block.template shared<std::uint32_t>(2);
    // Where indices have to be ranked, no key is read any more, so both take the same memory
    BlockRanks<Block> ranked(block, most, list, reinterpret_cast<std::uint16_t*>(column));
    block.lanes([&](int lane) {
      if (lane == 0) ends[0] = no_id, ends[1] = 0;
    });
    ranked.along(from, begin, size, d, n, &ends[0], &ends[1], column, rank);
    block.lanes([&](int lane) {
      std::uint16_t* const to = ranks + std::size_t(d) * n + begin;
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size;
           i += static_cast<std::uint32_t>(block.lane_count()))
        to[i] = rank[i];
    });
  }
};

}  // namespace kdscope::rank
