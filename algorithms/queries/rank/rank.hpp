#pragma once
// The k nearest points in a left-balanced tree for packets of queries that lie together. Every point that may be among
// the k nearest of a query is compared with it, so the answers are those of the searches by Wald, bit for bit.
//
// A box never lies farther from a query than a point in it, also after rounding: no gap exceeds the point's difference,
// and rounded sums grow with their terms. The same holds for the box around a packet's queries.

#include <limits>

#include "algorithms/core/processor.hpp"
#include "algorithms/queries/rank/buckets.hpp"
#include "algorithms/queries/rank/walk.hpp"

namespace kdscope::queries::rank {

/// Candidates of a query that may wait to be taken into its list. A take costs all lanes the same, so it should serve
/// many of them.
inline constexpr int most_waiting = 16;

/// Returns a number that is not negative as a float, not rounded down.
template <class Number>
KDSCOPE_HD float rounded_up(Number number) {
  const float rounded = static_cast<float>(number);
  if constexpr (sizeof(Number) == sizeof(float)) return rounded;
  return static_cast<Number>(rounded) < number ? float_of(word_of(rounded) + 1) : rounded;
}

/// Queries for which it takes fewer steps to compare one after another, with a point per lane.
inline constexpr int most_few = 4;

// [region queries/bucket_packets]
/// Walks with packets of up to 32 queries, one per lane of a warp. The lanes look at 32 subtrees together, one each,
/// and the packet goes to the nearest that one of its queries may want. In a bucket, all queries are compared with all
/// points, a query per lane; if few queries want it, these one after another, with a point per lane.
template <class Warp, class Number, int dims, class List, class Log>
class PacketWalk {
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

 public:
  /// The queries of a warp, one per lane, their lists, and the number of subtrees to which their packets came.
  struct Lanes {
    PerLane<Coordinates<Number, dims>>& queries;
    PerLane<List>& found;
    PerLane<std::uint32_t>& visited;
  };

  KDSCOPE_HD PacketWalk(Warp& warp, const View<Number>& tree, const Lanes& lanes, Log log)
      : warp_(warp), tree_(tree), lanes_(lanes), log_(log), layout_(tree.n) {
    if constexpr (waits) waiting_ = warp.template shared<Neighbour<Number>>(most_waiting * Warp::lane_count);
  }

  /// Answers the first `count` queries: those near the first one together, then those near the first of the rest.
  KDSCOPE_HD void run(int count) {
    std::uint32_t rest = count == Warp::lane_count ? ~0u : (1u << count) - 1;
    // Each packet begins in the bucket of its leader, which most likely holds near points of all its queries: their
    // reaches are short before the walk begins. `rest` is the mask of the queries not answered yet.
    while (rest != 0) {
      const std::uint32_t bucket = gather(rest);
      rest &= ~packet_;
      scan(bucket);
      take_waiting();
      walk(bucket);
      take_waiting();
    }
  }

 private:
  static constexpr bool waits = List::longest > 1;
  /// Whether lanes may have a point each, and whether lists merge candidates with their entries. With a log, a query is
  /// alone, and its events have an order. Both together were slower.
  static constexpr bool serves_few = dims > 0 && List::longest <= 8 && std::is_same_v<Log, NoLog>,
                        merges = List::longest == 32 && sizeof(Number) == sizeof(float) && std::is_same_v<Log, NoLog>;
  static constexpr std::uint32_t none = ~0u;

  KDSCOPE_HD std::uint32_t dim() const { return dims > 0 ? dims : tree_.dim; }
  KDSCOPE_HD static bool is_in(std::uint32_t mask, int lane) { return (mask >> lane & 1) != 0; }

