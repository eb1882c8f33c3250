#pragma once
// The kernels of a rank's share of the points, which stay where they are until the upper levels are known: lists of
// windows' points, a stable partition by subtree, and what finished subtrees need to become a share of the tree.

#include "algorithms/builders/rank/round.hpp"
#include "algorithms/cluster/pivot_search.hpp"
#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope::cluster {

/// Leads points down the planes of the first `levels` levels. nodes: 0, or no_id for places without a point; receives
/// the node that each point reaches, counted from the first of its level, and no_id for the pivot of a plane.
/// point(j), key(j, d): the index and the keys of point j. All points take one level before any takes the next, so that
/// a lane has the loads of all of them under way at once: a load depends on the one before it, and takes far longer
/// than the comparison.
template <std::uint32_t count, class Point, class Key>
KDSCOPE_HD void lead_down(const rank::Plane* planes, int levels, std::uint32_t (&nodes)[count], const Point& point,
                          const Key& key) {
  for (int level = 0; level < levels; ++level) {
    const rank::Plane* const of_level = planes + full_tree_size(level);
    KDSCOPE_UNROLLED
    for (std::uint32_t j = 0; j < count; ++j) {
      if (nodes[j] == no_id) continue;
      const rank::Plane plane = of_level[nodes[j]];
      const rank::Order order = rank::order_of(key(j, plane.dim), point(j));
      nodes[j] = order == plane.pivot ? no_id : 2 * nodes[j] + (order > plane.pivot);
    }
  }
}

/// The window of a node's search, as kernels read it.
struct SearchedWindow {
  rank::Order from, to;     ///< the window
  rank::Order lo, hi;       ///< its bracket
  std::uint32_t dim;        ///< that the node splits
  std::uint32_t every = 1;  ///< of so many points, one is listed; 0 if the search has ended
};

/// The points of a share, led down to the nodes of a level.
struct PointsOfLevel {
  static constexpr std::uint32_t at_once = 1;  ///< points per lane: with more, registers leave room for fewer lanes
  PointsView points;
  std::uint32_t first;  ///< original index of the first point
  const rank::Plane* planes;
  int level;
  const SearchedWindow* windows;

  KDSCOPE_HD std::uint32_t size() const { return points.n; }
  /// Sets the nodes of the points at `at`, and their orders there. at: no_id for places without a point. Pivots have no
  /// node: no_id.
  template <std::uint32_t count>
  KDSCOPE_HD void read(const std::uint32_t (&at)[count], Sampled (&to)[count]) const {
    std::uint32_t nodes[count];
    KDSCOPE_UNROLLED
    for (std::uint32_t j = 0; j < count; ++j) nodes[j] = at[j] == no_id ? no_id : 0;
    lead_down(
        planes, level, nodes, [&](std::uint32_t j) { return PointId{first + at[j]}; },
        [&](std::uint32_t j, std::uint32_t d) { return points.key(at[j], d); });
    KDSCOPE_UNROLLED
    for (std::uint32_t j = 0; j < count; ++j) {
      to[j].node = nodes[j];
      if (nodes[j] != no_id)
        to[j].order = rank::order_of(points.key(at[j], windows[nodes[j]].dim), PointId{first + at[j]});
    }
  }
};

/// The points that a pass before has listed.
struct ListedPoints {
  static constexpr std::uint32_t at_once = 4;
  const Sampled* list;
  std::uint32_t count;

  KDSCOPE_HD std::uint32_t size() const { return count; }
  template <std::uint32_t count>
  KDSCOPE_HD void read(const std::uint32_t (&at)[count], Sampled (&to)[count]) const {
    KDSCOPE_UNROLLED
    for (std::uint32_t j = 0; j < count; ++j)
      if (at[j] == no_id)
        to[j].node = no_id;
      else
        to[j] = list[at[j]];
  }
};

