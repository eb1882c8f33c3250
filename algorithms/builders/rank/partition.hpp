#pragma once
// Moves the points of a round to their child segments.

#include "algorithms/builders/rank/round.hpp"

namespace kdscope::rank {

/// Columns of records in a back end's memory, and the planes' own records.
struct MovedRecords {
  std::uint32_t* words;  ///< [k x n]
  PointId* points;       ///< [n]
  std::uint32_t* upper;  ///< [nodes of the upper levels x k] records of pivots
  PointId* upper_points;
};

// [region rank/partition]
/// Moves each point of a tile to the child segment in which it lies; pivots go to their nodes. The points of a segment
/// may stand in any order, so each tile takes the next free places of every child with one atomic addition. Within the
/// tile, points of one child are gathered in shared memory first, so that they are written side by side. One block per
/// tile. Moves 2 (k + 1) words per point.
/// Numbers: j counts the points of the tile as read, p in the order in which they are written, a those that a lane
/// reads ahead, t the nodes of the segment in level order, c the child segments; l is the lane.
template <int K>
struct Partition {
  static constexpr int lanes = 256;
  static constexpr std::uint32_t tile = 2048, ahead = 4;
  Round round;
  MovedRecords to;
  std::uint32_t tiles;            ///< per segment
  std::uint32_t first_block = 0;  ///< of the launch, among all tiles

  std::uint32_t blocks() const { return tiles * round.segments(); }
  std::size_t shared_bytes() const {
    const std::size_t children = std::size_t{1} << round.levels;
    return tile * (4 * (round.rule.k + 1) + 3) + children * (sizeof(Plane) + 4 * lanes + 8) + 256;
  }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), n = round.n;
    const std::uint32_t dims = K > 0 ? K : round.rule.k;
    // Find the block's tile. Every segment gets as many blocks as the largest one needs, so the last blocks of a
    // smaller segment may have no points: they end here.
    const std::uint32_t index = first_block + block.index(), segment = index / tiles;
    const NodeId root = round.root(segment);
    const std::uint32_t size = subtree_size(root, n), first = index % tiles * tile;
    if (first >= size) return;
    const std::uint32_t begin = in_order_begin(root, n) + first, points = size - first < tile ? size - first : tile;
    const std::uint32_t inner = round.node_count(), children = inner + 1;

