#pragma once
// Removal of duplicates from sorted references: equal points are neighbours, and the first of them is kept.

#include <cstdint>

#include "algorithms/builders/brown/compaction.hpp"
#include "algorithms/builders/brown/merge_sort.hpp"

namespace kdscope::brown {

/// Sorted references of one part of the points; kernels of other parts may read them.
struct SortedPart {
  PointsView points;
  const std::uint32_t* original;  ///< [points] original index; null if the points are in their original order
  const Reference* references;    ///< [n]
  std::uint32_t n;
};

// [region brown/remove_duplicates]
/// First pass: each warp compacts its share of the sorted references into the same share of `segments` and counts the
/// references that it keeps. segments: [n]; kept: [warps]; removed: by original index, initially 0, set to 1 for
/// duplicates; may be null. previous: the part before this one; without points for the first part. The probe receives
/// the compare mask of every 32 references.
template <class Probe>
struct RemoveDuplicates {
  SortedPart part;
  std::uint32_t dim, warps;
  PointId* segments;
  std::uint32_t* kept;
  std::uint8_t* removed;
  SortedPart previous;
  bool coalesces;
  Probe masks;
  int masks_per_warp;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    // Each warp writes within its own share of `segments`, so warps need not know of one another; gaps remain between
    // shares
    const WarpShare share = share_of(part.n, warp.index(), warps);
    CoalescingBuffer buffer{warp.template shared<PointId>(CoalescingBuffer::size), segments + share.begin, coalesces};
    auto ahead = warp.template per_lane<Ahead>();
    for (std::uint32_t begin = share.begin; begin < share.end; begin += 32 * items_per_lane) {
      // Load several references per lane, with the neighbour before each, before comparing any. The source compares
      // with the neighbour's copy in shared memory.
      warp.lanes([&](int lane) {
        for (int a = 0; a < items_per_lane; ++a)
          if (const std::uint32_t i = begin + 32 * a + lane; i < share.end)
            ahead[lane].now[a] = part.references[i], ahead[lane].before[a] = part.references[i == 0 ? 0 : i - 1];
      });
      for (int a = 0; a < items_per_lane && begin + 32 * a < share.end; ++a) {
        const std::uint32_t at = begin + 32 * a;
        // Compare 32 references with their neighbours. The ballot gives every lane the compare mask: 1 for a reference
        // that is kept. Only the first reference of all looks into the part before.
        const std::uint32_t mask = warp.ballot([&](int lane) {
          return at + lane < share.end &&
                 (at + lane == 0 ? differs_from_previous()
                                 : differ(part.points, ahead[lane].now[a], part.points, ahead[lane].before[a]));
        });
        // Keep those of the mask, in order; note the others, which equal one that is kept
        buffer.take(warp, mask, [&](int lane) { return ahead[lane].now[a].point; });
        if (removed)
          warp.lanes([&](int lane) {
            if (at + lane < share.end && !(mask >> lane & 1))
              removed[part.original ? part.original[ahead[lane].now[a].point.value] : ahead[lane].now[a].point.value] =
                  1;
          });
        note(warp, (at - share.begin) / 32, mask);
      }
    }
    buffer.flush(warp);
    // The second pass sums these counts to find where each share goes
    warp.lanes([&](int lane) {
      if (lane == 0) kept[warp.index()] = buffer.count;
    });
  }

 private:
  struct Ahead {
    Reference now[items_per_lane], before[items_per_lane];
  };
  KDSCOPE_HD bool differ(const PointsView& points_of_a, const Reference& a, const PointsView& points_of_b,
                         const Reference& b) const {
    return a.value != b.value || compare_super_keys(points_of_a, a.point.value, points_of_b, b.point.value, dim) != 0;
  }
  KDSCOPE_HD bool differs_from_previous() const {
    return previous.n == 0 ||
           differ(part.points, part.references[0], previous.points, previous.references[previous.n - 1]);
  }
  template <class Warp>
  KDSCOPE_HD void note(Warp& warp, std::uint32_t at, std::uint32_t mask) const {
    if constexpr (!std::is_same_v<Probe, NoProbe>) {
      if (std::uint32_t* row = masks.row(warp.index(), masks_per_warp))
        warp.lanes([&](int lane) {
          if (lane == 0) row[at] = mask;
        });
    }
  }
};

/// Second pass: closes the gaps. before: [warps] number of references that the warps before kept; references: [n], of
/// which the first elements receive the unique references.
struct CloseGaps {
  const PointId* segments;
  const std::uint32_t* before;
  const std::uint32_t* kept;
  std::uint32_t n, warps;
  PointId* references;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    // Move the warp's kept references to directly behind those of all lower warps; neighbouring lanes copy neighbours
    const WarpShare share = share_of(n, warp.index(), warps);
    const std::uint32_t to = before[warp.index()], count = kept[warp.index()];
    warp.lanes([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += 32) references[to + i] = segments[share.begin + i];
    });
  }
};
// [endregion]

struct CountOf {
  const std::uint32_t* counts;
  std::uint32_t n;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return i < n ? counts[i] : 0; }
};

}  // namespace kdscope::brown
