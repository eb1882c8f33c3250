#pragma once
// The pass over the points of a round that counts the bins of one level and lists the window of the level above.

#include "algorithms/builders/rank/round.hpp"

namespace kdscope::rank {

// [region rank/count]
/// Leads each point of a segment down to level `Down` of the round. On the levels above the last one the planes are
/// known. At level Down - 1, only the window of the pivot is known: the points beside it have their side, and those in
/// it are listed, to be compared later. At level `Down`, which is missing in a round's last pass, the points of each
/// bin are counted. Few points lie within a bracket; each lane queues them, so that it looks for their bins one after
/// the other. One block per tile of a segment. Reads 4 bytes per point and level.
///
/// by_level: all nodes of a level split the same dimension, so that its coordinate is read ahead.
/// Numbers: t counts the nodes of a segment in level order, c those of level `Down`, j the points of the tile, i
/// positions in memory, a the points that a lane reads ahead; l is the lane.
template <int Down, bool by_level>
struct CountBins {
  static constexpr int lanes = 256, most_lanes = lanes, blocks_per_multiprocessor = 5;
  static constexpr std::uint32_t per_lane = 32;  ///< at most; counts of a lane fit into bytes
  static constexpr std::uint32_t most_tile = lanes * per_lane, ahead = 4;
  static constexpr std::uint32_t inner = full_tree_size(Down > 0 ? Down - 1 : 0), first_counted = full_tree_size(Down);
  Round round;
  std::uint32_t tile, tiles;  ///< points per tile, a multiple of the lanes; tiles per segment

  std::uint32_t blocks() const { return tiles * round.segments(); }
  std::size_t shared_bytes() const {
    const std::size_t nodes = std::size_t{1} << Down;
    const std::size_t counted =
        Down < round.levels ? nodes * (sizeof(Bracket) + 4 * (round.bins(Down).count() + 1)) + tile : 0;
    return 2 * nodes * (sizeof(Keys) + sizeof(Orders)) + counted + 256;
  }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
    // Find the block's tile. Every segment gets as many blocks as the largest one needs, so the last blocks of a
    // smaller segment may have no points: they end here.
    const std::uint32_t segment = block.index() / tiles, n = round.n;
    const NodeId root = round.root(segment);
    const std::uint32_t size = subtree_size(root, n), first = block.index() % tiles * tile;
    if (first >= size) return;
    const std::uint32_t begin = in_order_begin(root, n) + first, points = size - first < tile ? size - first : tile;
    // A round's last pass only lists windows: then no node is counted
    const std::uint32_t counted = Down < round.levels ? 1u << Down : 0;
    const Bins bins = counted > 0 ? round.bins(Down) : Bins{0, 0};
    const std::uint32_t row = bins.count() + 1;

