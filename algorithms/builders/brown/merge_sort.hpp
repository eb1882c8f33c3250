#pragma once
// The sort of references by super key. Each reference carries its sorting coordinate, so that the sort rarely reads a
// whole tuple. The merge sort is that of Satish, Harris and Garland, which Robinson adopted: tiles are sorted in shared
// memory, then neighbouring runs are merged. An element's place is its own index plus its rank in the other run. Each
// tile of output finds its shares of both runs along a merge path.

#include <cstdint>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/trees/median_stores/super_key.hpp"

namespace kdscope::brown {

/// A point and its coordinate in the dimension of the sort.
struct Reference {
  std::uint32_t value;  ///< ordered key
  PointId point;
};

// [region brown/super_key]
/// The super-key order of a dimension. Equal points are ordered by original index, so that every array keeps the same
/// one of them.
struct SuperKeyLess {
  PointsView points;
  std::uint32_t dim;
  const std::uint32_t* original = nullptr;  ///< [points] original index; null if the points are in their original order
  KDSCOPE_HD bool operator()(const Reference& a, const Reference& b) const {
    // A reference carries its coordinate, so the points themselves are read only to order equal coordinates
    if (a.value != b.value) return a.value < b.value;
    const int order = compare_super_keys(points, a.point.value, b.point.value, dim);
    if (order != 0) return order < 0;
    return original ? original[a.point.value] < original[b.point.value] : a.point < b.point;
  }
};
// [endregion]

// [region brown/initialise_references]
/// Makes references [begin, begin + n) of a dimension: from `order`, or in the points' own order if `order` is null.
struct InitialiseReferences {
  PointsView points;
  std::uint32_t dim;
  const PointId* order;
  Reference* references;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const PointId point = order ? order[i] : PointId{i};
    references[i] = {points.key(point.value, dim), point};
  }
};
// [endregion]

// [region brown/merge_sort]
inline constexpr std::uint32_t tile = 1024;
inline constexpr int sort_lanes = 256;

/// Returns the index of the first of `n` sorted items that is not before x.
template <class Less>
KDSCOPE_HD std::uint32_t rank_of(const Reference& x, const Reference* items, std::uint32_t n, const Less& less) {
  std::uint32_t low = 0;
  while (n > 0) {
    const std::uint32_t half = n / 2;
    if (less(items[low + half], x))
      low += half + 1, n -= half + 1;
    else
      n = half;
  }
  return low;
}

/// Sorts each tile in shared memory, merging runs of 1, 2, ..., 512. references: [n] in/out. Work O(tile log^2 tile)
/// per block. Shared memory: two tiles.
struct SortTiles {
  Reference* references;
  std::uint32_t n;
  SuperKeyLess less;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    auto* from = block.template shared<Reference>(tile);
    auto* to = block.template shared<Reference>(tile);
    const std::uint32_t begin = block.index() * tile, count = n - begin < tile ? n - begin : tile;
    const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
    // Read the tile once; neighbouring lanes read neighbouring references
    block.lanes([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += lanes) from[i] = references[begin + i];
    });
    // Merge runs of 1, 2, ... in pairs. An element's place in the merged run is its place in its own run plus its rank
    // in the sibling run. No two elements compare equal, so no two get the same place.
    for (std::uint32_t run = 1; run < count; run *= 2) {
      block.lanes([&](int lane) {
        for (std::uint32_t i = lane; i < count; i += lanes) {
          const std::uint32_t pair = i / (2 * run) * (2 * run), middle = pair + run;
          const std::uint32_t sibling = i < middle ? middle : pair;
          // Near the tile's end, the sibling run may be short or missing
          const std::uint32_t of = sibling < count ? (count - sibling < run ? count - sibling : run) : 0;
          const Reference moved = from[i];
          to[pair + (i < middle ? i - pair : i - middle) + rank_of(moved, from + sibling, of, less)] = moved;
        }
      });
      // The barrier completes the merged runs, which are the input of the next merge
      auto* const sorted = to;
      to = from, from = sorted;
    }
    block.lanes([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += lanes) references[begin + i] = from[i];
    });
  }
};

