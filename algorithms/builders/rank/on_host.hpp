#pragma once
// The schedule of the back ends of the host: selection in place, with one thread per node near the root and one thread
// per subtree below. A processor's caches and few threads make rounds with samples and bins a waste there.

#include <algorithm>
#include <utility>

#include "algorithms/builders/rank/finish.hpp"

namespace kdscope::rank {

// [region rank/on_host]
/// A point as the host moves it: the ordered keys of its coordinates, and its index.
template <int K>
struct HostRecord {
  std::uint32_t keys[K];
  PointId point;

  Order order(std::uint32_t dim) const { return order_of(keys[dim], point); }
};

/// Up to this many records are sorted by insertion. With 16 the selections of a build take 1.4 times as long.
inline constexpr std::uint32_t few_records = 7;

/// Reorders `count` records until the one with `rank` smaller ones stands at position `rank`, smaller ones before it
/// and larger ones after it (Floyd & Rivest 1975, SELECT: pivots from a sample close to the rank). Partitions without
/// branches that depend on the data. Expected work O(count), at most O(count log count): the standard library takes
/// over if pivots are bad again and again, which takes adversarial input.
template <int K>
void select(HostRecord<K>* records, std::uint32_t count, std::uint32_t rank, std::uint32_t dim) {
  constexpr int most_bad_pivots = 8;
  int bad_pivots = 0;
  // Narrow [records, records + count) around the rank, until few records are left
  while (count > few_records) {
    if (bad_pivots > most_bad_pivots) {
      std::nth_element(records, records + rank, records + count,
                       [dim](const HostRecord<K>& a, const HostRecord<K>& b) { return a.order(dim) < b.order(dim); });
      return;
    }
    // Take as the pivot a sampled record near the rank; in short ranges, the median of three records
    const std::uint32_t sample = count > 600 ? count / 32 + 64 : 0;
    if (sample > 0) {
      const std::uint32_t stride = count / sample;
      // Gather a sample, spread over the range, at its front
      for (std::uint32_t s = 0; s < sample; ++s) std::swap(records[s], records[s * stride]);
      const std::uint32_t wanted = static_cast<std::uint32_t>(std::uint64_t{rank} * sample / count);
      // Aim a little beyond the rank, towards the middle: the rank then most likely falls into the shorter part
      std::uint32_t beyond = 1;
      while (beyond * beyond < sample) ++beyond;
      const bool upper = rank < count / 2;
      const std::uint32_t at = upper ? std::min(sample - 1, wanted + beyond) : wanted > beyond ? wanted - beyond : 0;
      select(records, sample, at, dim);
      std::swap(records[at], records[0]);
    } else {
      const Order a = records[0].order(dim), b = records[count / 2].order(dim), c = records[count - 1].order(dim);
      const std::uint32_t median = (a < b) == (b < c) ? count / 2 : (a < b) == (c < a) ? 0 : count - 1;
      std::swap(records[median], records[0]);
    }
    // Partition without a branch on the data: every record changes places with records[smaller + 1], the first that is
    // not smaller than the pivot, and `smaller` grows by the result of the comparison, 0 or 1.
    const HostRecord<K> pivot = records[0];
    const Order order = pivot.order(dim);
    std::uint32_t smaller = 0;  // records[1..smaller] are smaller than the pivot
    for (std::uint32_t i = 1; i < count; ++i) {
      const HostRecord<K> next = records[i];
      records[i] = records[smaller + 1];
      records[smaller + 1] = next;
      smaller += next.order(dim) < order;
    }
    // Put the pivot between both parts, and go on in the part that holds the rank
    std::swap(records[0], records[smaller]);
    if (rank == smaller) return;
    const std::uint32_t before = count;
    if (rank < smaller) {
      count = smaller;
    } else {
      records += smaller + 1, count -= smaller + 1, rank -= smaller + 1;
    }
    // A pivot is bad if it leaves more than seven eighths of the range
    if (count > before - before / 8) ++bad_pivots;
  }
  // Sort the few records that are left by insertion
  for (std::uint32_t i = 1; i < count; ++i) {
    const HostRecord<K> next = records[i];
    std::uint32_t to = i;
    for (; to > 0 && next.order(dim) < records[to - 1].order(dim); --to) records[to] = records[to - 1];
    records[to] = next;
  }
}

/// Reads the input's points.
template <int K>
struct ReadOnHost {
  Records from;
  HostRecord<K>* to;
  void operator()(std::uint32_t i) const {
    for (std::uint32_t d = 0; d < K; ++d) to[i].keys[d] = from.key(i, d);
    to[i].point = {i};
  }
};

/// Splits a node of an upper level, or a whole subtree below them. Input: Records, or another type with word(point, d),
/// which is asked for the word of a coordinate that is zero.
template <int K, class Input>
struct SplitOnHost {
  HostRecord<K>* records;  ///< [n], each subtree's in order
  Input input;
  std::uint32_t n;
  SplitRule rule;
  int level;
  bool to_the_end;  ///< split the subtrees of the level's nodes, not the nodes alone
  Plane* planes;    ///< planes of the upper levels
  TreeArrays tree;

