#pragma once
// Brackets around the pivots of a round, from a sample of each segment.

#include "algorithms/builders/rank/round.hpp"

namespace kdscope::rank {

// [region rank/sample]
/// Takes a sample of a segment's points, sorts and splits it like the segment, and reads off it, for each node of the
/// round, a bracket that most likely holds the pivot: `deviations` standard deviations of the pivot's rank in the
/// sample to either side. One block per segment; each lane ranks a point of the sample by comparing it with those of
/// its node. A bracket that misses its pivot costs time, but no correctness. Work O(sample^2).
/// Numbers: i counts the sampled points, p and q their places, node after node and sorted within each, t the nodes of
/// the segment in level order, j the bracket edges of a level, node after node, c the child segments; s is the number
/// of sampled points, l the lane.
struct SampleBrackets {
  static constexpr int lanes = 512;
  static constexpr std::uint32_t deviations = 5;
  Round round;
  std::uint32_t sample;  ///< points per segment

  std::size_t shared_bytes() const {
    const std::size_t nodes = std::size_t{1} << round.levels;
    return sample * (4 * (round.rule.k + 1) + 2 * 8 + 3 * 2) + nodes * (sizeof(Plane) + 16) + 512;
  }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t segment = block.index(), width = static_cast<std::uint32_t>(block.lane_count());
    const NodeId root = round.root(segment);
    // Segments of fewer points than the sample are sampled whole
    const std::uint32_t begin = in_order_begin(root, round.n), size = subtree_size(root, round.n);
    const std::uint32_t k = round.rule.k, s = size < sample ? size : sample, nodes = round.node_count();

    auto* keys = block.template shared<std::uint32_t>(static_cast<int>(k * sample));
    auto* points = block.template shared<PointId>(static_cast<int>(sample));
    auto* orders = block.template shared<Order>(static_cast<int>(sample));  // at each place, and sorted
    auto* sorted = block.template shared<Order>(static_cast<int>(sample));
    auto* at = block.template shared<std::uint16_t>(static_cast<int>(sample));  // the point at each place
    auto* next_at = block.template shared<std::uint16_t>(static_cast<int>(sample));
    auto* node_of = block.template shared<std::uint16_t>(static_cast<int>(sample));  // the node of each place
    auto* middle = block.template shared<Plane>(static_cast<int>(nodes));  // the planes of the sample's own tree
    auto* first_of = block.template shared<std::uint32_t>(static_cast<int>(2 * nodes + 1));  // a node's first place
    auto* count_of = block.template shared<std::uint32_t>(static_cast<int>(2 * nodes + 1));

