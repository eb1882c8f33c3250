#pragma once
// The four partitioners (Robinson, "Partitioning"): they partition arrays of references by the super key of each
// array's median and leave out the median itself.

#include <cstdint>

#include "algorithms/builders/brown/compaction.hpp"
#include "algorithms/builders/brown/options.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/exec/point_sides.hpp"
#include "algorithms/trees/median_stores/super_key.hpp"

namespace kdscope::brown {

// [region brown/pick_medians]
/// Puts the medians of a level's arrays into its store and into the references of their parents. One thread per array.
/// primary: the sorted array of the level's dimension; stores: all levels; less, greater: [n] by point, null if no
/// nodes are built.
struct PickMedians {
  std::uint32_t n;
  int level;
  const PointId* primary;
  PointId* stores;
  std::uint32_t *less, *greater;

  KDSCOPE_HD void operator()(std::uint32_t address) const {
    // The array's place follows from its address and n, and its median from its place: nothing is searched
    const PositionRange range = array_at(n, level, address);
    if (range.begin < range.end) put(level, address, primary[median_position(range)]);
  }

 protected:
  KDSCOPE_HD void put(int at_level, std::uint32_t address, PointId median) const {
    // The address is the path from the root, one bit per level: its last bit is the side of the parent, the rest is the
    // parent's address in the store above. One thread writes each entry.
    stores[store_begin(at_level) + address] = median;
    if (!less || at_level == 0) return;
    std::uint32_t* const side =
        address & 1 ? greater : less;  // a variable: GCC 12's -fsanitize=undefined else miscomputes the index
    side[stores[store_begin(at_level - 1) + address / 2].value] = median.value;
  }
};
// [endregion]

// [region brown/terminating]
/// The last partitioner: arrays of one, two or three references become nodes and leaves. One thread per array.
struct Terminate : PickMedians {
  KDSCOPE_HD void operator()(std::uint32_t address) const {
    const PositionRange range = array_at(n, level, address);
    if (range.begin == range.end) return;
    // The median of two is the lower one, so the first entry below is filled only if there are three
    const std::uint32_t median = median_position(range);
    put(level, address, primary[median]);
    if (median > range.begin) put(level + 1, 2 * address, primary[range.begin]);
    if (median + 1 < range.end) put(level + 1, 2 * address + 1, primary[median + 1]);
  }
};
// [endregion]

// [region brown/mark_sides]
/// Marks the side of its median on which each point lies, according to its position in the array of the level's
/// dimension. Medians keep what they have.
struct MarkSides {
  std::uint32_t n;
  int level;
  const PointId* primary;
  PointSides sides;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // The array is sorted by the level's dimension, so a point's position tells its side; partitioning the other arrays
    // looks it up instead of comparing tuples
    const int side = side_of_position(n, level, i);
    if (side != 0 && side != settled)
      sides.put(primary[i].value, side > 0);  // a settled position may hold a stale reference
  }
};
// [endregion]

/// The task of partitioning one array of references at a level. All partitioners take it.
struct PartitionTask {
  PointsView points;
  std::uint32_t n;  ///< unique points
  int level;
  std::uint32_t dim;      ///< dimension of the level
  const PointId* stores;  ///< contains the medians of the level
  const PointId* from;    ///< [n] the array, sorted by another dimension
  PointSides sides;       ///< whether each point is greater; without words, tuples are compared
  bool coalesces;         ///< whether references are written by whole segments

  KDSCOPE_HD PointId median_of(std::uint32_t address) const { return stores[store_begin(level) + address]; }
  /// Returns -1 for a point less than the median, 1 for a greater one, 0 for the median itself.
  KDSCOPE_HD int side(PointId point, PointId median) const {
    if (!sides.words) return compare_super_keys(points, point.value, median.value, dim);
    return point == median ? 0 : sides.is_right(point.value) ? 1 : -1;
  }
};

/// Partitions a range of an array into two buffers, 32 references at a time, with two simultaneous compactions.
template <class Warp>
KDSCOPE_HD void part(Warp& warp, const PartitionTask& parting, PointId median, const PositionRange& range,
                     CoalescingBuffer& less, CoalescingBuffer& greater) {
  const std::uint32_t end = range.end;
  struct Ahead {
    PointId point[items_per_lane];
    int side[items_per_lane];
  };
  auto ahead = warp.template per_lane<Ahead>();
  for (std::uint32_t begin = range.begin; begin < end; begin += 32 * items_per_lane) {
    // Load several references per lane, then find their sides, so that the loads of each kind overlap
    warp.lanes([&](int lane) {
      for (int a = 0; a < items_per_lane; ++a)
        if (const std::uint32_t i = begin + 32 * a + lane; i < end) ahead[lane].point[a] = parting.from[i];
      for (int a = 0; a < items_per_lane; ++a)
        ahead[lane].side[a] = begin + 32 * a + lane < end ? parting.side(ahead[lane].point[a], median) : 0;
    });
    // Two compactions at once: each reference goes to one of two buffers, the median to none. So all warps write the
    // same number of words, whichever side their references are on.
    for (int a = 0; a < items_per_lane && begin + 32 * a < end; ++a) {
      less.take(warp, warp.ballot([&](int lane) { return ahead[lane].side[a] < 0; }),
                [&](int lane) { return ahead[lane].point[a]; });
      greater.take(warp, warp.ballot([&](int lane) { return ahead[lane].side[a] > 0; }),
                   [&](int lane) { return ahead[lane].point[a]; });
    }
  }
  less.flush(warp);
  greater.flush(warp);
}