  void operator()(std::uint32_t i) const {
    const NodeId node{full_tree_size(level) + i};
    const std::uint32_t size = subtree_size(node, n);
    HostRecord<K>* const first = records + in_order_begin(node, n);
    const auto plane = [&](NodeId above) { return planes[above.value]; };
    if (to_the_end) {
      std::uint32_t box[2 * K] = {};
      if (rule.split == Split::widest) rule.box_of(node, plane, box, box + K);
      split_below(node, first, size, level, box);
    } else {
      const std::uint32_t dim = rule.dim_of(node, plane);
      planes[node.value] = {split(node, first, size, left_size(size), dim), dim};
    }
  }

  /// Splits the subtree of a node to the end. node_level: the level of the tree, which may have more levels above those
  /// that `node` counts. box: [2 K] keys of its domain, for the widest side; the caller's memory, which it restores.
  void split_below(NodeId node, HostRecord<K>* first, std::uint32_t size, int node_level, std::uint32_t* box) const {
    const std::uint32_t dim = rule.split == Split::widest ? widest_dimension(box, box + K, K, rule.type)
                                                          : static_cast<std::uint32_t>(node_level) % K;
    const std::uint32_t left = left_size(size), right = size - left - 1;
    const std::uint32_t key = key_of(split(node, first, size, left, dim));
    // Each child's domain ends at the plane
    if (left > 0) {
      const std::uint32_t hi = std::exchange(box[K + dim], std::min(box[K + dim], key));
      split_below(left_child(node), first, left, node_level + 1, box);
      box[K + dim] = hi;
    }
    if (right > 0) {
      const std::uint32_t lo = std::exchange(box[dim], std::max(box[dim], key));
      split_below(right_child(node), first + left + 1, right, node_level + 1, box);
      box[dim] = lo;
    }
  }

 private:
  /// Splits a node of `size` records, `left` of which are smaller than its pivot. Returns the pivot.
  Order split(NodeId node, HostRecord<K>* first, std::uint32_t size, std::uint32_t left, std::uint32_t dim) const {
    select<K>(first, size, left, dim);
    const HostRecord<K>& pivot = first[left];
    for (std::uint32_t d = 0; d < K; ++d) {
      // 0 and -0 share a key: read the word of a zero from the point itself
      const std::uint32_t key = pivot.keys[d];
      tree.words[std::size_t(node.value) * tree.stride + d] =
          key == ordered_key(0, rule.type) ? input.word(pivot.point.value, d) : word_of_ordered_key(key, rule.type);
    }
    tree.point_of_node[node.value] = pivot.point;
    tree.split_dim[node.value] = static_cast<std::uint8_t>(dim);
    return pivot.order(dim);
  }
};
// [endregion]

}  // namespace kdscope::rank
