#pragma once
// Ranks of the points of a block: along a dimension among all of them, and within nodes among those of the same node.

#include <cstddef>
#include <cstdint>

#include "algorithms/builders/rank/block_search.hpp"
#include "algorithms/core/platform.hpp"

namespace kdscope::rank {

// [region rank/block_ranks]
/// Counts, for each point of a block, the points before it. Points are 0 to `size` - 1, at most `most`.
/// Numbers: i, j count points, b bins, p places of a sorted list, t nodes, w words of bits; l is the lane.
template <class Block>
class BlockRanks {
 public:
  /// Up to this many points of a bin are compared in pairs.
  static constexpr std::uint32_t few = 31;
  /// Nodes in which within_nodes() ranks, as long as ranks count all of a block's points.
  static constexpr std::uint32_t most_nodes = 16;

  /// Returns the words of scratch memory for up to `most` points.
  KDSCOPE_HD static std::uint32_t scratch_words(std::uint32_t most) { return most + 2 * most_nodes + 8; }
  static std::size_t shared_bytes(std::uint32_t most) { return 4 * (scratch_words(most) + groups_of(most)) + 32; }

  /// list, by_id: [most] memory that along() may use.
  KDSCOPE_HD BlockRanks(Block& block, std::uint32_t most, std::uint16_t* list, std::uint16_t* by_id)
      : block_(block),
        lanes_(static_cast<std::uint32_t>(block.lane_count())),
        words_(scratch_words(most)),
        groups_(groups_of(most)),
        scratch_(block.template shared<std::uint32_t>(static_cast<int>(words_))),
        found_(block.template shared<std::uint32_t>(static_cast<int>(group + groups_))),
        list_(list),
        by_id_(by_id) {}

  /// Returns memory that is free between calls: [scratch_words(most)].
  KDSCOPE_HD std::uint32_t* scratch() { return scratch_; }

  /// Reads the keys of a dimension, and ranks the `size` points from position `begin` on along it. n: the number of
  /// all points. lo, hi: in shared memory, no_id and 0 before the call; receive the least and the greatest key.
  /// column: [size] receives the keys.
  KDSCOPE_HD void along(const Records& from, std::uint32_t begin, std::uint32_t size, std::uint32_t d, std::uint32_t n,
                        std::uint32_t* lo, std::uint32_t* hi, std::uint32_t* column, std::uint16_t* rank) {
    // Each lane reduces its own points in registers; lower() and raise() combine those of a warp, so that lo and hi
    // take one atomic per warp each
    block_.lanes([&](int lane) {
      std::uint32_t least = no_id, greatest = 0;
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_) {
        const std::uint32_t key = from.key(begin + i, d);
        column[i] = key;
        least = key < least ? key : least, greatest = key > greatest ? key : greatest;
      }
      block_.lower(lo, least);
      block_.raise(hi, greatest);
    });
    along(
        size, from.type, {*lo, *hi, 0, n - 1}, [column](std::uint32_t i) { return column[i]; },
        [&from, begin](std::uint32_t i) { return from.point(begin + i).value; }, rank);
  }

  /// Sets rank[i] to the number of points with smaller orders. key(i), id(i): the order of point i; range: of all
  /// orders. Work O(size) if the keys are about evenly spread or few, else O(size log^2 size).
  template <class Key, class Id>
  KDSCOPE_HD void along(std::uint32_t size, ScalarType type, const OrderRange& range, const Key& key, const Id& id,
                        std::uint16_t* rank) {
    fill_bins(size, type, range, key, id, rank);
    rank_in_bins(size, key, id, rank);
    if (found_[crowded] == 0) return;
    // A bin is crowded if many points share a key, or if bins do not separate the keys. Few blocks get here. They work
    // on a copy, so that the pointers of the common path stay in registers
    BlockRanks apart = *this;
    if (found_[mixed] != 0) return apart.sort(size, key, id, rank);
    std::uint32_t groups = 0;
    for (std::uint32_t g = 0; g < groups_; ++g) groups |= (found_[group + g] != 0 ? 1u : 0u) << g;
    if (!ids_are_ranked_) apart.rank_by_id(size, id);
    ids_are_ranked_ = true;
    apart.rank_in_crowded_bins(size, groups, rank);
  }