  /// Makes a packet of the queries that lie as near to the bucket of the first of the rest as it is large. Returns the
  /// bucket.
  KDSCOPE_HD std::uint32_t gather(std::uint32_t rest) {
    const int leader = static_cast<int>(lowest_one(rest));
    // Let the packet's box be the leader's query for now, in all lanes
    for (std::uint32_t d = 0; d < dim(); ++d) {
      PerLane<Number> own;
      warp_.lanes([&](int lane) { own[lane] = lanes_.queries[lane].at[d]; });
      own = warp_.shuffle(own, [&](int) { return leader; });
      warp_.lanes([&](int lane) { box_.low[d][lane] = box_.high[d][lane] = own[lane]; });
    }
    // Queries that are the tree's own points, in order, begin in the bucket of their position. If that does not hold
    // the leader, go down tier by tier to the nearest subtree, which the key's lowest bits name
    const std::uint32_t position = warp_.index() * Warp::lane_count + static_cast<std::uint32_t>(leader);
    std::uint32_t nearest = layout_.bucket_of(position < tree_.n ? position : 0);
    const bool guessed = warp_.ballot([&](int lane) { return lane == leader && distance(lane, 0, nearest) == 0; }) != 0;
    if (!guessed) nearest = 0;
    for (int tier = guessed ? -1 : layout_.tiers - 1; tier >= 0; --tier) {
      const std::uint32_t first = nearest * descendants;
      look(tier, first, all_of(tier), std::numeric_limits<float>::infinity());
      nearest = first + warp_.smallest(keys_) % descendants;
    }
    // The bucket's size is the squared diagonal of its box
    const Number size = with_box(0, nearest, [&](const Number* low, const Number* high) {
      Number sum = 0;
      for (std::uint32_t d = 0; d < dim(); ++d) sum = List::with(sum, high[d] - low[d]);
      return sum;
    });
    PerLane<Number> distances;
    warp_.lanes([&](int lane) { distances[lane] = distance(lane, 0, nearest); });
    auto of_leader = warp_.shuffle(distances, [&](int) { return leader; });
    // The ballot makes the packet: the leader, and the queries that are as near to the bucket as it is large, or as
    // near as the leader is
    packet_ = rest & (1u << leader | warp_.ballot([&](int lane) {
                return distances[lane] <= size || distances[lane] <= of_leader[lane];
              }));
    // Start the lanes: a lane that is not in the packet has an empty box and the reach -1, within which nothing lies
    warp_.lanes([&](int lane) {
      box_.clear(lane);
      reach_[lane] = -1;
      waiting_end_[lane] = lane;
      if (!is_in(packet_, lane)) return;
      for (std::uint32_t d = 0; d < dim(); ++d)
        box_.add(lane, static_cast<int>(d), lanes_.queries[lane].at[d], lanes_.queries[lane].at[d]);
      reach_[lane] = lanes_.found[lane].reach();
      log_.enter(layout_.node(0, nearest), distances[lane]);
    });
    visit();
    box_.join(warp_, static_cast<int>(dim()));
    return nearest;
  }

  /// Searches the whole tree but for one bucket, from there upwards: the subtrees beside it, those beside its parent,
  /// and so on.
  KDSCOPE_HD void walk(std::uint32_t searched) {
    // Keep a mask per tier instead of a stack. The lanes look at the subtrees of one parent, one per lane; the mask
    // holds those that are not done
    std::uint32_t pending[most_tiers];
    int tier = 0, highest = 0;
    std::uint32_t first = searched / descendants * descendants;  // of those that the lanes look at
    const auto begin = [&](std::uint32_t done) {
      pending[tier] = all_of(tier) & ~done;
      look(tier, first, pending[tier], farthest_reach());
      skip(tier, first, pending[tier]);
      log_subtrees(tier, first, pending[tier], [](Log& log, NodeId node, Number at) { log.push(node, at); });
    };
    begin(1u << (searched - first));
    for (;;) {
      // The smallest key is the nearest pending subtree within reach; its lowest bits are the lane that looks at it
      const std::uint32_t key = warp_.smallest(keys_);
      // None is left: go up, and look at what is beside the parent or, where the packet came down, again at what is
      // pending, since reaches have shrunk
      if (key == none) {
        if (++tier == layout_.tiers) return;
        const std::uint32_t parent = first / descendants;
        first = parent / descendants * descendants;
        if (tier > highest) {
          highest = tier;
          begin(1u << (parent - first));
          continue;
        }
        look(tier, first, pending[tier], farthest_reach());
        skip(tier, first, pending[tier]);
        continue;
      }
      // Take the nearest, and skip it if no query by itself wants it: the packet's box is larger than its queries
      const std::uint32_t chosen = key % descendants, subtree = first + chosen;
      pending[tier] &= ~(1u << chosen);
      warp_.lanes([&](int lane) {
        if (lane == static_cast<int>(chosen)) keys_[lane] = none;
      });
      log_subtrees(tier, first, 1u << chosen, [](Log& log, NodeId node, Number at) { log.pop(node, at); });
      const std::uint32_t wanting = who_wants(tier, subtree);
      if (wanting == 0) continue;
      // Go down to its descendants or, at a bucket, compare queries with points, and drop subtrees that fall out of
      // reach
      if (tier > 0) {
        first = subtree * descendants;
        --tier;
        begin(0);
      } else {
        bool served = false;
        if constexpr (serves_few)
          if ((served = popcount(wanting) <= most_few)) serve(subtree, wanting);
        if (!served) scan(subtree);
        const float reach = farthest_reach();
        warp_.lanes([&](int lane) {
          if (distances_[lane] > reach) keys_[lane] = none;
        });
        skip(tier, first, pending[tier]);
      }
    }
  }