    // Copy to shared memory what the points are compared with on their way down: a node's pivot where it is known, its
    // window on level Down - 1, its bracket on level `Down`. All lanes read these for each of their points, and nearly
    // always the keys decide.
    auto* between = block.template shared<Keys>(static_cast<int>(first_counted + counted));
    auto* orders = block.template shared<Orders>(static_cast<int>(first_counted + counted));
    auto* brackets = block.template shared<Bracket>(static_cast<int>(counted));
    auto* found = block.template shared<std::uint32_t>(static_cast<int>(counted * row));
    auto* queue = block.template shared<std::uint8_t>(counted > 0 ? static_cast<int>(tile) : 0);
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t t = l; t < first_counted + counted; t += width) {
        orders[t] = orders_of(segment, t, bins);
        between[t] = {key_of(orders[t].lo), key_of(orders[t].hi)};
      }
      for (std::uint32_t c = 0; c < counted; ++c) {
        const Bracket& there = round.brackets[round.slot(segment, first_counted + c)];
        for (std::uint32_t e = l; e <= bins.intervals; e += width) brackets[c].edge[e] = there.edge[e];
        if (lane == 0) brackets[c].dim = there.dim;
      }
      for (std::uint32_t j = l; j < counted * row; j += width) found[j] = 0;
    });

    // Lead each point down, and count it: most lie below or above the bracket of their node, and few have to look for a
    // bin
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      const std::uint32_t* columns[Down + 1];
      KDSCOPE_UNROLLED
      for (int down = 0; down <= Down; ++down)
        columns[down] = round.from.column(static_cast<std::uint32_t>(round.level + down) % round.rule.k);
      std::uint32_t queued = 0, below = 0;  // below: a byte per node
      // Read several points of a lane before leading any, so that their loads overlap; neighbouring lanes read
      // neighbouring words
      for (std::uint32_t j = l; j < points; j += ahead * width) {
        std::uint32_t keys[ahead][Down + 1];
        if (by_level) {
          KDSCOPE_UNROLLED
          for (std::uint32_t a = 0; a < ahead; ++a) {
            // Past the tile's end, read the batch's first point again: the loads then need no branch
            const std::uint32_t i = begin + (j + a * width < points ? j + a * width : j);
            KDSCOPE_UNROLLED
            for (int down = 0; down <= Down; ++down)
              if (down < Down || counted > 0) keys[a][down] = round.from.word(columns[down], i);
          }
        }
        KDSCOPE_UNROLLED
        for (std::uint32_t a = 0; a < ahead; ++a) {
          const std::uint32_t at = j + a * width, i = begin + at;
          const auto key = [&](int down, std::uint32_t t) {
            return by_level ? ordered_key(keys[a][down], round.from.type) : round.from.key(i, orders[t].dim);
          };
          if (at >= points) continue;
          // Go down by keys alone, without a branch. A point whose key equals a plane's, or lies in the window, starts
          // again with its index; unless many points share a coordinate, few do.
          std::uint32_t t = 0;
          bool closely = false;
          KDSCOPE_UNROLLED
          for (int down = 0; down < Down; ++down) {
            const std::uint32_t own = key(down, t);
            const bool right = own > between[t].hi;
            closely |= own >= between[t].lo && !right;
            t = 2 * t + 1 + right;
          }
          if (closely) t = lead_closely(block, segment, i, key, orders);
          if (t == no_id || counted == 0) continue;
          // Count a point below the bracket, and queue one whose key lies in it. Points above it are counted nowhere:
          // the node's size gives their number.
          const std::uint32_t own = key(Down, t), c = t - first_counted;
          if (own < between[t].lo)
            below += 1u << (8 * c);
          else if (own <= between[t].hi)
            // An entry is a byte: the node in the upper three bits, the number of the point among the lane's in the
            // lower five. Each lane has a column of its own.
            queue[queued++ * width + l] = static_cast<std::uint8_t>(c << 5 | at / width);
        }
      }
      // Look for the bins of the queued points. They were queued by their keys alone; with their indices, they may
      // still lie below the bracket (bin 0) or above it (bin `row`, which is not counted).
      for (std::uint32_t q = 0; q < queued; ++q) {
        const std::uint32_t entry = queue[q * width + l], c = entry >> 5, i = begin + (entry & 31u) * width + l;
        const std::uint32_t bin =
            bins.bin_of(brackets[c], round.from.key(i, brackets[c].dim), [&] { return round.from.point(i); });
        if (bin < row) block.atomic_add(&found[c * row + bin], 1u);
      }
      // Add the lane's counts of points below the brackets to bin 0, with one atomic per node
      for (std::uint32_t c = 0; c < counted; ++c)
        if (const std::uint32_t of_lane = below >> (8 * c) & 0xffu; of_lane > 0)
          block.atomic_add(&found[c * row], of_lane);
    });
    // Add the tile's counts to those of its segment. Other blocks add to them too; sums do not depend on the order.
    block.lanes([&](int lane) {
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j < counted * row; j += width)
        if (found[j] > 0) block.atomic_add(&round.counts_of(segment << Down, bins)[j], found[j]);
    });
  }

 private:
  /// The orders of a node between which its points stop, both included, and their keys, between which points need a
  /// closer look.
  struct Orders {
    Order lo, hi;
    std::uint32_t dim;
  };
  struct Keys {
    std::uint32_t lo, hi;
  };

  KDSCOPE_HD Orders orders_of(std::uint32_t segment, std::uint32_t t, const Bins& bins) const {
    if (t < inner) {
      const Plane& plane = round.planes[round.node(segment, t).value];
      return {plane.pivot, plane.pivot, plane.dim};
    }
    if (t < first_counted) {
      const Window& window = round.windows[round.slot(segment, t)];
      return {window.lo, window.hi, window.dim};
    }
    const Bracket& bracket = round.brackets[round.slot(segment, t)];
    return {bracket.edge[0], bracket.edge[bins.intervals], bracket.dim};
  }

  /// Leads point i down by its orders. key(down, t): its key in the dimension of node t on level `down`. Returns its
  /// node at level `Down`, or no_id if it is a pivot or was listed.
  template <class Block, class Key>
  KDSCOPE_HD std::uint32_t lead_closely(Block& block, std::uint32_t segment, std::uint32_t i, const Key& key,
                                        const Orders* orders) const {
    const PointId point = round.from.point(i);
    std::uint32_t t = 0;
    KDSCOPE_UNROLLED
    for (int down = 0; down < Down; ++down) {
      const Order own = order_of(key(down, t), point);
      const bool right = own > orders[t].hi;
      if (own >= orders[t].lo && !right) {
        // At a known plane the point is the pivot itself; in a window it is listed
        if (t >= inner) list(block, segment, t, i);
        return no_id;
      }
      t = 2 * t + 1 + right;
    }
    return t;
  }
  /// Lists a point of the window of node t, as few are. The atomic gives each point a place of its own, in any order.
  template <class Block>
  KDSCOPE_HD KDSCOPE_NOT_INLINED void list(Block& block, std::uint32_t segment, std::uint32_t t,
                                           std::uint32_t i) const {
    std::uint32_t* const list = round.list_of(round.node(segment, t));
    list[block.atomic_add(&round.listed[round.of_level(segment, t)], 1u)] = i;
  }
};
// [endregion]

}  // namespace kdscope::rank
