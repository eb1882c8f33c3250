#pragma once
// Small nodes (Zhou et al. 2008, Alg. 4): each small root stores all its split candidates, with the sets of its
// primitives on either side as bit masks. Below it, costs and sets follow from bitwise "and" and bit counts. One warp
// per node. Nothing is clipped.

#include <bit>
#include <cstdint>
#include <limits>

#include "algorithms/builders/zhou/nodes.hpp"

namespace kdscope::zhou {

/// Candidates at the faces of triangles' boxes.
struct BoxFaces {
  static constexpr std::uint32_t of_primitive = 6;
  KDSCOPE_HD static SplitPlane plane(const Box3& box, std::uint32_t i) { return face_of(box, i); }
};

/// Candidates at points, one per dimension. Points of fewer dimensions have none along the others, where volumes are
/// flat.
struct PointPositions {
  static constexpr std::uint32_t of_primitive = 3;
  KDSCOPE_HD static SplitPlane plane(const Box3& point, std::uint32_t i) { return {i, point.lo[i]}; }
};

/// The nodes of a level of the small stage: a list, or `count` nodes from `begin` on.
struct LevelNodes {
  const std::uint32_t* list;
  std::uint32_t begin, count;
  KDSCOPE_HD std::uint32_t operator[](std::uint32_t i) const { return list ? list[i] : begin + i; }
};

/// The primitives of a small root on either side of a candidate, one bit each.
struct SplitSets {
  std::uint64_t left, right;
};

// [region zhou/preprocess_small]
/// Makes the sets of all candidates of the small roots. Candidate c of the reference at r in the kept list has the
/// number r * of_primitive + c.
template <class Candidates>
struct MakeSplitSets {
  NodesView nodes;
  LevelNodes roots;
  const Box3* box;  ///< [kept references]
  SplitSets* sets;  ///< [kept references x of_primitive]
  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    const std::uint32_t root = roots[warp.index()], first = nodes.first[root], count = nodes.count[root];
    Box3* const boxes = warp.template shared<Box3>(64);
    // Copy the root's boxes to shared memory: every candidate is compared with each of them (t counts the root's
    // primitives)
    warp.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < count; t += 32) boxes[t] = box[first + t];
    });
    // One candidate c per lane at a time. All lanes compare with box t together, so one read of shared memory serves
    // them, and a single pass over the primitives makes both sets.
    warp.lanes([&](int lane) {
      for (std::uint32_t c = static_cast<std::uint32_t>(lane); c < count * Candidates::of_primitive; c += 32) {
        const SplitPlane plane = Candidates::plane(boxes[c / Candidates::of_primitive], c % Candidates::of_primitive);
        SplitSets both{0, 0};
        for (std::uint32_t t = 0; t < count; ++t) {
          const float lo = boxes[t].lo[plane.dim], hi = boxes[t].hi[plane.dim];
          both.left |= std::uint64_t(goes_left(lo, plane.value) ? 1 : 0) << t;
          both.right |= std::uint64_t(goes_right(lo, hi, plane.value) ? 1 : 0) << t;
        }
        sets[std::size_t(first) * Candidates::of_primitive + c] = both;
      }
    });
  }
};
// [endregion]

/// Returns the bits of a cost. No cost is negative, so they are in the costs' order.
KDSCOPE_HD inline std::uint64_t bits_of(double cost) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(__double_as_longlong(cost));
#else
  return std::bit_cast<std::uint64_t>(cost);
#endif
}

/// Returns how many costs a probe receives per node: one per candidate, primitive after primitive of the small root. A
/// cost is NaN where there is no candidate.
inline constexpr int cost_row(std::uint32_t of_primitive) { return static_cast<int>(64 * of_primitive); }