    // `counts` has a counter per child and lane, those of a child side by side: each lane counts without atomics, and
    // one sum over all turns counts into places. `words` has a column per dimension, so neighbouring lanes access
    // neighbouring words.
    auto* planes = block.template shared<Plane>(static_cast<int>(inner));
    auto* counts = block.template shared<std::uint32_t>(static_cast<int>(children * width + 1));
    auto* offset = block.template shared<std::uint32_t>(static_cast<int>(children));
    auto* words = block.template shared<std::uint32_t>(static_cast<int>(dims * tile));
    auto* ids = block.template shared<PointId>(static_cast<int>(tile));
    auto* moved = block.template shared<std::uint16_t>(static_cast<int>(tile));  // tile's points, child by child
    auto* child = block.template shared<std::uint8_t>(static_cast<int>(tile));
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t t = l; t < inner; t += width) planes[t] = round.planes[round.node(segment, t).value];
      for (std::uint32_t j = l; j <= children * width; j += width) counts[j] = 0;
    });

    // Read the points, and find each one's child by the planes of the round; each lane counts its own. Several points
    // of a lane are read before any is used, so that their loads overlap.
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      const std::uint32_t* columns[K > 0 ? K : 1];
      KDSCOPE_UNROLLED
      for (int d = 0; d < K; ++d) columns[d] = round.from.column(static_cast<std::uint32_t>(d));
      for (std::uint32_t j = l; j < points; j += ahead * width) {
        std::uint32_t own_words[ahead][K > 0 ? K : 1];
        PointId id[ahead];
        KDSCOPE_UNROLLED
        for (std::uint32_t a = 0; a < ahead; ++a) {
          const std::uint32_t at = j + a * width < points ? j + a * width : j;
          KDSCOPE_UNROLLED
          for (int d = 0; d < K; ++d) own_words[a][d] = round.from.word(columns[d], begin + at);
          id[a] = round.from.point(begin + at);
        }
        KDSCOPE_UNROLLED
        for (std::uint32_t a = 0; a < ahead; ++a) {
          const std::uint32_t at = j + a * width;
          if (at >= points) continue;
          const std::uint32_t t =
              lead(planes, id[a], [&](std::uint32_t dim) { return word_of_dim<K>(own_words[a], begin + at, dim); });
          // Keep the point in shared memory until the tile knows its places
          KDSCOPE_UNROLLED
          for (std::uint32_t d = 0; d < dims; ++d) words[d * tile + at] = word_of_dim<K>(own_words[a], begin + at, d);
          ids[at] = id[a];
          // A pivot goes to its node and to no child
          child[at] = static_cast<std::uint8_t>(t < inner ? children : t - inner);
          if (t >= inner)
            ++counts[(t - inner) * width + l];
          else
            keep_pivot(round.node(segment, t), at, words, ids, dims);
        }
      }
    });
    // Sum the counts: each lane gets the first place, among the tile's points, of its own points of each child
    block.exclusive_sum(counts, static_cast<int>(children * width + 1));
    // Reserve places in the child segments, with one atomic addition per child for the whole tile. The order of the
    // tiles differs from run to run, which does no harm: the order within a segment is free. offset[c] plus a point's
    // place among the tile's points is its position in memory.
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t c = l; c < children; c += width) {
        const std::uint32_t count = counts[(c + 1) * width] - counts[c * width];
        const NodeId node = round.node(segment, inner + c);
        const std::uint32_t before = block.atomic_add(&round.filled[(segment << round.levels) + c], count);
        offset[c] = in_order_begin(node, n) + before - counts[c * width];
      }
    });
    // List the points child by child. Each lane goes through its own points again; its counters have become places, and
    // each point takes the next one.
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t j = l; j < points; j += width)
        if (child[j] < children) moved[counts[child[j] * width + l]++] = static_cast<std::uint16_t>(j);
    });
    // After that, the last counter of the last child is the number of points that move
    const std::uint32_t moving = counts[children * width - 1];
    // Write the points. Neighbouring lanes write neighbouring positions, but for the few edges between children.
    block.lanes([&](int lane) {
      for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < moving; p += width) {
        const std::uint32_t j = moved[p], at = offset[child[j]] + p;
        KDSCOPE_UNROLLED
        for (std::uint32_t d = 0; d < dims; ++d) to.words[std::size_t(d) * n + at] = words[d * tile + j];
        to.points[at] = ids[j];
      }
    });
  }

 private:
  /// Goes down the planes of the round. Returns the node whose pivot the point is, or the child that it reaches. Keys
  /// decide, and indices between equal keys; only the pivot itself equals a plane's order.
  template <class Word>
  KDSCOPE_HD std::uint32_t lead(const Plane* planes, PointId id, const Word& word) const {
    const std::uint32_t inner = round.node_count();
    std::uint32_t t = 0;
    while (t < inner) {
      const std::uint32_t own = ordered_key(word(planes[t].dim), round.from.type), pivot = key_of(planes[t].pivot);
      bool right = own > pivot;
      if (own == pivot) {
        if (id == point_of(planes[t].pivot)) break;
        right = point_of(planes[t].pivot) < id;
      }
      t = 2 * t + 1 + right;
    }
    return t;
  }
  /// Returns a coordinate of a point that a lane holds in registers, which have no index; of many dimensions (K = 0),
  /// it is read where it is needed.
  template <int Held>
  KDSCOPE_HD std::uint32_t word_of_dim(const std::uint32_t* held, std::uint32_t i, std::uint32_t dim) const {
    if constexpr (Held == 0) return round.from.word(i, dim);
    std::uint32_t word = held[0];
    KDSCOPE_UNROLLED
    for (int d = 1; d < Held; ++d)
      if (static_cast<std::uint32_t>(d) == dim) word = held[d];
    return word;
  }
  /// Stores the record of a pivot, which few lanes have.
  KDSCOPE_HD KDSCOPE_NOT_INLINED void keep_pivot(NodeId node, std::uint32_t at, const std::uint32_t* words,
                                                 const PointId* ids, std::uint32_t dims) const {
    for (std::uint32_t d = 0; d < dims; ++d) to.upper[std::size_t(node.value) * dims + d] = words[d * tile + at];
    to.upper_points[node.value] = ids[at];
  }
};
// [endregion]

}  // namespace kdscope::rank
