#pragma once
// The k nearest points in a left-balanced tree, one query at a time, with the buckets and boxes of packets in columns:
// a processor whose instructions take several numbers at once compares a query with several boxes or points at once.
// Every point that may be among the k nearest is compared, so the answers are those of all other searches, bit for bit.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <limits>

#include "algorithms/queries/rank/buckets.hpp"

namespace kdscope::queries::rank {

/// A left-balanced tree and its buckets in columns: the Numbers of one dimension lie side by side.
template <class Number>
struct ColumnView : LevelOrderView<Number, false> {
  Number* coordinates = nullptr;  ///< [places / loaded_at_once x dim x loaded_at_once] NaN behind a bucket's last point
  PointId* points = nullptr;      ///< [places]
  Number* boxes[most_tiers] = {};  ///< [groups x 2 dim x descendants] by tier: lower ends, then upper ends

  /// Returns the ends of the boxes of a group, the subtrees of a tier with the same parent.
  KDSCOPE_HD Number* group(int tier, std::uint32_t number) const {
    return boxes[tier] + std::size_t(number) * 2 * this->dim * descendants;
  }
};

/// What a view with columns points to.
template <class Number, class Exec>
struct Columns {
  Array<Number, Exec> coordinates, boxes;
  Array<PointId, Exec> points;
};

// [region queries/columns]
/// Fills a bucket's columns and finds its box, one thread per bucket. Numbers behind the last bucket are boxes of
/// nothing, which fill the last group.
template <class Number, int dims>
struct FillColumns {
  ColumnView<Number> tree;

  KDSCOPE_HD void operator()(std::uint32_t bucket) const {
    const BucketLayout layout(tree.n);
    const std::uint32_t dim = dims > 0 ? dims : tree.dim;
    Coordinates<Number, dims> low, high;
    for (std::uint32_t d = 0; d < dim; ++d)
      low.at[d] = std::numeric_limits<Number>::infinity(), high.at[d] = -std::numeric_limits<Number>::infinity();
    if (bucket < layout.subtrees(0)) {
      const std::uint32_t begin = layout.first_position(bucket), next = layout.first_position(bucket + 1);
      const std::uint32_t points = (next < tree.n ? next : tree.n) - begin;
      const std::uint32_t place = layout.first_place(bucket), places = layout.first_place(bucket + 1) - place;
      for (std::uint32_t i = 0; i < places; ++i) {
        Number* const to = tree.coordinates + std::size_t(place + i) / loaded_at_once * loaded_at_once * dim +
                           (place + i) % loaded_at_once;
        // Behind the last point stand coordinates that are within no reach
        const NodeId node = node_in_order(begin + (i < points ? i : 0), tree.n);
        for (std::uint32_t d = 0; d < dim; ++d) {
          const Number own = tree.coordinate(node, d);
          to[d * loaded_at_once] = i < points ? own : std::numeric_limits<Number>::quiet_NaN();
          if (own < low.at[d]) low.at[d] = own;
          if (high.at[d] < own) high.at[d] = own;
        }
        tree.points[place + i] = i < points ? tree.point_of_node[node.value] : PointId{no_id};
      }
    }
    write(0, bucket, low, high);
  }
  KDSCOPE_HD void write(int tier, std::uint32_t subtree, const Coordinates<Number, dims>& low,
                        const Coordinates<Number, dims>& high) const {
    const std::uint32_t dim = dims > 0 ? dims : tree.dim;
    Number* const to = tree.group(tier, subtree / descendants) + subtree % descendants;
    for (std::uint32_t d = 0; d < dim; ++d) {
      to[d * descendants] = low.at[d];
      to[(dim + d) * descendants] = high.at[d];
    }
  }
};

/// Joins the boxes of a group to that of its parent.
template <class Number, int dims>
struct JoinGroups {
  FillColumns<Number, dims> fill;
  int tier;  ///< of the parents