// [region cluster/list_windows]
/// Lists the points in the bracket of their node, in any order, and counts those of the window before it. With
/// skip > 1, looks at one point of each `skip`, at a scattered place, so that a period in the data does not meet one in
/// the sample. A block takes some tiles of many points, and one of few, so that more blocks work at a time. Few points
/// are listed, so a tile collects them in shared memory, and reserves their places by one atomic addition; counters of
/// few nodes have copies, so that lanes do not wait for one another.
template <class Source>
struct ListWindows {
  static constexpr int lanes = 256, most_lanes = lanes;
  static constexpr std::uint32_t tile = 2048, most_tiles = 8, most_counters = 1024, at_once = Source::at_once;
  Source source;
  std::uint32_t skip;
  std::uint64_t scatter;  ///< differs from pass to pass
  const SearchedWindow* windows;
  std::uint32_t nodes;    ///< of the level
  std::uint32_t* before;  ///< [nodes] receives the numbers of points before the brackets
  std::uint32_t* within;  ///< [nodes] and in them
  Sampled* list;          ///< [room]
  std::uint32_t room;
  std::uint32_t* length;  ///< receives the number of listed points, which may be larger than the room

  KDSCOPE_HD std::uint32_t looks() const { return (source.size() - 1) / skip + 1; }
  KDSCOPE_HD std::uint32_t tiles() const {
    const std::uint32_t tiles = looks() / (tile * 1024);
    return tiles == 0 ? 1 : tiles < most_tiles ? tiles : most_tiles;
  }
  std::uint32_t blocks() const { return source.size() == 0 ? 0 : (looks() - 1) / (tile * tiles()) + 1; }
  KDSCOPE_HD std::uint32_t copies() const {
    std::uint32_t copies = static_cast<std::uint32_t>(lanes);
    while (copies > 1 && copies * nodes > most_counters) copies /= 2;
    return copies;
  }
  std::size_t shared_bytes() const { return tile * sizeof(Sampled) + 4 * (copies() + 1) * nodes + 128; }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), copies = this->copies();
    auto* listed = block.template shared<Sampled>(static_cast<int>(tile));
    auto* counts = block.template shared<std::uint32_t>(static_cast<int>(copies * nodes));
    auto* inside = block.template shared<std::uint32_t>(static_cast<int>(nodes));
    auto* state = block.template shared<std::uint32_t>(2);  // points of the tile's list, and its place
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t c = l; c < copies * nodes; c += width) counts[c] = 0;
      for (std::uint32_t c = l; c < nodes; c += width) inside[c] = 0;
      if (lane == 0) state[0] = 0;
    });
    const std::uint64_t all = (std::uint64_t{source.size()} + skip - 1) / skip;
    const std::uint32_t tiles = this->tiles();
    for (std::uint32_t t = 0; t < tiles; ++t) {
      const std::uint64_t begin = (std::uint64_t{block.index()} * tiles + t) * tile;
      if (begin >= all) break;
      const std::uint64_t end = all - begin < tile ? all : begin + tile;
      block.lanes([&](int lane) {
        for (std::uint64_t j = begin + static_cast<std::uint32_t>(lane); j < end; j += at_once * width) {
          std::uint32_t at[at_once];
          Sampled points[at_once];
          KDSCOPE_UNROLLED
          for (std::uint32_t u = 0; u < at_once; ++u) {
            const std::uint64_t look = j + u * width;
            const std::uint64_t i = skip == 1 ? look : look * skip + mix64(look + scatter) % skip;
            at[u] = look < end && i < source.size() ? static_cast<std::uint32_t>(i) : no_id;
          }
          source.read(at, points);
          KDSCOPE_UNROLLED
          for (std::uint32_t u = 0; u < at_once; ++u) {
            const Sampled& point = points[u];
            if (point.node == no_id) continue;
            const SearchedWindow& window = windows[point.node];
            if (window.every == 0 || point.order < window.from || point.order > window.to) continue;
            if (window.every > 1 && mix64(at[u] + scatter) % window.every != 0) continue;
            if (point.order < window.lo) {
              block.atomic_add(&counts[point.node * copies + static_cast<std::uint32_t>(lane) % copies], 1u);
            } else if (point.order <= window.hi) {
              block.atomic_add(&inside[point.node], 1u);
              listed[block.atomic_add(&state[0], 1u)] = point;
            }
          }
        }
      });
      block.lanes([&](int lane) {
        if (lane == 0) state[1] = state[0] > 0 ? block.atomic_add(length, state[0]) : 0;
      });
      block.lanes([&](int lane) {
        for (std::uint32_t q = static_cast<std::uint32_t>(lane); q < state[0]; q += width)
          if (state[1] + q < room) list[state[1] + q] = listed[q];
      });
      block.lanes([&](int lane) {
        if (lane == 0) state[0] = 0;
      });
    }
    block.lanes([&](int lane) {
      for (std::uint32_t c = static_cast<std::uint32_t>(lane); c < nodes; c += width) {
        std::uint32_t sum = 0;
        for (std::uint32_t copy = 0; copy < copies; ++copy) sum += counts[c * copies + copy];
        if (sum > 0) block.atomic_add(&before[c], sum);
        if (inside[c] > 0) block.atomic_add(&within[c], inside[c]);
      }
    });
  }
};
// [endregion]