  /// Returns a mask of the subtrees of a tier that have the same parent.
  KDSCOPE_HD std::uint32_t all_of(int tier) const {
    const std::uint32_t count = layout_.subtrees(tier);
    return count >= descendants ? ~0u : (1u << count) - 1;
  }
  /// Returns the largest reach of a query in the packet.
  KDSCOPE_HD float farthest_reach() {
    PerLane<std::uint32_t> reaches;
    warp_.lanes([&](int lane) { reaches[lane] = is_in(packet_, lane) ? word_of(rounded_up(reach_[lane])) : 0; });
    return float_of(warp_.largest(reaches));
  }
  /// Calls with(low, high), the ends of a subtree's box.
  template <class With>
  KDSCOPE_HD auto with_box(int tier, std::uint32_t subtree, With with) const {
    const Number* const box = tree_.boxes[tier] + std::size_t(subtree) * 2 * box_stride(dim());
    if constexpr (dims > 0) {
      constexpr int stride = static_cast<int>(box_stride(dims));
      const auto read = AlignedWords<Number, 2 * stride>::at(box);
      return with(read.words, read.words + stride);
    } else {
      return with(box, box + box_stride(dim()));
    }
  }
  /// Returns the squared distance of a subtree's box to the box with the ends low(d) and high(d).
  template <class Low, class High>
  KDSCOPE_HD Number distance_to(int tier, std::uint32_t subtree, Low low, High high) const {
    return with_box(tier, subtree, [&](const Number* box_low, const Number* box_high) {
      Number sum = 0;
      for (std::uint32_t d = 0; d < dim(); ++d) {
        const Number above = box_low[d] - high(d), below = low(d) - box_high[d];
        sum = List::with(sum, above > 0 ? above : below > 0 ? below : Number(0));
      }
      return sum;
    });
  }
  /// Returns the squared distance of a lane's query.
  KDSCOPE_HD Number distance(int lane, int tier, std::uint32_t subtree) const {
    const auto at = [&](std::uint32_t d) { return lanes_.queries[lane].at[d]; };
    return distance_to(tier, subtree, at, at);
  }
  /// Gives each lane the distance of the packet's box to one of the subtrees from `first` on, and a key, the smallest
  /// of which belongs to the nearest pending one within reach.
  KDSCOPE_HD void look(int tier, std::uint32_t first, std::uint32_t pending, float reach) {
    // The key is the distance as a float, whose words are ordered like their values, with the lane in place of the five
    // lowest bits: one minimum over the warp finds the nearest and its lane
    warp_.lanes([&](int lane) {
      keys_[lane] = none;
      distances_[lane] = 0;
      if (!is_in(pending, lane)) return;
      distances_[lane] = distance_to(
          tier, first + static_cast<std::uint32_t>(lane), [&](std::uint32_t d) { return box_.low[d][lane]; },
          [&](std::uint32_t d) { return box_.high[d][lane]; });
      if (distances_[lane] <= reach)
        keys_[lane] = (word_of(rounded_up(distances_[lane])) & ~(descendants - 1)) | static_cast<std::uint32_t>(lane);
    });
  }
  /// Gives up the pending subtrees that are out of reach.
  KDSCOPE_HD void skip(int tier, std::uint32_t first, std::uint32_t& pending) {
    const std::uint32_t within = warp_.ballot([&](int lane) { return keys_[lane] != none; });
    log_subtrees(tier, first, pending & ~within,
                 [](Log& log, NodeId node, Number at) { log.prune(node, PruneReason::box, at); });
    pending = within;
  }
  /// Returns a mask of the queries of the packet that may find something in a subtree.
  KDSCOPE_HD std::uint32_t who_wants(int tier, std::uint32_t subtree) {
    const std::uint32_t wanting = warp_.ballot([&](int lane) {
      const Number at = distance(lane, tier, subtree);
      const bool wants = at <= reach_[lane];
      if (!is_in(packet_, lane)) return false;
      if (wants)
        log_.enter(layout_.node(tier, subtree), at);
      else
        log_.prune(layout_.node(tier, subtree), PruneReason::box, at);
      return wants;
    });
    if (wanting != 0) visit();
    return wanting;
  }
  KDSCOPE_HD void visit() {
    warp_.lanes([&](int lane) { lanes_.visited[lane] += is_in(packet_, lane) ? 1 : 0; });
  }