  KDSCOPE_HD void operator()(std::uint32_t subtree) const {
    const ColumnView<Number>& tree = fill.tree;
    const std::uint32_t dim = dims > 0 ? dims : tree.dim;
    Coordinates<Number, dims> low, high;
    for (std::uint32_t d = 0; d < dim; ++d) {
      low.at[d] = std::numeric_limits<Number>::infinity(), high.at[d] = -std::numeric_limits<Number>::infinity();
      if (subtree >= BucketLayout(tree.n).subtrees(tier)) continue;
      const Number *const lower = tree.group(tier - 1, subtree) + d * descendants, *const upper =
                                                                                       lower + dim * descendants;
      for (std::uint32_t i = 0; i < descendants; ++i) {
        if (lower[i] < low.at[d]) low.at[d] = lower[i];
        if (high.at[d] < upper[i]) high.at[d] = upper[i];
      }
    }
    fill.write(tier, subtree, low, high);
  }
};
// [endregion]

/// Cuts a tree into buckets in columns. Memory: dim Numbers and an index per point, and 2 dim Numbers per subtree with
/// a box. Work O(n dim).
template <int dims, class Number, class Exec>
Columns<Number, Exec> cut_into_columns(Exec& exec, ColumnView<Number>& tree) {
  if (tree.n == 0) return {};
  const BucketLayout layout(tree.n);
  const auto boxes_of = [&](int tier) {  // groups are full
    return (layout.subtrees(tier) + descendants - 1) / descendants * descendants;
  };
  std::size_t boxes = 0;
  for (int tier = 0; tier < layout.tiers; ++tier) boxes += boxes_of(tier);
  const std::size_t places = layout.first_place(layout.subtrees(0));
  Columns<Number, Exec> columns{exec.template array<Number>("buckets", places * tree.dim),
                                exec.template array<Number>("boxes", boxes * 2 * tree.dim),
                                exec.template array<PointId>("points of buckets", places)};
  tree.coordinates = columns.coordinates.data();
  tree.points = columns.points.data();
  tree.boxes[0] = columns.boxes.data();
  for (int tier = 1; tier < layout.tiers; ++tier)
    tree.boxes[tier] = tree.boxes[tier - 1] + std::size_t(boxes_of(tier - 1)) * 2 * tree.dim;
  const FillColumns<Number, dims> fill{tree};
  exec.for_each("fill buckets", boxes_of(0), fill);
  for (int tier = 1; tier < layout.tiers; ++tier)
    exec.for_each("join boxes", boxes_of(tier), JoinGroups<Number, dims>{fill, tier});
  return columns;
}

// [region queries/bucket_walk]
/// Goes to the nearest of 32 boxes, to the nearest of the 32 boxes below it, and so on to a bucket; then to the next
/// nearest that is within reach, until none is left. The packet of a single query goes the same way.
template <class Number, int dims, class Found, class Log>
class BucketWalk {
 public:
  KDSCOPE_HD BucketWalk(const ColumnView<Number>& tree, const Coordinates<Number, dims>& query, Found& found, Log& log)
      : tree_(tree), query_(query), found_(found), log_(log), layout_(tree.n) {}

