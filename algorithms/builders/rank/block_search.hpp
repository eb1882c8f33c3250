#pragma once
// Finds the point of a given rank, by one block.

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

/// A block's search for the point of a rank. A histogram over the range of the points' orders tells which bin holds the
/// rank, the range of the bin's points takes the place of the first one, and so on until few points are left, which are
/// compared in pairs.
/// Numbers: i counts the points, j counters or entries of the list. There are 2^log_bins bins.
template <class Block>
class BlockSearch {
 public:
  /// Up to this many points are compared in pairs.
  static constexpr std::uint32_t few = 16;

  static std::size_t shared_bytes(std::uint32_t log_bins) {
    return sizeof(std::uint32_t) * ((std::size_t{1} << log_bins) + 1) + sizeof(State) + 256;
  }
  KDSCOPE_HD BlockSearch(Block& block, ScalarType type, std::uint32_t log_bins)
      : block_(block),
        type_(type),
        log_bins_(log_bins),
        counters_(block.template shared<std::uint32_t>(static_cast<int>((1u << log_bins) + 1))),
        at_(block.template shared<State>(1)) {}

  /// Searches for the point with `rank` smaller ones among all points, whose orders lie in `range`. points: count(),
  /// key(i), id(i). route(i, side): called once for each point: -1 before the point that is searched, 0 for itself, 1
  /// after it. Work: usually two passes over the points; two more per log_bins bits of the range of keys or indices.
  template <class Points, class Route>
  KDSCOPE_HD void operator()(const OrderRange& range, std::uint32_t rank, const Points& points, const Route& route) {
    const std::uint32_t lanes = static_cast<std::uint32_t>(block_.lane_count()), bins = 1u << log_bins_;
    block_.lanes([&](int lane) {
      if (lane == 0)
        *at_ = {range,
                {no_id, 0, no_id, 0},
                type_ == ScalarType::float32 && !range.is_one_key() ? BinMap::of_values(range, log_bins_)
                                                                    : BinMap::of(range, log_bins_),
                rank,
                points.count(),
                0};
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j <= bins; j += lanes) counters_[j] = 0;
    });
    // Narrow the range until few points are left in it. All lanes read the same word between two barriers, so they all
    // leave the loop together.
    if (at_->count > few) narrow<true>(lanes, points);
    while (at_->count > few) {
      tighten(lanes, points);
      narrow<false>(lanes, points);
    }
    // Route the points outside of the range, whose side is known, and list the few inside. The atomic gives each a
    // place of its own; the order within the list does not matter, because its points are compared with one another.
    std::uint32_t* const list = counters_;
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.count(); i += lanes) {
        const int side = side_of(i, points);
        if (side != 0) {
          route(i, side);
          continue;
        }
        const std::uint32_t slot = block_.atomic_add(&at_->listed, 1u);
        if (slot < few) list[slot] = i;
      }
    });
    // Rank the listed points, one lane per entry: that with as many smaller ones as the rank says is the pivot
    block_.lanes([&](int lane) {
      const std::uint32_t listed = at_->listed < few ? at_->listed : few;
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j < listed; j += lanes) {
        const std::uint32_t i = list[j], key = points.key(i);
        std::uint32_t smaller = 0;
        for (std::uint32_t s = 0; s < listed; ++s) {
          const std::uint32_t other = points.key(list[s]);
          smaller += other < key;
          if (other == key && points.id(list[s]) < points.id(i)) ++smaller;
        }
        route(i, smaller < at_->rank ? -1 : smaller > at_->rank ? 1 : 0);
      }
    });
  }

 private:
  /// Where the point is, as far as known, and the extent of the points that are left.
  struct State {
    OrderRange range, extent;
    BinMap map;
    std::uint32_t rank, count, listed;  ///< among the points that are left; these; those of the list
  };

  /// Returns the side of point i with respect to the points that are left.
  template <class Points>
  KDSCOPE_HD int side_of(std::uint32_t i, const Points& points) const {
    const BinMap map = at_->map;
    const std::uint32_t key = points.key(i);
    const auto id = [&] { return points.id(i); };
    if (map.kind & BinMap::cut)
      if (const int side = at_->range.side_of(key, id); side != 0) return side;
    if (map.bin == BinMap::no_bin) return 0;
    const std::uint32_t bin = map.bin_of(key, id, log_bins_);
    return bin == map.bin ? 0 : bin < map.bin ? -1 : 1;
  }

  /// Counts the points by bins of the range, and leaves the range and the rank of the right bin. first: all points lie
  /// in the range.
  template <bool first, class Points>
  KDSCOPE_HD void narrow(std::uint32_t lanes, const Points& points) {
    const std::uint32_t bins = 1u << log_bins_;
    // Count the points of each bin by atomics in shared memory. Points outside of the range take no part.
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.count(); i += lanes) {
        const std::uint32_t key = points.key(i);
        const auto id = [&] { return points.id(i); };
        if (!first && at_->range.side_of(key, id) != 0) continue;
        const std::uint32_t bin = at_->map.bin_of(key, id, log_bins_);
        if (bin < bins) block_.atomic_add(&counters_[bin], 1u);  // always, unless a build is broken
      }
    });
    block_.exclusive_sum(counters_, static_cast<int>(bins) + 1);
    block_.lanes([&](int lane) {
      if (lane != 0 || at_->range.span() == 0) return;
      // Find the last bin with no more than `rank` points before it, by halving steps; it holds the point of that rank
      std::uint32_t bin = 0;
      for (std::uint32_t step = bins >> 1; step > 0; step >>= 1)
        if (counters_[bin + step] <= at_->rank) bin += step;
      // Go on with the points of that bin alone: the rank counts from its first point
      at_->rank -= counters_[bin], at_->count = counters_[bin + 1] - counters_[bin];
      at_->map.bin = bin;
      at_->extent = {no_id, 0, no_id, 0};
    });
    // Clear the counters for the next pass, or for the list
    block_.lanes([&](int lane) {
      for (std::uint32_t j = static_cast<std::uint32_t>(lane); j <= bins; j += lanes) counters_[j] = 0;
    });
  }

  /// Cuts the range to the points that are left in it: a range between two keys is often much wider.
  template <class Points>
  KDSCOPE_HD void tighten(std::uint32_t lanes, const Points& points) {
    // Find the ends of the points in the chosen bin
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.count(); i += lanes) {
        const std::uint32_t key = points.key(i), id = points.id(i);
        if (side_of(i, points) != 0) continue;
        // Most points change nothing, so look before taking an atomic. A stale end only costs an atomic that changes
        // nothing.
        OrderRange& extent = at_->extent;
        if (key < extent.lo_key) block_.atomic_min(&extent.lo_key, key);
        if (key > extent.hi_key) block_.atomic_max(&extent.hi_key, key);
        if (id < extent.lo_id) block_.atomic_min(&extent.lo_id, id);
        if (id > extent.hi_id) block_.atomic_max(&extent.hi_id, id);
      }
    });
    // The barrier makes the ends final. The range between them replaces the one before, with new bins: by keys or, if
    // only one key is left, by indices.
    block_.lanes([&](int lane) {
      if (lane != 0) return;
      OrderRange extent = at_->extent;
      if (!extent.is_one_key()) extent.lo_id = 0, extent.hi_id = no_id;
      at_->range = extent;
      at_->map = BinMap::of(extent, log_bins_);
      at_->map.kind |= BinMap::cut;
      // Only a broken build holds an index twice; such points have no order, so end the search
      if (extent.span() == 0) at_->count = few;
    });
  }

  Block& block_;
  ScalarType type_;
  std::uint32_t log_bins_;
  std::uint32_t* counters_;  ///< [bins + 1]; also the list of the last points
  State* at_;
};
// [endregion]

}  // namespace kdscope::rank