/// Two sorted runs that are merged.
struct TwoRuns {
  const Reference* a;
  std::uint32_t of_a;
  const Reference* b;
  std::uint32_t of_b;
  SuperKeyLess less;

  /// Finds how many of the first `at` merged items come from a: the crossing of the merge path with diagonal `at`
  /// (Green, McColl and Bader). Tiles find their shares independently, so blocks need no order.
  KDSCOPE_HD std::uint32_t crossing(std::uint32_t at) const {
    std::uint32_t low = at > of_b ? at - of_b : 0, high = at < of_a ? at : of_a;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (less(a[middle], b[at - 1 - middle]))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

/// Makes one tile of a merge, starting with item `diagonal` of it; this is the work of one block. to: [count], count <=
/// tile. Work O(tile log tile + log run). Shared memory: two tiles and the ends of their shares of the runs.
template <class Block>
KDSCOPE_HD void merge_tile(Block& block, const TwoRuns& runs, std::uint32_t diagonal, std::uint32_t count,
                           Reference* to) {
  auto* in = block.template shared<Reference>(tile);
  auto* out = block.template shared<Reference>(tile);
  auto* ends = block.template shared<std::uint32_t>(2);
  const std::uint32_t lanes = static_cast<std::uint32_t>(block.lane_count());
  // Two lanes search for the two ends of the tile on the path; the barrier tells all lanes
  block.lanes([&](int lane) {
    if (lane < 2) ends[lane] = runs.crossing(diagonal + (lane == 0 ? 0 : count));
  });
  const std::uint32_t first_a = ends[0], first_b = diagonal - first_a, count_a = ends[1] - first_a,
                      count_b = count - count_a;
  // Read both shares, one behind the other
  block.lanes([&](int lane) {
    for (std::uint32_t i = lane; i < count; i += lanes)
      in[i] = i < count_a ? runs.a[first_a + i] : runs.b[first_b + i - count_a];
  });
  // Merge in shared memory: own place plus rank in the other share
  block.lanes([&](int lane) {
    for (std::uint32_t i = lane; i < count; i += lanes) {
      const std::uint32_t rank =
          i < count_a ? rank_of(in[i], in + count_a, count_b, runs.less) : rank_of(in[i], in, count_a, runs.less);
      out[(i < count_a ? i : i - count_a) + rank] = in[i];
    }
  });
  // Write the tile, side by side
  block.lanes([&](int lane) {
    for (std::uint32_t i = lane; i < count; i += lanes) to[i] = out[i];
  });
}

/// Merges runs of `run` items in pairs; each block makes one tile of output. run is a multiple of the tile size. from,
/// to: [n].
struct MergeRuns {
  const Reference* from;
  Reference* to;
  std::uint32_t n, run;
  SuperKeyLess less;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t begin = block.index() * tile, count = n - begin < tile ? n - begin : tile;
    const std::uint32_t pair = static_cast<std::uint32_t>(begin / (2 * std::uint64_t(run)) * (2 * std::uint64_t(run)));
    const std::uint32_t of_a = n - pair < run ? n - pair : run, of_b = n - pair - of_a < run ? n - pair - of_a : run;
    merge_tile(block, TwoRuns{from + pair, of_a, from + pair + of_a, of_b, less}, begin - pair, count, to + begin);
  }
};

/// Merges the two runs [0, of_a) and [of_a, n) in the same way. from, to: [n].
struct MergeTwoRuns {
  const Reference* from;
  Reference* to;
  std::uint32_t n, of_a;
  SuperKeyLess less;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t begin = block.index() * tile, count = n - begin < tile ? n - begin : tile;
    merge_tile(block, TwoRuns{from, of_a, from + of_a, n - of_a, less}, begin, count, to + begin);
  }
};

/// Shared memory of the blocks above, and the number of blocks for n references.
inline constexpr std::size_t merge_shared_bytes = 2 * tile * sizeof(Reference) + 64;
constexpr std::uint32_t tiles_of(std::uint32_t n) { return n == 0 ? 0 : (n - 1) / tile + 1; }
// [endregion]

}  // namespace kdscope::brown
