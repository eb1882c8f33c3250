#pragma once
// Sorts by one integer key per point: (tag, rank), where rank is the point's place among all points by (coordinate,
// original index) in the dimension that its subtree splits. This makes the method of Wald 2023, §7.1 and end note,
// exact: ranks have no ties and fewer bits than coordinates.

#include <bit>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/wald/split_rule.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope::wald {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel rank_coordinates{"rank coordinates", "wald/rank_coordinates"};
}  // namespace steps

// [region wald/rank_coordinates]
/// Makes key and value of each point for the ranking sort of one dimension.
struct CoordinateKeys {
  PointsView points;
  std::uint32_t dim;
  std::uint32_t* keys;
  PointId* ids;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    keys[i] = points.key(i, dim);
    ids[i] = {i};
  }
};

/// Inverts a sorted order: sets the rank of each point to its place in the order.
struct RanksOfOrder {
  const PointId* order;
  std::uint32_t* rank;
  KDSCOPE_HD void operator()(std::uint32_t place) const { rank[order[place].value] = place; }
};
// [endregion]

// [region wald/radix_sort]
/// Packs (tag - first_tag, rank) into the low bits of a key. rank: [k][n]. Work O(1) per point. j counts the points
/// being sorted; i = begin + j is the position.
template <class Key>
struct MakeKeys {
  const std::uint32_t* tags;
  const PointId* ids;
  const std::uint32_t* rank;
  Key* keys;
  SplitRule rule;
  std::uint32_t n, begin, first_tag;
  int level, rank_bits;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    // The tag in the high bits is the major order of §3.1, the rank in the low bits the minor one; unique tags need no
    // rank. Threads read tags and write keys side by side, but read ranks at random, by the points' indices.
    const std::uint32_t i = begin + j, tag = tags[i];
    Key key = static_cast<Key>(tag - first_tag) << rank_bits;
    if (rank_bits > 0) key |= rank[std::size_t(rule.dim_of(tag, level)) * n + ids[i].value];
    keys[i] = key;
  }
};

/// Reads the tags back from sorted keys. Copies the newly settled indices to both index buffers, because the next sorts
/// exchange only the positions behind them.
template <class Key>
struct TagsOfKeys {
  const Key* keys;
  std::uint32_t* tags;
  const PointId* ids;
  PointId* other_ids;  ///< null on back ends that sort in one buffer
  std::uint32_t begin, settled, first_tag;
  int rank_bits;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    // The key still holds the tag: only keys and indices were sorted
    const std::uint32_t i = begin + j;
    tags[i] = static_cast<std::uint32_t>(keys[i] >> rank_bits) + first_tag;
    if (other_ids && i < settled) other_ids[i] = ids[i];
  }
};
// [endregion]

/// The radix sort of a build. Extra memory: k ranks, one or two keys and one or two indices per point.
template <class Exec>
class RadixSort {
 public:
  static constexpr bool moves_records = false;
  static constexpr const char* anchor = "wald/radix_sort";

  RadixSort(Exec& exec, PointsOnDevice<Exec>& points, const SplitRule& rule)
      : exec_(exec),
        points_(points),
        rule_(rule),
        n_(points.n),
        rank_(exec.template array<std::uint32_t>("ranks", std::size_t(points.dim) * n_, Allocation::scratch)),
        keys_(exec.template array<std::uint64_t>("sort keys", n_, Allocation::scratch)),
        other_keys_(exec.template array<std::uint64_t>("sort keys", other_size(), Allocation::scratch)),
        ids_(exec.template array<PointId>("indices", n_)),
        other_ids_(exec.template array<PointId>("indices", other_size(), Allocation::scratch)),
        id_buffers_{ids_.data(), other_ids_.data()} {}