// [region cluster/partition_share]
/// What both passes of the partition by subtree read. A tile is a run of points, of which each lane takes consecutive
/// ones: the order within a subtree stays that of original indices, so that equal coordinates of a subtree are ordered
/// by position.
struct ShareBySubtree {
  static constexpr int most_lanes = 256;
  static constexpr std::uint32_t per_lane = 7;  ///< odd, so that lanes read different banks of shared memory
  PointsView points;                            ///< without payload
  std::uint32_t first;                          ///< original index of the first point
  const rank::Plane* planes;
  int levels;
  std::uint32_t* begins;  ///< [subtrees x tiles + 1] points of each tile in each subtree; after a sum, their places

  KDSCOPE_HD std::uint32_t subtrees() const { return 1u << levels; }
  /// Returns the lanes of a block: each needs a counter of 16 bits per subtree.
  KDSCOPE_HD std::uint32_t lanes() const {
    std::uint32_t lanes = most_lanes;
    while (lanes > 32 && lanes * subtrees() > 32768) lanes /= 2;
    return lanes;
  }
  KDSCOPE_HD std::uint32_t tile() const { return lanes() * per_lane; }
  KDSCOPE_HD std::uint32_t tiles() const { return points.n == 0 ? 0 : (points.n - 1) / tile() + 1; }
};

/// Counts the points of each tile in each subtree.
struct CountSubtrees {
  static constexpr int most_lanes = ShareBySubtree::most_lanes;
  ShareBySubtree of;

  std::size_t shared_bytes() const { return 4 * of.subtrees() + 64; }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), subtrees = of.subtrees();
    const std::uint32_t begin = block.index() * of.tile();
    const std::uint32_t end = of.points.n - begin < of.tile() ? of.points.n : begin + of.tile();
    auto* counts = block.template shared<std::uint32_t>(static_cast<int>(subtrees));
    block.lanes([&](int lane) {
      for (std::uint32_t s = static_cast<std::uint32_t>(lane); s < subtrees; s += width) counts[s] = 0;
    });
    block.lanes([&](int lane) {
      const std::uint32_t l = begin + static_cast<std::uint32_t>(lane);
      std::uint32_t nodes[per_lane];
      KDSCOPE_UNROLLED
      for (std::uint32_t j = 0; j < per_lane; ++j) nodes[j] = l + j * width < end ? 0 : no_id;
      lead_down(
          of.planes, of.levels, nodes, [&](std::uint32_t j) { return PointId{of.first + l + j * width}; },
          [&](std::uint32_t j, std::uint32_t d) { return of.points.key(l + j * width, d); });
      KDSCOPE_UNROLLED
      for (std::uint32_t j = 0; j < per_lane; ++j)
        if (nodes[j] != no_id) block.atomic_add(&counts[nodes[j]], 1u);
    });
    block.lanes([&](int lane) {
      for (std::uint32_t s = static_cast<std::uint32_t>(lane); s < subtrees; s += width)
        of.begins[std::size_t(s) * of.tiles() + block.index()] = counts[s];
    });
  }

 private:
  static constexpr std::uint32_t per_lane = ShareBySubtree::per_lane;
};