// [region brown/warps_per_array]
/// The first partitioner: the arrays share the warps evenly, and every warp partitions its share into segments of its
/// own. less, greater: [n]; counts: [2 x warps], all counts of less first.
struct WarpsPerArray {
  PartitionTask parting;
  std::uint32_t warps;
  PointId *less, *greater;
  std::uint32_t* counts;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    const std::uint32_t warps_per_array = warps >> parting.level, address = warp.index() / warps_per_array;
    const PositionRange range = array_at(parting.n, parting.level, address);
    const WarpShare share = share_of(range.end - range.begin, warp.index() % warps_per_array, warps_per_array);
    const std::uint32_t begin = range.begin + share.begin, end = range.begin + share.end;
    // How many references go to each side is not known yet, so each warp writes both sides to its own share of two
    // arrays, and leaves gaps
    CoalescingBuffer less_buffer{warp.template shared<PointId>(CoalescingBuffer::size), less + begin,
                                 parting.coalesces};
    CoalescingBuffer greater_buffer{warp.template shared<PointId>(CoalescingBuffer::size), greater + begin,
                                    parting.coalesces};
    if (begin < end) part(warp, parting, parting.median_of(address), {begin, end}, less_buffer, greater_buffer);
    // CloseArrayGaps sums these counts to find where each share goes, so a warp without references writes 0, too
    warp.lanes([&](int lane) {
      if (lane == 0) counts[warp.index()] = less_buffer.count, counts[warps + warp.index()] = greater_buffer.count;
    });
  }
};

/// Copies the segments back without gaps: the lesser references from the array's begin on, the greater ones behind the
/// median. before: [2 x warps + 1] exclusive sums of counts. to: [n].
struct CloseArrayGaps {
  std::uint32_t n;
  int level;
  std::uint32_t warps;
  const PointId *less, *greater;
  const std::uint32_t *counts, *before;
  PointId* to;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    const std::uint32_t warps_per_array = warps >> level, w = warp.index(), address = w / warps_per_array,
                        first = address * warps_per_array;
    const PositionRange range = array_at(n, level, address);
    if (range.begin == range.end) return;
    const std::uint32_t begin = range.begin + share_of(range.end - range.begin, w - first, warps_per_array).begin;
    // The sums run over all warps; less the sum before the array's first warp, they count the references of the array
    // before this share
    PointId* const to_less = to + range.begin + (before[w] - before[first]);
    PointId* const to_greater = to + median_position(range) + 1 + (before[warps + w] - before[warps + first]);
    warp.lanes([&](int lane) {
      for (std::uint32_t i = lane; i < counts[w]; i += 32) to_less[i] = less[begin + i];
      for (std::uint32_t i = lane; i < counts[warps + w]; i += 32) to_greater[i] = greater[begin + i];
    });
  }
};
// [endregion]

// [region brown/warp_per_array]
/// The second partitioner: each warp loops over whole arrays. to: [n].
struct WarpPerArray {
  PartitionTask parting;
  std::uint32_t warps;
  PointId* to;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    auto* less_items = warp.template shared<PointId>(CoalescingBuffer::size);
    auto* greater_items = warp.template shared<PointId>(CoalescingBuffer::size);
    // A warp takes whole arrays, so it knows at once where both sides begin, and writes without gaps; no second pass is
    // needed
    for (std::uint32_t address = warp.index(); address < 1u << parting.level; address += warps) {
      const PositionRange range = array_at(parting.n, parting.level, address);
      CoalescingBuffer less{less_items, to + range.begin, parting.coalesces},
          greater{greater_items, to + median_position(range) + 1, parting.coalesces};
      part(warp, parting, parting.median_of(address), range, less, greater);
    }
  }
};
// [endregion]

// [region brown/sub_warps]
/// The third partitioner: each sub-warp of 16, 8 or 4 lanes takes one array, with one comparison per lane. to: [n].
struct SubWarps {
  PartitionTask parting;
  std::uint32_t width;
  PointId* to;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    auto range = warp.template per_lane<PositionRange>();
    auto point = warp.template per_lane<PointId>();
    auto side = warp.template per_lane<int>();
    const std::uint32_t arrays = 1u << parting.level, of_sub_warp = (1u << width) - 1;
    // Each lane loads one reference of its sub-warp's array and finds its side of the median. The median itself and
    // lanes without a reference have side 0 and write nothing
    warp.lanes([&](int lane) {
      const std::uint32_t address = warp.index() * (32 / width) + lane / width;
      range[lane] = address < arrays ? array_at(parting.n, parting.level, address) : PositionRange{0, 0};
      const std::uint32_t i = range[lane].begin + lane % width;
      side[lane] = 0;
      if (i >= range[lane].end) return;
      point[lane] = parting.from[i];
      side[lane] = parting.side(point[lane], parting.median_of(address));
    });
    // One ballot serves all sub-warps of the warp. Each lane shifts its sub-warp's bits down and masks the others off;
    // the ones below it are its place.
    const std::uint32_t less = warp.ballot([&](int lane) { return side[lane] < 0; }),
                        greater = warp.ballot([&](int lane) { return side[lane] > 0; });
    warp.lanes([&](int lane) {
      if (side[lane] == 0) return;
      const int first = lane / static_cast<int>(width) * static_cast<int>(width);
      const std::uint32_t mask = (side[lane] < 0 ? less : greater) >> first & of_sub_warp;
      to[(side[lane] < 0 ? range[lane].begin : median_position(range[lane]) + 1) + ones_before(mask, lane - first)] =
          point[lane];
    });
  }
};
// [endregion]

}  // namespace kdscope::brown