  void start() {}  // prepare() also assigns points to positions
  template <class Recorder, class Show>
  void prepare(Recorder& rec, Show show) {
    rec.step(
        steps::rank_coordinates,
        [&](const char* name) {
          for (std::uint32_t dim = 0; dim < points_.dim; ++dim) {
            DoubleBuffer<std::uint32_t> keys = key_buffers<std::uint32_t>();
            DoubleBuffer<PointId> order = id_buffers_;
            exec_.for_each("coordinate keys", n_, CoordinateKeys{points_.view(), dim, keys.current, order.current});
            exec_.sort_pairs(name, keys, order, n_, 32);
            exec_.for_each("ranks of order", n_, RanksOfOrder{order.current, rank_.data() + std::size_t(dim) * n_});
          }
          exec_.for_each("indices", n_, Identity{id_buffers_.current});
        },
        [&](auto& writer) { show(writer, rank_.data()); });
  }

  /// Sorts positions [sort_begin(level), n) by (tag, coordinate, index), or by tag alone if the tags are unique.
  void sort(int level, bool unique_tags, std::uint32_t* tags) {
    const std::uint32_t begin = sort_begin(level), settled = full_tree_size(level);
    const std::uint32_t first_tag = rule_.tag_of(NodeId{begin}, 0);
    const std::uint32_t last_node = (settled < n_ - settled ? full_tree_size(level + 1) : n_) - 1;
    const int rank_bits = unique_tags ? 0 : std::bit_width(n_ - 1);
    const int tag_bits = std::bit_width(rule_.tag_of(NodeId{last_node}, (1u << rule_.dim_bits) - 1) - first_tag);
    const SortRange range{level, begin, settled, first_tag};
    if (tag_bits + rank_bits <= 32)
      sort_as<std::uint32_t>(range, tag_bits, rank_bits, tags);
    else
      sort_as<std::uint64_t>(range, tag_bits, rank_bits, tags);
  }

  PointId* ids() { return id_buffers_.current; }
  /// Frees the scratch memory and returns the indices.
  Array<PointId, Exec> release() {
    rank_ = {}, keys_ = {}, other_keys_ = {};
    if (id_buffers_.current != ids_.data()) ids_.swap(other_ids_);
    other_ids_ = {};
    return std::move(ids_);
  }

 private:
  std::size_t other_size() const { return Exec::sorts_in_one_buffer ? 0 : n_; }
  template <class Key>
  DoubleBuffer<Key> key_buffers() {
    return {reinterpret_cast<Key*>(keys_.data()), reinterpret_cast<Key*>(other_keys_.data())};
  }

  /// The positions of a level's sort, and the tag from which its keys count.
  struct SortRange {
    int level;
    std::uint32_t begin, settled, first_tag;
  };

  template <class Key>
  void sort_as(const SortRange& range, int tag_bits, int rank_bits, std::uint32_t* tags) {
    const std::uint32_t begin = range.begin;
    DoubleBuffer<Key> keys = key_buffers<Key>();
    exec_.for_each("make keys", n_ - begin,
                   MakeKeys<Key>{tags, ids(), rank_.data(), keys.current, rule_, n_, begin, range.first_tag,
                                 range.level, rank_bits});
    DoubleBuffer<Key> key_range{keys.current + begin, keys.alternate ? keys.alternate + begin : nullptr};
    DoubleBuffer<PointId> id_range{ids() + begin, id_buffers_.alternate ? id_buffers_.alternate + begin : nullptr};
    const PointId* before = id_range.current;
    exec_.sort_pairs("sort by tag and rank", key_range, id_range, n_ - begin, tag_bits + rank_bits);
    if (id_range.current != before) std::swap(id_buffers_.current, id_buffers_.alternate);
    exec_.for_each("tags of keys", n_ - begin,
                   TagsOfKeys<Key>{key_range.current - begin, tags, ids(), id_buffers_.alternate, begin, range.settled,
                                   range.first_tag, rank_bits});
  }

  Exec& exec_;
  PointsOnDevice<Exec>& points_;
  const SplitRule& rule_;
  std::uint32_t n_;
  Array<std::uint32_t, Exec> rank_;
  Array<std::uint64_t, Exec> keys_, other_keys_;
  Array<PointId, Exec> ids_, other_ids_;
  DoubleBuffer<PointId> id_buffers_;
};

}  // namespace kdscope::wald