    // Take one point of each of s equal stretches of the segment, at a scattered offset, so that a period in the data
    // does not meet one in the sample. All points begin in the segment's root.
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t i = l; i < s; i += width) {
        const std::uint32_t from = static_cast<std::uint32_t>(std::uint64_t(i) * size / s);
        const std::uint32_t to = static_cast<std::uint32_t>(std::uint64_t(i + 1) * size / s);
        const std::uint32_t position = begin + from + scattered(i) % (to - from);
        for (std::uint32_t d = 0; d < k; ++d) keys[d * sample + i] = round.from.key(position, d);
        points[i] = round.from.point(position);
        at[i] = static_cast<std::uint16_t>(i), node_of[i] = 0;
      }
      // No child segment has received a point yet: the round's partition counts from 0
      for (std::uint32_t c = l; c <= nodes; c += width) round.filled[(segment << round.levels) + c] = 0;
      if (lane == 0) first_of[0] = 0, count_of[0] = s;
    });

    for (int down = 0; down < round.levels; ++down) {
      const std::uint32_t first = full_tree_size(down), end = full_tree_size(down + 1);
      // Choose the dimension of each node of the level. Planes above the round are exact; within it, those of the
      // sample's own tree stand for planes that are not known yet.
      block.lanes([&](int lane) {
        for (std::uint32_t t = first + static_cast<std::uint32_t>(lane); t < end; t += width)
          middle[t].dim = round.rule.dim_of(round.node(segment, t), [&](NodeId above) {
            return level_of(above) < round.level ? round.planes[above.value] : middle[within(above)];
          });
      });
      // Take each point's order in its node's dimension. Pivots of levels above keep their node and take no part.
      block.lanes([&](int lane) {
        for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < s; p += width)
          if (node_of[p] >= first) orders[p] = order_of(keys[middle[node_of[p]].dim * sample + at[p]], points[at[p]]);
      });
      // Sort the points of each node: the number of smaller ones is a point's place. Orders are unique, so no two
      // points write the same place. Neighbouring lanes mostly compare with the same point, so one read of shared
      // memory serves them.
      block.lanes([&](int lane) {
        for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < s; p += width) {
          const std::uint32_t t = node_of[p];
          if (t < first) continue;
          const std::uint32_t node_begin = first_of[t], node_end = node_begin + count_of[t];
          const Order order = orders[p];
          std::uint32_t place = node_begin;
          KDSCOPE_UNROLLED_BY_8
          for (std::uint32_t q = node_begin; q < node_end; ++q) place += orders[q] < order;
          sorted[place] = order, next_at[place] = at[p];
        }
      });
      // Cut the brackets, one lane per edge, and split the sample like the segment: the pivot's rank in the sample is
      // in proportion to its rank in the node
      block.lanes([&](int lane) {
        const std::uint32_t l = static_cast<std::uint32_t>(lane), edges = round.intervals + 1;
        for (std::uint32_t j = l; j < (end - first) * edges; j += width) {
          const std::uint32_t t = first + j / edges;
          round.brackets[round.slot(segment, t)].edge[j % edges] =
              edge(segment, t, j % edges, sorted + first_of[t], count_of[t]);
        }
        for (std::uint32_t t = first + l; t < end; t += width) {
          round.brackets[round.slot(segment, t)].dim = middle[t].dim;
          const std::uint32_t count = count_of[t], left = rank_in_sample(segment, t, count);
          middle[t].pivot = count > 0 ? sorted[first_of[t] + left] : 0;
          first_of[2 * t + 1] = first_of[t], count_of[2 * t + 1] = left;
          first_of[2 * t + 2] = first_of[t] + left + 1, count_of[2 * t + 2] = count > left ? count - left - 1 : 0;
        }
      });
      // Give each point the place that its order has found, and a child: places before the pivot's go left, those
      // behind it right
      block.lanes([&](int lane) {
        for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < s; p += width) {
          const std::uint32_t t = node_of[p];
          if (t < first) continue;
          const std::uint32_t pivot = first_of[2 * t + 2] - 1;
          at[p] = next_at[p];
          if (p != pivot) node_of[p] = static_cast<std::uint16_t>(2 * t + 1 + (p > pivot));
        }
      });
    }
  }

 private:
  KDSCOPE_HD static std::uint32_t scattered(std::uint32_t i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
  }
  /// Returns the number of a node of the tree within its segment.
  KDSCOPE_HD std::uint32_t within(NodeId node) const {
    const int down = level_of(node) - round.level;
    return full_tree_size(down) + ((node.value - full_tree_size(level_of(node))) & ((1u << down) - 1));
  }
  KDSCOPE_HD std::uint32_t rank_in_sample(std::uint32_t segment, std::uint32_t t, std::uint32_t count) const {
    const NodeId node = round.node(segment, t);
    return static_cast<std::uint32_t>(std::uint64_t(count) * rank_of_pivot(node, round.n) /
                                      subtree_size(node, round.n));
  }
  /// Returns edge j of a node's bracket. sorted: the `count` orders of the node's sample. Outer edges beyond the sample
  /// include all points.
  KDSCOPE_HD Order edge(std::uint32_t segment, std::uint32_t t, std::uint32_t j, const Order* sorted,
                        std::uint32_t count) const {
    // The rank of a median in a sample has a standard deviation of sqrt(count) / 2
    std::uint32_t root = 0;
    while (root * root < count) ++root;
    const std::int64_t tolerance = root * deviations / 2 + 1, rank = rank_in_sample(segment, t, count);
    const std::int64_t lo = rank - tolerance, hi = rank + tolerance;
    if (j == 0 && lo < 0) return 0;
    if (j == round.intervals && hi >= count) return largest_order;
    // Edges are evenly spaced in the sample's order, so that all intervals hold about the same number of the node's
    // points. Inner edges beyond the sample take its first or its last order.
    const std::int64_t there = lo + (hi - lo) * j / round.intervals;
    if (count == 0) return j == 0 ? 0 : largest_order;
    const std::int64_t p = there < 0 ? 0 : there >= count ? count - 1 : there;
    // An edge before all points of its key can be found by keys alone. Points of the sample that share a key stay
    // apart.
    const bool first_of_key = p == 0 || key_of(sorted[p - 1]) < key_of(sorted[p]);
    return first_of_key ? order_of(key_of(sorted[p]), PointId{0}) : sorted[p];
  }
};
// [endregion]

}  // namespace kdscope::rank