// [region zhou/evaluate_costs]
/// Chooses the cheapest candidate of each node among the candidates that lie inside it and whose primitives it holds;
/// among equal ones, the one with the lowest number. Chooses no_id if the candidate does not cost less than a leaf or
/// if the depth bound forbids a split. choice: [nodes of the level].
template <class Candidates, class Cost, class Probe>
struct ChooseSplits {
  NodesView nodes;
  LevelNodes level;
  const Box3* box;
  const SplitSets* sets;
  Cost cost;
  std::uint32_t depth;
  std::uint32_t* choice;
  Probe probe;
  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    constexpr bool shown = !std::is_same_v<Probe, NoProbe>;
    const std::uint32_t node = level[warp.index()], first = nodes.first[node];
    const std::uint64_t set = nodes.set[node];
    const Box3 volume = nodes.volume[node];
    // Make a node of at most C_ts primitives a leaf at once: a leaf costs one test per primitive, and any split costs
    // at least C_ts. Most nodes of the last levels end here. A recording shows all costs, so it goes on.
    if constexpr (!shown) {
      if (nodes.count[node] <= cost.traversal_cost) {
        warp.lanes([&](int lane) {
          if (lane == 0) choice[warp.index()] = no_id;
        });
        return;
      }
    }
    double* costs = nullptr;
    if constexpr (shown) costs = probe.row(warp.index(), cost_row(Candidates::of_primitive));
    // List the set's primitives by number, so that lanes share their candidates evenly, however few of the small root's
    // primitives remain.
    std::uint8_t* const members = warp.template shared<std::uint8_t>(64);
    warp.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < 64; t += 32) {
        if constexpr (shown)
          for (std::uint32_t c = 0; c < Candidates::of_primitive; ++c)
            costs[t * Candidates::of_primitive + c] = std::numeric_limits<double>::quiet_NaN();
        if (set >> t & 1) members[popcount(set & ((std::uint64_t(1) << t) - 1))] = static_cast<std::uint8_t>(t);
      }
    });
    const std::uint32_t all = static_cast<std::uint32_t>(popcount(set)) * Candidates::of_primitive;
    auto least = warp.template per_lane<double>();
    auto best = warp.template per_lane<std::uint32_t>();
    // Compute the cost of every candidate inside the node (Alg. 4): an "and" and two bit counts tell how many
    // primitives lie on either side. Each lane keeps the cheapest of its own.
    warp.lanes([&](int lane) {
      least[lane] = std::numeric_limits<double>::infinity();
      best[lane] = no_id;
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < all; i += 32) {
        const std::uint32_t t = members[i / Candidates::of_primitive], c = i % Candidates::of_primitive;
        const SplitPlane plane = Candidates::plane(box[first + t], c);
        if (!inside(volume, plane)) continue;
        const std::uint32_t candidate = (first + t) * Candidates::of_primitive + c;
        const SplitSets both = sets[candidate];
        const double split = cost.split(volume, plane, static_cast<std::uint32_t>(popcount(set & both.left)),
                                        static_cast<std::uint32_t>(popcount(set & both.right)));
        if constexpr (shown) costs[t * Candidates::of_primitive + c] = split;
        if (split < least[lane]) least[lane] = split, best[lane] = candidate;
      }
    });
    // Find the cheapest candidate of all lanes by the costs' bits, because a warp finds the smallest word of its lanes
    // at once: of the costs' upper halves, then of the lower halves of the lanes that have it, then of the candidates
    // of the lanes that have both. Among equal costs, the lowest number wins.
    auto word = warp.template per_lane<std::uint32_t>();
    warp.lanes([&](int lane) { word[lane] = static_cast<std::uint32_t>(bits_of(least[lane]) >> 32); });
    const std::uint32_t upper = warp.smallest(word);
    warp.lanes(
        [&](int lane) { word[lane] = word[lane] == upper ? static_cast<std::uint32_t>(bits_of(least[lane])) : ~0u; });
    const std::uint64_t cheapest = std::uint64_t(upper) << 32 | warp.smallest(word);
    warp.lanes([&](int lane) { word[lane] = bits_of(least[lane]) == cheapest ? best[lane] : no_id; });
    const std::uint32_t candidate = warp.smallest(word);
    // Split only if that costs less than a leaf and the depth bound allows it; a node that the bound stops is marked
    warp.lanes([&](int lane) {
      if (lane != 0) return;
      const bool pays = cheapest < bits_of(cost.leaf(volume, nodes.count[node]));
      const bool bound = pays && nodes.depth[node] >= depth;
      nodes.bounded[node] = bound;
      choice[warp.index()] = pays && !bound ? candidate : no_id;
    });
  }
};
// [endregion]

/// Returns the summand that numbers the children of a level: 1 for each node that is split.
struct IsSplit {
  const std::uint32_t* choice;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return choice[i] != no_id; }
};

// [region zhou/split_small]
/// Splits nodes by their choices. Each child's set is the bitwise "and" of the node's set and the candidate's.
template <class Candidates>
struct SplitSmallNodes {
  NodesView nodes;
  LevelNodes level;
  const Box3* box;
  const SplitSets* sets;
  const std::uint32_t *choice, *before;  ///< [nodes of the level]
  std::uint32_t begin;                   ///< first new node
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t candidate = choice[i];
    if (candidate == no_id) return;
    // The sum of the splits before it gives the node's children their numbers
    const std::uint32_t node = level[i], left = begin + 2 * before[i];
    const SplitSets both = sets[candidate];
    nodes.split(
        node, Candidates::plane(box[candidate / Candidates::of_primitive], candidate % Candidates::of_primitive), left);
    // Sort the primitives in O(1): a child's set is an "and" of masks, and no primitive moves. Children refer to the
    // same root.
    for (std::uint32_t side = 0; side < 2; ++side) {
      const std::uint64_t set = nodes.set[node] & (side == 0 ? both.left : both.right);
      nodes.set[left + side] = set;
      nodes.count[left + side] = static_cast<std::uint32_t>(popcount(set));
      nodes.first[left + side] = nodes.first[node];
    }
  }
};
// [endregion]

}  // namespace kdscope::zhou
