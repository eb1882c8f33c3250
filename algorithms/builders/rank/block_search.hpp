#pragma once
// Finds the points of given ranks in several nodes at once, by one block.

#include <cstddef>
#include <cstdint>

#include "algorithms/builders/rank/order.hpp"

namespace kdscope::rank {

// [region rank/search]
/// A range of orders: keys [lo_key, hi_key] with any index, or, if both keys are equal, that key with indices [lo_id,
/// hi_id].
struct alignas(16) OrderRange {
  std::uint32_t lo_key = 0, hi_key = no_id, lo_id = 0, hi_id = no_id;

  KDSCOPE_HD bool is_one_key() const { return lo_key == hi_key; }
  /// Returns the last offset in the range, in keys or in indices.
  KDSCOPE_HD std::uint32_t span() const { return is_one_key() ? hi_id - lo_id : hi_key - lo_key; }
  /// Returns -1 for orders below the range, 0 in it, 1 above it.
  template <class Id>
  KDSCOPE_HD int side_of(std::uint32_t key, const Id& id) const {
    if (key < lo_key) return -1;
    if (key > hi_key) return 1;
    if (!is_one_key()) return 0;
    const std::uint32_t point = id();
    return point < lo_id ? -1 : point > hi_id ? 1 : 0;
  }
};

/// A monotone map from a range of orders to bins, and the bin in which the point is. Coordinates are mapped linearly
/// first, because most data are even in their values, and by their keys after that, whose range a few passes exhaust.
/// One key alone is cut by indices.
struct alignas(16) BinMap {
  enum Kind : std::uint32_t { values, keys, indices };
  static constexpr std::uint32_t no_bin = no_id;
  std::uint32_t lo;      ///< the first key or index; the first value, as a float, for values
  std::uint32_t factor;  ///< bin = offset * factor / 2^32, or bin = offset for 0; for values, bins per unit, a float
  std::uint32_t kind;    ///< plus `cut` if not all of the node's points lie in the range
  std::uint32_t bin;     ///< the bin with the point, or no_bin before it is known
  static constexpr std::uint32_t cut = 4;

  KDSCOPE_HD static BinMap of(const OrderRange& range, std::uint32_t log_bins) {
    const std::uint32_t span = range.span();
    BinMap map{range.is_one_key() ? range.lo_id : range.lo_key, 0, range.is_one_key() ? indices : keys, no_bin};
    if (span >> log_bins != 0)
      map.factor = static_cast<std::uint32_t>((std::uint64_t{1} << (32 + log_bins)) / (std::uint64_t{span} + 1));
    return map;
  }
  /// Returns a map that is linear in the values of floats, or in keys where their distances are not finite.
  KDSCOPE_HD static BinMap of_values(const OrderRange& range, std::uint32_t log_bins) {
    const float first = value_of(range.lo_key), extent = value_of(range.hi_key) - first;
    const float per_unit = static_cast<float>(1u << log_bins) / extent;
    if (extent < 1e37f && per_unit < 1e37f) return {word_of(first), word_of(per_unit), values, no_bin};
    return of(range, log_bins);
  }
  /// Returns the bin of a point in the range. Larger numbers than there are bins are possible only in a broken build.
  template <class Id>
  KDSCOPE_HD std::uint32_t bin_of(std::uint32_t key, const Id& id, std::uint32_t log_bins) const {
    if ((kind & ~cut) == values) {
      const std::uint32_t at = static_cast<std::uint32_t>((value_of(key) - float_of(lo)) * float_of(factor));
      return at >> log_bins == 0 ? at : (1u << log_bins) - 1;
    }
    const std::uint32_t offset = ((kind & ~cut) == keys ? key : id()) - lo;
    return factor == 0 ? offset : static_cast<std::uint32_t>(std::uint64_t{offset} * factor >> 32);
  }
  KDSCOPE_HD static float value_of(std::uint32_t key) {
    return float_of(word_of_ordered_key(key, ScalarType::float32));
  }
};

/// Memory of a block that searches in up to `nodes` nodes at once.
struct SearchLimits {
  /// Up to this many points of a node are compared in pairs.
  static constexpr std::uint32_t few = 16;
  std::uint32_t nodes;
  std::uint32_t log_bins;  ///< all nodes together have 2^log_bins bins

  /// Returns the words of memory that serve as bins and then as lists.
  KDSCOPE_HD std::uint32_t words() const {
    const std::uint32_t bins = (1u << log_bins) + 1, lists = nodes * few;
    return bins < lists ? lists : bins;
  }
  std::size_t shared_bytes() const {
    return sizeof(std::uint32_t) * words() + nodes * (2 * sizeof(OrderRange) + sizeof(BinMap) + 12) + 256;
  }
};

/// A block's search by rank. A histogram over the range of a node's orders tells which bin holds the rank, the range
/// of the bin's points takes the place of the node's, and so on until few points are left, which are compared in pairs.
/// The bins of all nodes lie side by side, so one prefix sum serves them all.
/// Numbers: t counts the nodes of the search, i the points, j counters or entries of lists. Every node has 2^log_b
/// bins.
template <class Block>
class BlockSearch {
 public:
  static constexpr std::uint32_t few = SearchLimits::few;