  /// Compares all queries of the packet with all points of a bucket.
  KDSCOPE_HD void scan(std::uint32_t bucket) {
    constexpr int at_once = loaded_at_once;
    const std::uint32_t end = layout_.first_place(bucket + 1);
    // All lanes compare with the same points, so a warp loads each point once
    for (std::uint32_t place = layout_.first_place(bucket); place < end; place += at_once) {
      warp_.lanes([&](int lane) {
        KDSCOPE_UNROLLED
        for (int i = 0; i < at_once; ++i) compare(lane, place + i);
      });
      if constexpr (waits)
        if (warp_.ballot(
                [&](int lane) { return waiting_end_[lane] > (most_waiting - at_once) * Warp::lane_count + lane; }) != 0)
          take_waiting();
    }
    take_if_many();
  }
  /// The reach of a short list shrinks with few candidates, so they should not wait long.
  KDSCOPE_HD void take_if_many() {
    if constexpr (waits)
      if (warp_.ballot([&](int lane) { return waiting_end_[lane] >= lanes_.found[lane].k() / 2 * Warp::lane_count; }) !=
          0)
        take_waiting();
  }
  /// Compares few queries of the packet with the points of a bucket: one after another, with a point per lane.
  KDSCOPE_HD void serve(std::uint32_t bucket, std::uint32_t queries) {
    const std::uint32_t begin = layout_.first_place(bucket), places = layout_.first_place(bucket + 1) - begin;
    PerLane<Coordinates<Number, dims>> points, query;
    PerLane<std::uint32_t> ids;
    PerLane<Number> away;
    warp_.lanes([&](int lane) {
      const auto own = static_cast<std::uint32_t>(lane);
      const auto item = AlignedWords<std::uint32_t, dims + 1>::at(
          tree_.items + std::size_t(begin + (own < places ? own : 0)) * (dims + 1));
      points[lane] = Coordinates<Number, dims>::of(item.words, dims);
      ids[lane] = own < places ? item.words[dims] : no_id;
    });
    for (; queries != 0; queries &= queries - 1) {
      const int served = static_cast<int>(lowest_one(queries));
      for (int d = 0; d < dims; ++d) {
        warp_.lanes([&](int lane) { away[lane] = lanes_.queries[lane].at[d]; });
        auto own = warp_.shuffle(away, [&](int) { return served; });
        warp_.lanes([&](int lane) { query[lane].at[d] = own[lane]; });
      }
      auto reach = warp_.shuffle(reach_, [&](int) { return served; });
      std::uint32_t near = warp_.ballot([&](int lane) {
        away[lane] = squared_distance(lanes_.found[lane], query[lane], dims,
                                      [&](std::uint32_t d) { return points[lane].at[d]; });
        return ids[lane] != no_id && away[lane] <= reach[lane];
      });
      if (near == 0) continue;
      if constexpr (waits) {
        // Without room for all candidates, take those that wait, and then the rest
        while (near != 0) {
          auto ends = warp_.shuffle(waiting_end_, [&](int) { return served; });
          const auto at = [&](int lane) { return ends[lane] + popcount(near & ((1u << lane) - 1)) * Warp::lane_count; };
          const std::uint32_t rest =
              warp_.ballot([&](int lane) { return is_in(near, lane) && at(lane) >= most_waiting * Warp::lane_count; });
          warp_.lanes([&](int lane) {
            if (is_in(near & ~rest, lane)) waiting_[at(lane)] = {away[lane], {ids[lane]}};
            if (lane == served) waiting_end_[lane] += popcount(near & ~rest) * Warp::lane_count;
          });
          if (rest != 0) take_waiting();
          near = rest;
        }
      } else {
        for (; near != 0; near &= near - 1) {
          const int from = static_cast<int>(lowest_one(near));
          auto distance = warp_.shuffle(away, [&](int) { return from; });
          auto id = warp_.shuffle(ids, [&](int) { return from; });
          warp_.lanes([&](int lane) {
            if (lane != served) return;
            take(lane, {distance[lane], {id[lane]}});
            reach_[lane] = lanes_.found[lane].reach();
          });
        }
      }
    }
    take_if_many();
  }
  /// Compares a lane's query with a point, which waits if it is near enough.
  KDSCOPE_HD void compare(int lane, std::uint32_t place) {
    const auto with = [&](const std::uint32_t* item) {
      const PointId point{item[dim()]};
      const Number distance = squared_distance(lanes_.found[lane], lanes_.queries[lane], dim(),
                                               [&](std::uint32_t d) { return number_of<Number>(item[d]); });
      // Integers have no coordinate that stands for a missing point.
      if constexpr (sizeof(Number) > sizeof(float) || !std::is_same_v<Log, NoLog>)
        if (point.value == no_id || !is_in(packet_, lane)) return;
      log_.test(point.value, distance);
      if (!(distance <= reach_[lane])) return;
      if constexpr (waits) {
        waiting_[waiting_end_[lane]] = {distance, point};
        waiting_end_[lane] += Warp::lane_count;
      } else {
        take(lane, {distance, point});
        reach_[lane] = lanes_.found[lane].reach();
      }
    };
    if constexpr (dims > 0)
      with(AlignedWords<std::uint32_t, dims + 1>::at(tree_.items + std::size_t(place) * (dims + 1)).words);
    else
      with(tree_.items + std::size_t(place) * (dim() + 1));
  }
  KDSCOPE_HD void take(int lane, const Neighbour<Number>& candidate) {
    if (lanes_.found[lane].take(candidate.distance, candidate.point))
      log_.accept(candidate.point.value, candidate.distance);
  }
  KDSCOPE_HD void take_waiting() {
    if constexpr (waits) {
      // All lanes take their candidates together, as many rounds as the fullest queue needs: a take is long, and lanes
      // that took theirs one by one would wait for one another each time
      PerLane<std::uint32_t> ends;
      warp_.lanes([&](int lane) { ends[lane] = static_cast<std::uint32_t>(waiting_end_[lane]); });
      const int rounds = static_cast<int>(warp_.largest(ends)) / Warp::lane_count;
      int taken = 0;
      // A long list takes eight at once, sorted, unless so few are left that it is faster to insert them
      if constexpr (merges)
        for (constexpr int count = 8; taken + 3 < rounds; taken += count)
          warp_.lanes([&](int lane) {
            std::int64_t candidates[count];
            KDSCOPE_UNROLLED
            for (int i = 0; i < count; ++i) {
              const int at = (taken + i) * Warp::lane_count + lane;
              candidates[i] =
                  at < waiting_end_[lane] ? waiting_[at].packed() : std::numeric_limits<std::int64_t>::max();
            }
            lanes_.found[lane].take_all(candidates);
          });
      for (; taken < rounds; ++taken)
        warp_.lanes([&](int lane) {
          const int at = taken * Warp::lane_count + lane;
          if (at < waiting_end_[lane]) take(lane, waiting_[at]);
        });
      warp_.lanes([&](int lane) {
        waiting_end_[lane] = lane;
        if (is_in(packet_, lane)) reach_[lane] = lanes_.found[lane].reach();
      });
    }
  }

