#pragma once
// Finds the exact pivots of a level in their windows, and the windows of the level below.

#include "algorithms/builders/rank/block_search.hpp"
#include "algorithms/builders/rank/round.hpp"

namespace kdscope::rank {

// [region rank/narrow]
/// Finds the pivot of each node of level down - 1 among the points of its window, adds the window's points to the bins
/// of the children, and finds the windows of the children: the bins that hold their ranks. One block per node of level
/// down - 1; for down = 0, one block per segment finds the window of its root. A window is long if a bracket missed its
/// pivot or the sample chose another dimension; it takes longer, by the same code.
/// Numbers: t counts the nodes of a segment in level order, c sibling nodes, j the listed points, i positions in
/// memory; l is the lane.
struct Narrow {
  static constexpr int most_lanes = 512;
  static constexpr std::uint32_t log_bins = 8;
  Round round;
  int down;

  /// The most points of a list that a block copies. The first rounds have the longest windows and few blocks.
  KDSCOPE_HD std::uint32_t cached() const { return round.level < 6 ? 4096 : 1024; }
  std::uint32_t blocks() const { return down == 0 ? round.segments() : round.segments() << (down - 1); }
  std::size_t shared_bytes() const {
    const std::size_t row = down < round.levels ? (round.bins(down).count() + 2) * sizeof(std::uint32_t) : 0;
    return down == 0 ? row + 256 : BlockSearch<int>::shared_bytes(log_bins) + cached() * 12 + 2 * row + 256;
  }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    // Before the round's first level there is no pivot to find: only find the window of the segment's root
    if (down == 0) {
      find_windows(block, block.index(), 0, 1, [](auto&&) {});
      return;
    }
    // Find the block's node, its window, and how many points the pass before has listed for it
    const std::uint32_t segment = block.index() >> (down - 1);
    const std::uint32_t t = full_tree_size(down - 1) + (block.index() & ((1u << (down - 1)) - 1));
    const NodeId node = round.node(segment, t);
    const std::uint32_t of_level = round.of_level(segment, t), listed = round.listed[of_level];
    const Window window = round.windows[round.slot(segment, t)];
    // Copy a short list to shared memory: the search reads it several times, from all over the segment
    auto* const orders = block.template shared<Order>(static_cast<int>(cached()));
    auto* const positions = block.template shared<std::uint32_t>(static_cast<int>(cached()));
    const std::uint32_t* const list = round.list_of(node);
    const bool copied = listed <= cached();
    if (copied)
      block.lanes([&](int lane) {
        for (std::uint32_t j = static_cast<std::uint32_t>(lane); j < listed;
             j += static_cast<std::uint32_t>(block.lane_count())) {
          positions[j] = list[j];
          orders[j] = round.from.order(list[j], window.dim);
        }
      });
    const WindowPoints points{&round.from, copied ? positions : list, copied ? orders : nullptr, window.dim, listed};
    // Find the pivot in the window: its rank there is its rank in the node less the number of points below the window.
    // The lane that finds it writes the plane; the other points need no side.
    BlockSearch<Block> search(block, round.from.type, log_bins);
    OrderRange range{key_of(window.lo), key_of(window.hi), 0, round.n - 1};
    if (range.is_one_key()) range.lo_id = point_of(window.lo).value, range.hi_id = point_of(window.hi).value;
    search(range, rank_of_pivot(node, round.n) - window.below, points, [&](std::uint32_t j, int side) {
      if (side == 0) round.planes[node.value] = {round.from.order(points.positions[j], window.dim), window.dim};
    });
    // All lanes have read the length; the next level's pass finds it 0 again
    block.lanes([&](int lane) {
      if (lane == 0) round.listed[of_level] = 0;
    });
    // The round has no level below, so there are no windows to find: the whole block ends here
    if (down == round.levels) return;
    // The barrier above makes the plane visible, which one lane has written to global memory
    const Plane plane = round.planes[node.value];
    // The pass before led no point of the window to a child, so no bin has counted them: count them now
    find_windows(block, segment, 2 * t + 1, 2, [&](auto&& add) {
      const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
      block.lanes([&](int lane) {
        for (std::uint32_t j = static_cast<std::uint32_t>(lane); j < points.count(); j += width) {
          const std::uint32_t i = points.positions[j];
          if (const int side = round.side_of(i, plane); side != 0) add(side > 0, i);
        }
      });
    });
  }