  KDSCOPE_HD BlockSearch(Block& block, ScalarType type, const SearchLimits& limits)
      : block_(block),
        type_(type),
        log_bins_(limits.log_bins),
        counters_(block.template shared<std::uint32_t>(static_cast<int>(limits.words()))),
        range_(block.template shared<OrderRange>(static_cast<int>(limits.nodes))),
        extent_(block.template shared<OrderRange>(static_cast<int>(limits.nodes))),
        map_(block.template shared<BinMap>(static_cast<int>(limits.nodes))),
        rank_(of_nodes(limits)),
        count_(of_nodes(limits)),
        listed_(of_nodes(limits)),
        unfinished_(block.template shared<std::uint32_t>(1)) {
    block.lanes([&](int lane) {
      if (lane == 0) *unfinished_ = 0;
    });
  }

  /// Returns memory that is free between searches: [SearchLimits::words()].
  KDSCOPE_HD std::uint32_t* counters() { return counters_; }

  /// A search in one node: the point with `rank` smaller ones among `count` points, whose orders lie in the range.
  struct Start {
    OrderRange range;
    std::uint32_t rank, count;
  };

  /// Searches in nodes [0, nodes). start(node): called once per node. points: count(); node_of(i), which is at least
  /// `nodes` for points that take no part; key(i, node); id(i). route(i, node, side): called once for each point that
  /// takes part: -1 before the point that is searched, 0 for itself, 1 after it. Work: usually two passes over the
  /// points; two more per log2(bins per node) bits of the widest range of keys or indices.
  template <class GetStart, class Points, class Route>
  KDSCOPE_HD void operator()(std::uint32_t nodes, const GetStart& start, const Points& points, const Route& route) {
    const std::uint32_t lanes = static_cast<std::uint32_t>(block_.lane_count());
    // Share the bins evenly among the nodes
    std::uint32_t log_b = log_bins_;
    while ((nodes << log_b) > (1u << log_bins_)) --log_b;
    const std::uint32_t bins = nodes << log_b;

    // Start each node with its whole range. Several lanes may write *unfinished_ without an atomic, because all write 1
    block_.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < nodes; t += lanes) {
        const Start search = start(t);
        range_[t] = search.range;
        map_[t] = type_ == ScalarType::float32 && !search.range.is_one_key() ? BinMap::of_values(search.range, log_b)
                                                                             : BinMap::of(search.range, log_b);
        rank_[t] = search.rank, count_[t] = search.count, listed_[t] = 0;
        if (search.count > few) *unfinished_ = 1;
      }
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j <= bins; j += lanes) counters_[j] = 0;
    });
    // Narrow all ranges together, until few points are left in each. All lanes read the same word between two barriers,
    // so they all leave the loop together.
    if (*unfinished_) narrow<true>(nodes, log_b, lanes, points);
    while (*unfinished_) {
      tighten(nodes, log_b, lanes, points);
      narrow<false>(nodes, log_b, lanes, points);
    }

    // Route the points outside of the ranges, whose side is known, and list the few inside. The atomic gives each a
    // place of its own; the order within a list does not matter, because its points are compared with one another.
    std::uint32_t* const list = counters_;
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.count(); i += lanes) {
        const std::uint32_t t = points.node_of(i);
        if (t >= nodes) continue;
        const int side = side_of(i, t, points, log_b);
        if (side != 0) {
          route(i, t, side);
          continue;
        }
        const std::uint32_t slot = block_.atomic_add(&listed_[t], 1u);
        if (slot < few) list[t * few + slot] = i;
      }
    });
    // Rank the listed points, one lane per entry: that with as many smaller ones as the rank says is the pivot
    block_.lanes([&](int lane) {
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j < nodes * few; j += lanes) {
        const std::uint32_t t = j / few, first = t * few, listed = listed_[t] < few ? listed_[t] : few;
        if (j - first >= listed) continue;
        compare(list + first, listed, list[j], t, points, route);
      }
    });
  }

 private:
  KDSCOPE_HD std::uint32_t* of_nodes(const SearchLimits& limits) {
    return block_.template shared<std::uint32_t>(static_cast<int>(limits.nodes));
  }
  /// Returns the side of point i with respect to the points that are left in node t.
  template <class Points>
  KDSCOPE_HD int side_of(std::uint32_t i, std::uint32_t t, const Points& points, std::uint32_t log_b) const {
    const BinMap map = map_[t];
    const std::uint32_t key = points.key(i, t);
    const auto id = [&] { return points.id(i); };
    if (map.kind & BinMap::cut)
      if (const int side = range_[t].side_of(key, id); side != 0) return side;
    if (map.bin == BinMap::no_bin) return 0;
    const std::uint32_t bin = map.bin_of(key, id, log_b);
    return bin == map.bin ? 0 : bin < map.bin ? -1 : 1;
  }
  KDSCOPE_HD bool is_open(std::uint32_t t) const { return count_[t] > few && range_[t].span() > 0; }

  /// Counts the smaller ones of the `listed` points of node t, and routes point i by its rank.
  template <class Index, class Points, class Route>
  KDSCOPE_HD void compare(const Index* list, std::uint32_t listed, std::uint32_t i, std::uint32_t t,
                          const Points& points, const Route& route) const {
    const std::uint32_t key = points.key(i, t), rank = rank_[t];
    std::uint32_t smaller = 0;
    for (std::uint32_t s = 0; s < listed; ++s) {
      const std::uint32_t other = points.key(list[s], t);
      smaller += other < key;
      if (other == key && points.id(list[s]) < points.id(i)) ++smaller;
    }
    route(i, t, smaller < rank ? -1 : smaller > rank ? 1 : 0);
  }

  /// Counts the points of each open node by bins of its range, and leaves the range and the rank of the right bin.
  /// first: all points of the nodes lie in their ranges.
  template <bool first, class Points>
  KDSCOPE_HD void narrow(std::uint32_t nodes, std::uint32_t log_b, std::uint32_t lanes, const Points& points) {
    const std::uint32_t bins = nodes << log_b;
    // Count the points of each bin by atomics in shared memory. Points that lie outside of their node's range, or whose
    // node has only a few left, take no part; the first pass counts all points of its nodes.
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.count(); i += lanes) {
        const std::uint32_t t = points.node_of(i);
        if (t >= nodes || (!first && count_[t] <= few)) continue;
        const std::uint32_t key = points.key(i, t);
        const auto id = [&] { return points.id(i); };
        if (!first && range_[t].side_of(key, id) != 0) continue;
        const std::uint32_t bin = map_[t].bin_of(key, id, log_b);
        if (bin >> log_b == 0)
          block_.atomic_add(&counters_[(t << log_b) + bin], 1u);  // always, unless a build is broken
      }
    });
    // Sum over the bins of all nodes at once: within a node, differences to its first bin are its own sums
    block_.exclusive_sum(counters_, static_cast<int>(bins) + 1);
    block_.lanes([&](int lane) {
      if (lane == 0) *unfinished_ = 0;  // all lanes have read it
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < nodes; t += lanes) {
        if (!is_open(t)) continue;
        // Find the last bin with no more than `rank` points before it, by halving steps; it holds the point of that
        // rank
        const std::uint32_t* const before = counters_ + (t << log_b);
        std::uint32_t bin = 0;
        for (std::uint32_t step = 1u << log_b >> 1; step > 0; step >>= 1)
          if (before[bin + step] - before[0] <= rank_[t]) bin += step;
        // Go on with the points of that bin alone: the rank counts from its first point
        rank_[t] -= before[bin] - before[0], count_[t] = before[bin + 1] - before[bin];
        map_[t].bin = bin;
        extent_[t] = {no_id, 0, no_id, 0};
      }
    });
    // Go on while any node has more than a few points; clear the counters for the next pass, or for the lists
    block_.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < nodes; t += lanes)
        if (count_[t] > few) *unfinished_ = 1;
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j <= bins; j += lanes) counters_[j] = 0;
    });
  }

  /// Cuts the range of each open node to the points that are left in it: a range between two keys is often much wider.
  template <class Points>
  KDSCOPE_HD void tighten(std::uint32_t nodes, std::uint32_t log_b, std::uint32_t lanes, const Points& points) {
    // Find the ends of the points in the chosen bin
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.count(); i += lanes) {
        const std::uint32_t t = points.node_of(i);
        if (t >= nodes || count_[t] <= few) continue;
        const std::uint32_t key = points.key(i, t), id = points.id(i);
        if (side_of(i, t, points, log_b) != 0) continue;
        // Most points change nothing, so look before taking an atomic. A stale end only costs an atomic that changes
        // nothing.
        OrderRange& extent = extent_[t];
        if (key < extent.lo_key) block_.atomic_min(&extent.lo_key, key);
        if (key > extent.hi_key) block_.atomic_max(&extent.hi_key, key);
        if (id < extent.lo_id) block_.atomic_min(&extent.lo_id, id);
        if (id > extent.hi_id) block_.atomic_max(&extent.hi_id, id);
      }
    });
    // The barrier makes the ends final. The range between them replaces the node's range, with new bins: by keys or, if
    // only one key is left, by indices.
    block_.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < nodes; t += lanes) {
        if (count_[t] <= few) continue;
        OrderRange extent = extent_[t];
        if (!extent.is_one_key()) extent.lo_id = 0, extent.hi_id = no_id;
        range_[t] = extent;
        map_[t] = BinMap::of(extent, log_b);
        map_[t].kind |= BinMap::cut;
        // Only a broken build holds an index twice; such points have no order, so end the search
        if (extent.span() == 0) count_[t] = few;
      }
    });
  }

  Block& block_;
  ScalarType type_;
  std::uint32_t log_bins_;
  std::uint32_t* counters_;      ///< [bins + 1]; also the list of the last points
  OrderRange *range_, *extent_;  ///< [nodes] where the point is, as far as known; the extent of the points left
  BinMap* map_;
  std::uint32_t *rank_, *count_, *listed_, *unfinished_;
};
// [endregion]

}  // namespace kdscope::rank