  /// Calls event(log, node, distance) for the subtrees of a mask, in the lane whose query is logged.
  template <class Event>
  KDSCOPE_HD void log_subtrees(int tier, std::uint32_t first, std::uint32_t mask, Event event) {
    if constexpr (!std::is_same_v<Log, NoLog>)
      for (; mask != 0; mask &= mask - 1) {
        const std::uint32_t chosen = lowest_one(mask);
        auto at = warp_.shuffle(distances_, [&](int) { return static_cast<int>(chosen); });
        warp_.lanes([&](int lane) {
          if (is_in(packet_, lane)) event(log_, layout_.node(tier, first + chosen), at[lane]);
        });
      }
  }

  Warp& warp_;
  const View<Number>& tree_;
  Lanes lanes_;
  Log log_;
  BucketLayout layout_;
  std::uint32_t packet_ = 0;            ///< a mask of the lanes that search
  BoxOfLanes<Warp, Number, dims> box_;  ///< around their queries, the same in all lanes
  PerLane<Number> reach_;               ///< -1 for other lanes
  PerLane<std::uint32_t> keys_;         ///< of the subtrees that the lanes look at
  PerLane<Number> distances_;
  Neighbour<Number>* waiting_ = nullptr;  ///< [most_waiting][lanes]
  PerLane<int> waiting_end_;              ///< the index of a lane's next one
};
// [endregion]

/// See PacketWalk.
struct BucketPackets : SearchesPoints<LeftBalancedTree, OnDevice>, SortsByBucket {
  static constexpr std::array questions{SearchQuestion::nearest};
  static constexpr bool in_packets = true, visits_together = true;
  static constexpr std::uint32_t most_k = 128;
  using ShortLists = std::integer_sequence<int, 1, 8, 32>;