/// Copies the points to their subtrees. Coordinates are rotated, so that the first is that of the subtrees' own level:
/// a subtree is then a tree that begins with dimension 0. Pivots stay behind.
///
/// A word holds two of a lane's counters: that of a subtree of the first half in its low 16 bits, and that of the
/// subtree as far into the second half in its high ones. A tile has fewer than 65536 points, so one sum of words sums
/// both, and half as much shared memory lets more blocks run at once.
struct PlaceInSubtrees {
  static constexpr int most_lanes = ShareBySubtree::most_lanes;
  ShareBySubtree of;
  const std::uint32_t* gaps;  ///< [subtrees] places that stay free in front of each subtree, of all gaps
  std::uint32_t* words;       ///< [(points and gaps) x k]
  PointId* original;          ///< [points and gaps]

  std::size_t shared_bytes() const {
    return of.tile() * (4 * of.points.dim + 4) + 4 * (half() * of.lanes() + of.subtrees() + 1) + 128;
  }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), subtrees = of.subtrees(),
                        half = this->half();
    const std::uint32_t k = of.points.dim, tile = of.tile(), begin = block.index() * tile;
    const std::uint32_t count = of.points.n - begin < tile ? of.points.n - begin : tile;
    const std::uint32_t front = static_cast<std::uint32_t>(of.levels) % k;
    auto* read = block.template shared<std::uint32_t>(static_cast<int>(k * tile));
    auto* counts = block.template shared<std::uint32_t>(static_cast<int>(half * width + 1));
    auto* offsets = block.template shared<std::uint32_t>(static_cast<int>(subtrees));
    auto* subtree = block.template shared<std::uint16_t>(static_cast<int>(tile));
    auto* moved = block.template shared<std::uint16_t>(static_cast<int>(tile));  // the tile's points, by subtree
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t w = l; w < count * k; w += width) read[w] = of.points.words[std::size_t(begin) * k + w];
      for (std::uint32_t c = l; c <= half * width; c += width) counts[c] = 0;
    });
    // Each lane counts its own points, so that no atomics are needed and their order stays
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane), own = l * per_lane;
      std::uint32_t nodes[per_lane];
      KDSCOPE_UNROLLED
      for (std::uint32_t j = 0; j < per_lane; ++j) nodes[j] = own + j < count ? 0 : no_id;
      lead_down(
          of.planes, of.levels, nodes, [&](std::uint32_t j) { return PointId{of.first + begin + own + j}; },
          [&](std::uint32_t j, std::uint32_t d) { return ordered_key(read[(own + j) * k + d], of.points.type); });
      KDSCOPE_UNROLLED
      for (std::uint32_t j = 0; j < per_lane; ++j) {
        if (own + j >= count) break;
        subtree[own + j] = static_cast<std::uint16_t>(nodes[j] == no_id ? subtrees : nodes[j]);
        if (nodes[j] != no_id) counts[(nodes[j] & (half - 1)) * width + l] += nodes[j] < half ? 1 : 1u << 16;
      }
    });
    block.exclusive_sum(counts, static_cast<int>(half * width + 1));
    // The second half's points follow those of the first
    const std::uint32_t first_half = counts[half * width] & 0xffff, moving = first_half + (counts[half * width] >> 16);
    const auto place_of = [&](std::uint32_t s, std::uint32_t l) {
      const std::uint32_t both = counts[(s & (half - 1)) * width + l];
      return s < half ? both & 0xffff : first_half + (both >> 16);
    };
    // offsets[s] plus a point's place in the tile's list is its place in memory
    block.lanes([&](int lane) {
      for (std::uint32_t s = static_cast<std::uint32_t>(lane); s < subtrees; s += width)
        offsets[s] = of.begins[std::size_t(s) * of.tiles() + block.index()] + gaps[s] - place_of(s, 0);
    });
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane), own = l * per_lane;
      for (std::uint32_t j = own; j < own + per_lane && j < count; ++j)
        if (const std::uint32_t s = subtree[j]; s < subtrees) {
          moved[place_of(s, l)] = static_cast<std::uint16_t>(j);
          counts[(s & (half - 1)) * width + l] += s < half ? 1 : 1u << 16;
        }
    });
    // Neighbouring lanes write neighbouring words, but for the few edges between subtrees
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane), points_on = width / k, words_on = width % k;
      for (std::uint32_t p = l / k, d = l % k; p < moving; p += points_on, d += words_on) {
        if (d >= k) d -= k, ++p;  // word d of point p is `width` words behind the last one
        if (p == moving) break;
        const std::uint32_t j = moved[p];
        const std::size_t at = offsets[subtree[j]] + p;
        words[at * k + d] = read[j * k + (d + front < k ? d + front : d + front - k)];
      }
      for (std::uint32_t p = l; p < moving; p += width)
        original[offsets[subtree[moved[p]]] + p] = {of.first + begin + moved[p]};
    });
  }

 private:
  static constexpr std::uint32_t per_lane = ShareBySubtree::per_lane;
  KDSCOPE_HD std::uint32_t half() const { return of.levels == 0 ? 1 : of.subtrees() / 2; }
};