  /// Calls body(i, t, before) once for each point of a node: `before` points of node t have smaller ranks. node_of(i)
  /// is at least `nodes` for points that take no part; rank_of(i, t) < 32 * words_per_node; begin(t) is called once per
  /// node, a barrier before the first body. nodes * words_per_node is at most half of the scratch memory.
  template <class Begin, class NodeOf, class RankOf, class Body>
  KDSCOPE_HD void within_nodes(std::uint32_t size, std::uint32_t nodes, std::uint32_t words_per_node,
                               const Begin& begin, const NodeOf& node_of, const RankOf& rank_of, const Body& body) {
    const std::uint32_t words = nodes * words_per_node;
    std::uint32_t *const bits = scratch_, *const before = scratch_ + words_ / 2;
    block_.lanes([&](int lane) {
      for (std::uint32_t w = static_cast<std::uint32_t>(lane); w < words; w += lanes_) bits[w] = 0;
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < nodes; t += lanes_) begin(t);
    });
    // Each node has a bit per rank. Ranks differ, so adding a bit sets it.
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_) {
        const std::uint32_t t = node_of(i);
        if (t >= nodes) continue;
        const std::uint32_t rank = rank_of(i, t);
        block_.atomic_add(&bits[t * words_per_node + rank / 32], 1u << (rank % 32));
      }
    });
    block_.lanes([&](int lane) {
      for (std::uint32_t w = static_cast<std::uint32_t>(lane); w < words; w += lanes_)
        before[w] = static_cast<std::uint32_t>(popcount(bits[w]));
    });
    block_.exclusive_sum(before, static_cast<int>(words));
    // Count the bits before a point's own: those of the words before, and the lower ones of its word
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_) {
        const std::uint32_t t = node_of(i);
        if (t >= nodes) continue;
        const std::uint32_t rank = rank_of(i, t), w = t * words_per_node + rank / 32;
        const std::uint32_t lower = bits[w] & ((1u << (rank % 32)) - 1);
        body(i, t, before[w] - before[t * words_per_node] + static_cast<std::uint32_t>(popcount(lower)));
      }
    });
  }

 private:
  /// What lanes found in bins: a crowded one, one of several keys, and which groups have crowded ones.
  enum Found : std::uint32_t { crowded, mixed, group };
  static constexpr std::uint32_t flag = 0x8000;
  /// Returns the number of groups, at most 32: crowded bins have more than `few` points, and most_nodes are a group.
  KDSCOPE_HD static std::uint32_t groups_of(std::uint32_t most) { return (most - 1) / ((few + 1) * most_nodes) + 1; }

  /// Leaves in scratch memory the end of each bin, and the points in `list`, bin by bin, and in rank[i] the bin of a
  /// point. Bins are linear in the values, about as many as there are points.
  template <class Key, class Id>
  KDSCOPE_HD void fill_bins(std::uint32_t size, ScalarType type, const OrderRange& range, const Key& key, const Id& id,
                            std::uint16_t* rank) {
    std::uint32_t log_bins = 0;
    while (2u << log_bins < words_ && 1u << log_bins < size) ++log_bins;
    const std::uint32_t bins = 1u << log_bins;
    const BinMap map = type == ScalarType::float32 && !range.is_one_key() ? BinMap::of_values(range, log_bins)
                                                                          : BinMap::of(range, log_bins);
    std::uint32_t* const ends = scratch_;
    block_.lanes([&](int lane) {
      for (std::uint32_t b = static_cast<std::uint32_t>(lane); b < bins; b += lanes_) ends[b] = 0;
    });
    block_.lanes([&](int lane) {
      // The barrier above: all lanes have read what was found before
      for (std::uint32_t f = static_cast<std::uint32_t>(lane); f < group + groups_; f += lanes_) found_[f] = 0;
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_) {
        const std::uint32_t found = map.bin_of(
            key(i), [&] { return id(i); }, log_bins);
        const std::uint32_t bin = found < bins ? found : bins - 1;
        rank[i] = static_cast<std::uint16_t>(bin);
        block_.atomic_add(&ends[bin], 1u);
      }
    });
    // The sum before a bin is the first place of its points. Each takes the next place of its bin; then the counter of
    // a bin has become its end, which is where the next one begins.
    block_.exclusive_sum(ends, static_cast<int>(bins));
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_)
        list_[block_.atomic_add(&ends[rank[i]], 1u)] = static_cast<std::uint16_t>(i);
    });
  }

  /// Ranks the points of each bin by comparing them in pairs: all others lie before or behind all of them. Points of
  /// crowded bins get the first place of their bin instead, and a flag.
  template <class Key, class Id>
  KDSCOPE_HD void rank_in_bins(std::uint32_t size, const Key& key, const Id& id, std::uint16_t* rank) {
    // Neighbouring lanes have neighbouring places, so they mostly read the same words
    block_.lanes([&](int lane) {
      for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < size; p += lanes_) {
        const std::uint32_t i = list_[p], bin = rank[i], begin = bin > 0 ? scratch_[bin - 1] : 0, end = scratch_[bin];
        std::uint32_t before = begin;
        if (end - begin > few) {
          // Several lanes may write these without an atomic, because all write 1
          found_[crowded] = 1, found_[group + number_of(begin) / most_nodes] = 1;
          if (key(list_[begin]) != key(i)) found_[mixed] = 1;
          before |= flag;
        } else if (end - begin > 1) {
          const std::uint32_t own = key(i);
          std::uint32_t equal = 0;
          for (std::uint32_t q = begin; q < end; ++q) {
            const std::uint32_t other = key(list_[q]);
            before += other < own, equal += other == own;
          }
          if (equal > 1)
            for (std::uint32_t q = begin; q < end; ++q) before += key(list_[q]) == own && id(list_[q]) < id(i);
        }
        rank[i] = static_cast<std::uint16_t>(before);
      }
    });
  }

  /// Numbers crowded bins: they have more than `few` points, so their first places are that far apart.
  KDSCOPE_HD static std::uint32_t number_of(std::uint32_t begin) { return begin / (few + 1); }

  /// Ranks all points by their ids.
  template <class Id>
  KDSCOPE_HD KDSCOPE_NOT_INLINED void rank_by_id(std::uint32_t size, Id id) {
    std::uint32_t *const lo = scratch_, *const hi = scratch_ + 1;
    block_.lanes([&](int lane) {
      if (lane == 0) *lo = no_id, *hi = 0;
    });
    block_.lanes([&](int lane) {
      std::uint32_t least = no_id, most = 0;
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_) {
        const std::uint32_t own = id(i);
        least = own < least ? own : least, most = own > most ? own : most;
      }
      block_.lower(lo, least);
      block_.raise(hi, most);
    });
    const OrderRange range{0, 0, *lo, *hi};
    block_.lanes([](int) {});  // all lanes have read the range
    const auto one_key = [](std::uint32_t) { return 0u; };
    fill_bins(size, ScalarType::int32, range, one_key, id, by_id_);
    rank_in_bins(size, one_key, id, by_id_);
    if (found_[crowded] != 0) sort(size, one_key, id, by_id_);
  }

  /// Ranks the points of crowded bins, which have one key each, by their ids.
  KDSCOPE_HD KDSCOPE_NOT_INLINED void rank_in_crowded_bins(std::uint32_t size, std::uint32_t groups,
                                                           std::uint16_t* rank) {
    for (std::uint32_t g = 0; g < groups_; ++g)
      if (groups >> g & 1u)
        within_nodes(
            size, most_nodes, (size + 31) / 32, [](std::uint32_t) {},
            [&](std::uint32_t i) { return rank[i] & flag ? number_of(rank[i] & ~flag) - g * most_nodes : no_id; },
            [&](std::uint32_t i, std::uint32_t) { return by_id_[i]; },
            [&](std::uint32_t i, std::uint32_t, std::uint32_t before) {
              rank[i] = static_cast<std::uint16_t>((rank[i] & ~flag) + before);
            });
  }

  /// Sorts all points by comparisons: a bitonic network, for any number of points, whose comparators all put the
  /// smaller point first.
  template <class Key, class Id>
  KDSCOPE_HD KDSCOPE_NOT_INLINED void sort(std::uint32_t size, Key key, Id id, std::uint16_t* rank) {
    std::uint16_t* const list = list_;
    // Indices decide between equal keys, of which there may be many: keep them in shared memory
    block_.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += lanes_)
        scratch_[i] = id(i), list[i] = static_cast<std::uint16_t>(i);
    });
    std::uint32_t padded = 1;
    while (padded < size) padded *= 2;
    for (std::uint32_t run = 2; run <= padded; run *= 2)
      for (std::uint32_t away = run / 2; away > 0; away /= 2)
        block_.lanes([&](int lane) {
          for (std::uint32_t q = static_cast<std::uint32_t>(lane); q < padded / 2; q += lanes_) {
            // The first step of a merge compares the ends of two sorted runs, the next ones points `away` apart
            const std::uint32_t within = q & (away - 1), p = 2 * (q - within) + within;
            const std::uint32_t partner = away == run / 2 ? 2 * (q - within) + run - 1 - within : p + away;
            if (partner >= size) continue;  // as if a largest point were there
            const std::uint32_t i = list[p], j = list[partner], own = key(i), other = key(j);
            if (other < own || (other == own && scratch_[j] < scratch_[i]))
              list[p] = static_cast<std::uint16_t>(j), list[partner] = static_cast<std::uint16_t>(i);
          }
        });
    block_.lanes([&](int lane) {
      for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < size; p += lanes_)
        rank[list[p]] = static_cast<std::uint16_t>(p);
    });
  }

  Block& block_;
  std::uint32_t lanes_, words_, groups_;
  std::uint32_t *scratch_, *found_;
  std::uint16_t *list_, *by_id_;
  bool ids_are_ranked_ = false;
};
// [endregion]

}  // namespace kdscope::rank