  template <class Number, class List>
  static constexpr std::size_t shared_bytes() {
    return List::longest == 1 ? 0 : most_waiting * descendants * sizeof(Neighbour<Number>);
  }
  template <int dims, class Exec, class Number>
  Buckets<Number, Exec> prepare(Exec& exec, View<Number>& tree, std::uint32_t) const {
    return cut_into_buckets<dims>(exec, tree);
  }
  template <class Warp, class Number, class Queries, class Found, class Log>
  KDSCOPE_HD void run(Warp& warp, const View<Number>& tree, Queries& queries, Found& found,
                      typename Warp::template PerLane<std::uint32_t>& visited, int lanes, Log log) const {
    if (tree.n == 0) return;
    using List = std::remove_reference_t<decltype(found[0])>;
    constexpr int dims = std::remove_reference_t<decltype(queries[0])>::dimensions;
    PacketWalk<Warp, Number, dims, List, Log>(warp, tree, {queries, found, visited}, log).run(lanes);
  }
};

template <class Exec>
using ColumnsOnDevice = WithBuckets<Exec, ColumnView>;

/// See BucketWalk.
struct BucketWalks : SearchesPoints<LeftBalancedTree, ColumnsOnDevice>, SortsByBucket {
  static constexpr std::array questions{SearchQuestion::nearest};
  static constexpr std::uint32_t most_k = 128;

  template <int dims, class Exec, class Number>
  Columns<Number, Exec> prepare(Exec& exec, ColumnView<Number>& tree, std::uint32_t) const {
    return cut_into_columns<dims>(exec, tree);
  }
  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const ColumnView<Number>& tree, const Coordinates<Number, dims>& query, Found& found,
                               Log log) const {
    if (tree.n == 0) return 0;
    return on_this_processor([&] { return BucketWalk<Number, dims, Found, Log>(tree, query, found, log).run(); });
  }
};

/// In the order of declare().
using Searches = SearchList<BucketPackets, BucketWalks>;

}  // namespace kdscope::queries::rank