/// Copies where each subtree begins.
struct BeginsOfSubtrees {
  const std::uint32_t* begins;
  std::uint32_t tiles;
  std::uint32_t* to;  ///< [subtrees + 1]
  KDSCOPE_HD void operator()(std::uint32_t s) const { to[s] = begins[std::size_t(s) * tiles]; }
};
// [endregion]

/// A finished subtree in an executor's memory.
struct SubtreeArrays {
  std::uint32_t* words;     ///< [size x k]
  PointId* points;          ///< [size]
  std::uint8_t* split_dim;  ///< [size]
  NodeId root;
  std::uint32_t k, front;  ///< dimensions, and the one of the root
  ScalarType type;

  KDSCOPE_HD NodeId node(std::uint32_t t) const {
    const int down = level_of(NodeId{t});
    return {((root.value + 1) << down) - 1 + (t - full_tree_size(down))};
  }
};

/// Gives the nodes of a subtree their original indices in place of positions, and turns their coordinates back.
struct ReturnToOriginal {
  SubtreeArrays subtree;
  const PointId* original;  ///< [size] by position

  KDSCOPE_HD void operator()(std::uint32_t t) const {
    const std::uint32_t k = subtree.k, front = subtree.front;
    subtree.points[t] = original[subtree.points[t].value];
    if (front == 0) return;
    const std::uint32_t dim = subtree.split_dim[t] + front;
    subtree.split_dim[t] = static_cast<std::uint8_t>(dim < k ? dim : dim - k);
    std::uint32_t* const record = subtree.words + std::size_t(t) * k;
    std::uint32_t turned[rank::max_dim];
    for (std::uint32_t d = 0; d < k; ++d) turned[d + front < k ? d + front : d + front - k] = record[d];
    for (std::uint32_t d = 0; d < k; ++d) record[d] = turned[d];
  }
};

/// Returns a node's share of the hash.
struct HashOfNode {
  SubtreeArrays subtree;
  std::uint32_t size;
  KDSCOPE_HD std::uint64_t operator()(std::uint32_t t) const {
    return node_hash(subtree.node(t), subtree.points[t], subtree.split_dim[t],
                     {subtree.words, size, subtree.k, subtree.k, subtree.type}, t);
  }
};
struct AddHashes {
  KDSCOPE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

/// Copies the coordinates of pivots that lie in the share.
struct GatherPivots {
  PointsView points;
  const std::uint32_t* at;  ///< [pivots] positions in the share
  std::uint32_t* words;     ///< [pivots x k]
  KDSCOPE_HD void operator()(std::uint32_t p) const {
    for (std::uint32_t d = 0; d < points.dim; ++d) words[std::size_t(p) * points.dim + d] = points.word(at[p], d);
  }
};

}  // namespace kdscope::cluster