 private:
  /// The points of a window.
  struct WindowPoints {
    const Records* from;
    const std::uint32_t* positions;
    const Order* orders;  ///< of these points, or null
    std::uint32_t dim, listed;

    KDSCOPE_HD std::uint32_t count() const { return listed; }
    KDSCOPE_HD std::uint32_t key(std::uint32_t j) const {
      return orders ? key_of(orders[j]) : from->key(positions[j], dim);
    }
    KDSCOPE_HD std::uint32_t id(std::uint32_t j) const {
      return orders ? point_of(orders[j]).value : from->point(positions[j]).value;
    }
  };

  /// Finds the windows of the sibling nodes t to t + nodes - 1 of a segment. add_rest(add) calls add(c, i) for each
  /// point i that no pass has counted; it goes to sibling t + c.
  template <class Block, class AddRest>
  KDSCOPE_HD void find_windows(Block& block, std::uint32_t segment, std::uint32_t t, std::uint32_t nodes,
                               const AddRest& add_rest) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
    const Bins bins = round.bins(down);
    // Each node has a row of counters: bin 0 for the points below the bracket, the bracket's own bins, and a last one
    // that stays 0. After the exclusive sum, the last one holds the number of points up to the bracket's end.
    const std::uint32_t row = bins.count() + 2;
    auto* const counts = block.template shared<std::uint32_t>(static_cast<int>(nodes * row));
    auto* const dims = block.template shared<std::uint32_t>(2);
    const auto bracket = [&](std::uint32_t c) -> Bracket& { return round.brackets[round.slot(segment, t + c)]; };
    // Copy the counts that CountBins left, and reset them to 0 for its next pass. Choose the nodes' dimensions again:
    // the planes above them are exact by now.
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t c = 0; c < nodes; ++c) {
        std::uint32_t* const counted = round.counts_of(round.of_level(segment, t + c), bins);
        for (std::uint32_t bin = l; bin < row; bin += width) {
          counts[c * row + bin] = bin < row - 1 ? counted[bin] : 0;
          if (bin < row - 1) counted[bin] = 0;
        }
      }
      for (std::uint32_t c = l; c < nodes; c += width)
        dims[c] =
            round.rule.dim_of(round.node(segment, t + c), [&](NodeId above) { return round.planes[above.value]; });
    });
    // Add the points that the pass could not count; points above the bracket are not counted. Several lanes may add to
    // one bin, hence the atomic; only the sum matters, not the order
    add_rest([&](std::uint32_t c, std::uint32_t i) {
      const std::uint32_t bin =
          bins.bin_of(bracket(c), round.from.key(i, bracket(c).dim), [&] { return round.from.point(i); });
      if (bin <= bins.count()) block.atomic_add(&counts[c * row + bin], 1u);
    });
    // Sum over both siblings at once: differences within a row are its own sums
    block.exclusive_sum(counts, static_cast<int>(nodes * row));
    block.lanes([&](int lane) {
      for (std::uint32_t c = static_cast<std::uint32_t>(lane); c < nodes; c += width) {
        const NodeId node = round.node(segment, t + c);
        const std::uint32_t rank = rank_of_pivot(node, round.n), size = subtree_size(node, round.n);
        Window& window = round.windows[round.slot(segment, t + c)];
        // With split=widest, the sample's planes may have led to another dimension than the exact ones. The bracket's
        // counts are then useless, and all points of the node are its window.
        if (dims[c] != bracket(c).dim) {
          window = {0, largest_order, 0, size, dims[c]};
          continue;
        }
        // Find the last bin with no more than `rank` points before it; it holds the pivot. The row's last bin stands
        // for the points above the bracket.
        const std::uint32_t* const before = counts + c * row;
        std::uint32_t bin = 0, end = row;
        while (end - bin > 1) {
          const std::uint32_t middle = (bin + end) / 2;
          if (before[middle] - before[0] <= rank)
            bin = middle;
          else
            end = middle;
        }
        const std::uint32_t below = before[bin] - before[0], through = end < row ? before[end] - before[0] : size;
        Window found{0, 0, below, through - below, dims[c]};
        bins.range_of(bracket(c), bin, found.lo, found.hi);
        window = found;
      }
    });
  }
};
// [endregion]

}  // namespace kdscope::rank