  /// Returns the number of subtrees visited.
  KDSCOPE_HD std::uint32_t run() {
    std::uint32_t visited = 0;
    int tier = layout_.tiers - 1;
    look(tier, 0);
    for (;;) {
      const std::uint32_t chosen = take_nearest(tier);
      if (chosen == none) {
        // None is left within reach: go back to the other subtrees of the tier above
        if (++tier == layout_.tiers) return visited;
        continue;
      }
      ++visited;
      const std::uint32_t subtree = looks_[tier].first + chosen;
      log_.enter(layout_.node(tier, subtree), looks_[tier].distance[chosen]);
      if (tier > 0)
        look(--tier, subtree);
      else
        scan(subtree);
    }
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::int32_t taken = 0x7fffffff;
  /// The subtrees of a group. A key is a distance as a float, whose words have the order of their values, with the
  /// subtree in place of the five lowest bits.
  struct Look {
    std::uint32_t first;
    std::int32_t key[descendants];
    Number distance[descendants];
  };

  KDSCOPE_HD std::uint32_t dim() const { return dims > 0 ? dims : tree_.dim; }
  KDSCOPE_HD static Number positive(Number difference) { return difference > 0 ? difference : Number(0); }

  /// Computes the distances of the boxes of a group.
  KDSCOPE_HD void look(int tier, std::uint32_t group) {
    Look& at = looks_[tier];
    at.first = group * descendants;
    const Number* const ends = tree_.group(tier, group);
    for (std::uint32_t i = 0; i < descendants; ++i) at.distance[i] = 0;
    for (std::uint32_t d = 0; d < dim(); ++d) {
      const Number own = query_.at[d], *const low = ends + d * descendants, *const high = low + dim() * descendants;
      // At most one of both differences is positive, so the sum is exact and needs no branch
      for (std::uint32_t i = 0; i < descendants; ++i)
        at.distance[i] = Found::with(at.distance[i], positive(low[i] - own) + positive(own - high[i]));
    }
    for (std::uint32_t i = 0; i < descendants; ++i)
      at.key[i] = static_cast<std::int32_t>((word_of(static_cast<float>(at.distance[i])) & ~(descendants - 1)) | i);
    for (std::uint32_t i = layout_.subtrees(tier); i < descendants; ++i) at.key[i] = taken;
    if constexpr (!std::is_same_v<Log, NoLog>)
      for (std::uint32_t i = 0; i < descendants; ++i)
        if (at.key[i] != taken) log_.push(layout_.node(tier, at.first + i), at.distance[i]);
  }

  /// Takes the nearest subtree of a group out of those that wait. Returns `none` if no other is within reach.
  KDSCOPE_HD std::uint32_t take_nearest(int tier) {
    Look& at = looks_[tier];
    for (;;) {
      std::int32_t least = taken;
      for (std::uint32_t i = 0; i < descendants; ++i) least = at.key[i] < least ? at.key[i] : least;
      if (least == taken) return none;
      const std::uint32_t chosen = static_cast<std::uint32_t>(least) % descendants;
      const Number distance = at.distance[chosen], reach = found_.reach();
      if (distance > reach && is_beyond(least, reach)) {
        // So are all others of the group
        if constexpr (!std::is_same_v<Log, NoLog>)
          for (std::uint32_t i = 0; i < descendants; ++i)
            if (at.key[i] != taken) skip(tier, i);
        return none;
      }
      at.key[chosen] = taken;
      if (distance <= reach) {
        log_.pop(layout_.node(tier, at.first + chosen), distance);
        return chosen;
      }
      skip(tier, chosen);
    }
  }
  /// Returns whether no subtree with this key or a larger one is within reach.
  KDSCOPE_HD static bool is_beyond(std::int32_t key, Number reach) {
    return float_of(static_cast<std::uint32_t>(key) & ~(descendants - 1)) > static_cast<float>(reach);
  }
  KDSCOPE_HD void skip(int tier, std::uint32_t i) {
    log_.pop(layout_.node(tier, looks_[tier].first + i), looks_[tier].distance[i]);
    log_.prune(layout_.node(tier, looks_[tier].first + i), PruneReason::box, looks_[tier].distance[i]);
  }

  /// Compares the query with the points of a bucket.
  KDSCOPE_HD void scan(std::uint32_t bucket) {
    constexpr std::uint32_t at_once = loaded_at_once;
    const std::uint32_t end = layout_.first_place(bucket + 1);
    for (std::uint32_t place = layout_.first_place(bucket); place < end; place += at_once) {
      const Number* const column = tree_.coordinates + std::size_t(place) * dim();
      Number distance[at_once];
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const Number difference = query_.at[0] - column[i];
        distance[i] = difference * difference;
      }
      for (std::uint32_t d = 1; d < dim(); ++d)
        for (std::uint32_t i = 0; i < at_once; ++i)
          distance[i] = Found::with(distance[i], query_.at[d] - column[d * at_once + i]);
      if constexpr (!std::is_same_v<Log, NoLog>)
        for (std::uint32_t i = 0; i < at_once; ++i)
          if (tree_.points[place + i].value != no_id) log_.test(tree_.points[place + i].value, distance[i]);
      // Few points are within reach: find out which without a branch for each
      for (std::uint32_t within = mask_within(distance, found_.reach()); within != 0; within &= within - 1) {
        const std::uint32_t i = lowest_one(within);
        if (found_.take(distance[i], tree_.points[place + i])) log_.accept(tree_.points[place + i].value, distance[i]);
      }
    }
  }

  /// Returns the mask of distances of at most `reach`.
  KDSCOPE_HD static std::uint32_t mask_within(const Number (&distance)[loaded_at_once], Number reach) {
    std::uint32_t within = 0;
#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__SANITIZE_THREAD__)
    if constexpr (sizeof(Number) == sizeof(float)) {
      for (std::uint32_t i = 0; i < loaded_at_once; i += 4)
        within |=
            static_cast<std::uint32_t>(_mm_movemask_ps(_mm_cmple_ps(_mm_loadu_ps(distance + i), _mm_set1_ps(reach))))
            << i;
      return within;
    }
#endif
    for (std::uint32_t i = 0; i < loaded_at_once; ++i) within |= distance[i] <= reach ? 1u << i : 0;
    return within;
  }

  const ColumnView<Number>& tree_;
  const Coordinates<Number, dims>& query_;
  Found& found_;
  Log& log_;
  BucketLayout layout_;
  Look looks_[most_tiers];
};
// [endregion]

}  // namespace kdscope::queries::rank
