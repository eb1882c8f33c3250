#pragma once
// The kernels of the host's own schedule. Emulating the lanes of a block or warp costs a processor more than their
// work, so one call does the work of all lanes, in their order: the results are the same, bit for bit.

#include <cstring>
#include <limits>

#include "algorithms/builders/zhou/chunks.hpp"
#include "algorithms/builders/zhou/small_nodes.hpp"

namespace kdscope::zhou {

/// A kernel for the host: operator()(i) does what block or warp i of Kernel does.
template <class Kernel>
struct OnHost;

template <>
struct OnHost<ChunkBoxes> : ChunkBoxes {
  void operator()(std::uint32_t k) const {
    Box3 all = UniteBoxes::identity();
    for (std::uint32_t j = 0; j < chunks.size[k]; ++j) all = UniteBoxes::combine(all, box[chunks.first[k] + j]);
    box_of_chunk[k] = all;
  }
};

template <>
struct OnHost<MarkSides> : MarkSides {
  void operator()(std::uint32_t k) const {
    const std::uint32_t first = chunks.first[k], node = plan.halved[chunks.owner[k]], dim = nodes.split_dim[node];
    const float value = nodes.split_value[node];
    // The counts so far are the ranks, so no scan is needed
    SideCounts count{0, 0};
    for (std::uint32_t at = first; at < first + chunks.size[k]; ++at) {
      const bool whole = dim == no_id, left = whole || goes_left(box[at].lo[dim], value),
                 right = !whole && goes_right(box[at].lo[dim], box[at].hi[dim], value);
      ranks[at] = {static_cast<std::uint16_t>(count.left), static_cast<std::uint16_t>(count.right), left, right};
      count.left += left, count.right += right;
    }
    counts[k] = count;
  }
};

template <class Candidates>
struct OnHost<MakeSplitSets<Candidates>> : MakeSplitSets<Candidates> {
  using Kernel = MakeSplitSets<Candidates>;
  using Kernel::nodes, Kernel::roots, Kernel::box, Kernel::sets;

  void operator()(std::uint32_t i) const {
    const std::uint32_t root = roots[i], first = nodes.first[root], count = nodes.count[root];
    // Copy the ends of the boxes to columns, so that one instruction compares several with a plane. Behind the last box
    // stand ends that are on no side of any plane.
    float lo[3][64], hi[3][64];
    for (std::uint32_t d = 0; d < 3; ++d)
      for (std::uint32_t t = 0; t < 64; ++t) {
        lo[d][t] = t < count ? box[first + t].lo[d] : std::numeric_limits<float>::quiet_NaN();
        hi[d][t] = t < count ? box[first + t].hi[d] : std::numeric_limits<float>::quiet_NaN();
      }
    SplitSets* to = sets + std::size_t(first) * Candidates::of_primitive;
    for (std::uint32_t t = 0; t < count; ++t)
      for (std::uint32_t c = 0; c < Candidates::of_primitive; ++c) {
        const SplitPlane plane = Candidates::plane(box[first + t], c);
        const float *const low = lo[plane.dim], *const high = hi[plane.dim];
        const std::uint64_t left = mask_of([=](std::uint32_t j) { return goes_left(low[j], plane.value); });
        // Those that do not go left go right, and others that reach beyond the plane
        *to++ = {left, (whole_set(count) & ~left) | mask_of([=](std::uint32_t j) { return high[j] > plane.value; })};
      }
  }

 private:
  /// Returns the mask of 64 comparisons.
  template <class Holds>
  static std::uint64_t mask_of(const Holds& holds) {
    std::uint8_t held[64];
    for (std::uint32_t j = 0; j < 64; ++j) held[j] = holds(j);
    std::uint64_t mask = 0;
    for (std::uint32_t j = 0; j < 64; j += 8) {
      // The product moves the lowest bits of eight bytes side by side into the highest byte
      std::uint64_t eight;
      std::memcpy(&eight, held + j, 8);
      mask |= (eight * 0x0102040810204080u >> 56) << j;
    }
    return mask;
  }
};

template <class Candidates, class Cost>
struct OnHost<ChooseSplits<Candidates, Cost, NoProbe>> : ChooseSplits<Candidates, Cost, NoProbe> {
  using Kernel = ChooseSplits<Candidates, Cost, NoProbe>;
  using Kernel::nodes, Kernel::level, Kernel::box, Kernel::sets, Kernel::cost, Kernel::depth, Kernel::choice;

  void operator()(std::uint32_t i) const {
    const std::uint32_t node = level[i], first = nodes.first[node];
    const std::uint64_t set = nodes.set[node];
    const Box3 volume = nodes.volume[node];
    choice[i] = no_id;
    if (nodes.count[node] <= cost.traversal_cost) return;
    // Fetch the sets of all candidates: those of a level do not fit in the caches near the processor
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const SplitSets* const of_t = sets + std::size_t(first + lowest_one(rest)) * Candidates::of_primitive;
      __builtin_prefetch(of_t), __builtin_prefetch(&of_t[Candidates::of_primitive - 1].right);
    }
    // Take the first of the cheapest candidates, in the order of their numbers
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t best = no_id;
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const std::uint32_t t = first + lowest_one(rest);
      // A candidate's dimension is a constant in the unrolled loop
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC unroll 6
#endif
      for (std::uint32_t c = 0; c < Candidates::of_primitive; ++c) {
        const SplitPlane plane = Candidates::plane(box[t], c);
        if (!inside(volume, plane)) continue;
        const std::uint32_t candidate = t * Candidates::of_primitive + c;
        const SplitSets both = sets[candidate];
        const double split = cost.split(volume, plane, static_cast<std::uint32_t>(popcount(set & both.left)),
                                        static_cast<std::uint32_t>(popcount(set & both.right)));
        if (split < least) least = split, best = candidate;
      }
    }
    const bool pays = least < cost.leaf(volume, nodes.count[node]), bound = pays && nodes.depth[node] >= depth;
    nodes.bounded[node] = bound;
    if (pays && !bound) choice[i] = best;
  }
};

}  // namespace kdscope::zhou
