#include "algorithms/cluster/rank_build.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "algorithms/builders/rank/on_host.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/parallel_ranges.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope::cluster {
namespace {

using rank::HostRecord;
using rank::Order;
using rank::Plane;

/// A point whose coordinates include -0, which shares its key with 0.
struct NegativeZeros {
  PointId point;
  std::uint32_t dims;  ///< one bit per dimension
};

/// Tells the word of a coordinate that is zero.
struct ZeroWords {
  std::span<const NegativeZeros> negative;  ///< ascending
  std::uint32_t word(std::uint32_t point, std::uint32_t d) const {
    const auto found =
        std::ranges::lower_bound(negative, point, {}, [](const NegativeZeros& z) { return z.point.value; });
    return found != negative.end() && found->point.value == point && (found->dims >> d & 1) ? word_of(-0.0f) : 0;
  }
};

template <int K>
class Build {
 public:
  Build(Communicator& ranks, PointShare share, const rank::RankOptions& options, std::stop_token stop,
        const BuildSizes& sizes, const BuildObserver& observer)
      : ranks_(ranks),
        share_(std::move(share)),
        stop_(std::move(stop)),
        sizes_(sizes),
        observer_(observer),
        n_(static_cast<std::uint32_t>(ranks.sum(std::uint64_t{share_.points.size()}))),
        rule_{options.split, K, share_.points.type, nullptr} {
    const int levels = num_levels(n_);
    while (upper_ < levels - 1 && (std::uint64_t{1} << upper_) < sizes.subtrees * ranks.size()) ++upper_;
  }

  TreeShare run() {
    read();
    show(BuildStage::After::shares);
    for (int level = 0; level < upper_; ++level) {
      if (stop_.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
      split_level(level);
      show(BuildStage::After::split, level);
    }
    keep_pivots();
    show(BuildStage::After::keep_pivots);
    exchange();
    show(BuildStage::After::exchange);
    finish();
    show(BuildStage::After::finish);
    return std::move(tree_);
  }

 private:
  using Record = HostRecord<K>;

  /// Makes records of the share's points.
  void read() {
    const PointsView points = view_of(share_.points);
    records_.resize(points.n);
    for_ranges(points.n, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        for (std::uint32_t d = 0; d < K; ++d) records_[i].keys[d] = points.key(i, d);
        records_[i].point = {static_cast<std::uint32_t>(share_.first + i)};
      }
    });
    if (rule_.split == Split::widest) {
      domain_.assign(2 * K, 0);
      std::fill(domain_.begin(), domain_.begin() + K, ~0u);
      for (const Record& record : records_)
        for (std::uint32_t d = 0; d < K; ++d) {
          domain_[d] = std::min(domain_[d], record.keys[d]);
          domain_[K + d] = std::max(domain_[K + d], record.keys[d]);
        }
      ranks_.least(std::span(domain_).first(K));
      ranks_.greatest(std::span(domain_).last(K));
      rule_.domain = domain_.data();
    }
    segments_ = {0, points.n};
  }

  /// Shows the observer, if there is one, which points this rank holds and which nodes they belong to.
  void show(BuildStage::After after, int level = -1, int pass = -1, std::span<const PivotSearch> searches = {},
            std::vector<PointId> sampled = {}) {
    if (!observer_) return;
    BuildStage stage{after, level, pass, tree_.point_of_node, tree_.node, {}, searches, std::move(sampled)};
    if (after == BuildStage::After::finish) {
      stage.split_dim = tree_.split_dim;
    } else {
      std::size_t at = stage.points.size();
      stage.nodes.resize(at + records_.size());
      if (after == BuildStage::After::exchange) {
        for (std::size_t s = 0; s < own_.size(); ++s)
          each_run(s, [&](auto begin, auto end) {
            for (; begin < end; ++begin, ++at) stage.points.push_back(begin->point), stage.nodes[at] = root_of(own_[s]);
          });
      } else {
        for (const Record& record : records_) stage.points.push_back(record.point);
        const int of_segments = static_cast<int>(std::bit_width(segments_.size())) - 2;
        for (std::size_t s = 0; s < segments_.size() / 2; ++s) {
          // Pivots that have left their gaps move what lies behind them
          if (after != BuildStage::After::keep_pivots) at = segments_[2 * s];
          for (const std::size_t end = at + segments_[2 * s + 1] - segments_[2 * s]; at < end; ++at)
            stage.nodes[at] = {full_tree_size(of_segments) + static_cast<std::uint32_t>(s)};
        }
        for (const OwnPivot& pivot : pivots_)
          if (after != BuildStage::After::keep_pivots) stage.nodes[pivot.at] = pivot.node;
      }
    }
    observer_(stage);
  }

  /// Moves the records of [begin, end) whose order passes the test to the front. Returns where the others begin.
  template <class Passes>
  std::uint32_t partition(std::uint32_t begin, std::uint32_t end, const Passes& passes) {
    // No branch depends on the data: every record changes places with the first that did not pass
    std::uint32_t to = begin;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Record next = records_[i];
      records_[i] = records_[to];
      records_[to] = next;
      to += passes(next);
    }
    return to;
  }

  // [region cluster/split_level]
  /// Splits all nodes of a level: finds their pivots and parts the own points of each node.
  void split_level(int level) {
    const std::uint32_t nodes = 1u << level;
    planes_.resize(full_tree_size(level + 1));
    std::vector<PivotSearch> searches(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const NodeId node{full_tree_size(level) + i};
      searches[i] = {segments_[2 * i],
                     segments_[2 * i + 1],
                     0,
                     subtree_size(node, n_),
                     rank::rank_of_pivot(node, n_),
                     rule_.dim_of(node, [&](NodeId above) { return planes_[above.value]; })};
    }
    std::vector<std::uint32_t> next(4 * std::size_t(nodes));
    for (int pass = 0; std::ranges::any_of(searches, [](const PivotSearch& s) { return !s.found; }); ++pass)
      narrow(level, pass, searches);
    // The pivot itself stands between both sides, on the rank that has it
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const PivotSearch& s = searches[i];
      next[4 * i] = segments_[2 * i], next[4 * i + 1] = s.begin;
      next[4 * i + 2] = s.end, next[4 * i + 3] = segments_[2 * i + 1];
      if (s.end > s.begin) pivots_.push_back({NodeId{full_tree_size(level) + i}, s.begin});
    }
    segments_ = std::move(next);
  }

  // [endregion]

  // [region cluster/narrow]
  /// Narrows the windows of a level's searches once.
  void narrow(int level, int pass, std::vector<PivotSearch>& searches) {
    // Take samples of the windows, or all of a window's points where these are few
    std::vector<Sampled> own;
    for (std::uint32_t i = 0; i < searches.size(); ++i) {
      PivotSearch& s = searches[i];
      if (s.found) continue;
      const std::uint64_t wanted = std::max({sizes_.of_level >> level, sizes_.least, std::uint64_t{8} * ranks_.size()});
      s.whole = s.count <= sizes_.few;
      const std::uint64_t stride = s.whole ? 1 : std::max<std::uint64_t>(1, s.count / wanted);
      // Ranks and windows begin at scattered places, so that a period in the data does not meet one in the sample
      for (std::uint64_t at = mix64(s.begin + ranks_.rank() * 0x9e37ull + s.count) % stride; at < s.end - s.begin;
           at += stride)
        own.push_back({i, 0, records_[s.begin + at].order(s.dim)});
    }
    const std::vector<Sampled> all = ranks_.gather_all(std::span<const Sampled>(own));
    set_brackets(searches, all);
    // Part each window at its bracket, or at its pivot where that is known
    std::vector<std::uint64_t> counts(2 * searches.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> middle(searches.size());
    for_ranges(static_cast<std::uint32_t>(searches.size()), [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        const PivotSearch& s = searches[i];
        if (s.found) continue;
        const Order lo = s.lo, hi = s.hi;
        const std::uint32_t dim = s.dim;
        const std::uint32_t first =
            lo == 0 ? s.begin : partition(s.begin, s.end, [=](const Record& record) { return record.order(dim) < lo; });
        const std::uint32_t last =
            hi == rank::largest_order
                ? s.end
                : partition(first, s.end, [=](const Record& record) { return record.order(dim) <= hi; });
        middle[i] = {first, last};
        counts[2 * i] = first - s.begin, counts[2 * i + 1] = last - first;
      }
    });
    ranks_.sum(counts);
    for (std::uint32_t i = 0; i < searches.size(); ++i) {
      PivotSearch& s = searches[i];
      if (s.found) continue;
      const auto [first, last] = middle[i];
      if (s.whole) planes_[full_tree_size(level) + i] = {s.lo, s.dim}, s.found = true;
      const Side side = s.whole ? Side::within : take_side(s, counts[2 * i], counts[2 * i + 1]);
      if (side != Side::before) s.begin = side == Side::within ? first : last;
      if (side != Side::behind) s.end = side == Side::within ? last : first;
    }
    if (!observer_) return;
    std::vector<PointId> sampled;
    for (const Sampled& one : all) sampled.push_back(rank::point_of(one.order));
    show(BuildStage::After::narrow, level, pass, searches, std::move(sampled));
  }

  // [endregion]

  // [region cluster/keep_pivots]
  /// Stores the pivots that this rank holds in its share of the tree, and closes the gaps that they leave.
  void keep_pivots() {
    tree_.n = n_;
    tree_.upper_nodes = full_tree_size(upper_);
    tree_.points = {rule_.type, K, 0, {}};
    std::ranges::sort(pivots_, {}, &OwnPivot::at);
    const PointsView points = view_of(share_.points);
    for (const OwnPivot& pivot : pivots_) {
      const PointId point = records_[pivot.at].point;
      tree_.node.push_back(pivot.node);
      tree_.point_of_node.push_back(point);
      tree_.split_dim.push_back(static_cast<std::uint8_t>(planes_[pivot.node.value].dim));
      for (std::uint32_t d = 0; d < K; ++d) tree_.points.words.push_back(points.word(point.value - share_.first, d));
    }
    std::uint32_t to = pivots_.empty() ? 0 : pivots_.front().at;
    for (std::size_t p = 0; p < pivots_.size(); ++p) {
      const std::uint32_t begin = pivots_[p].at + 1, end = p + 1 < pivots_.size()
                                                               ? pivots_[p + 1].at
                                                               : static_cast<std::uint32_t>(records_.size());
      std::copy(records_.begin() + begin, records_.begin() + end, records_.begin() + to);
      to += end - begin;
    }
    records_.resize(records_.size() - pivots_.size());
  }

  // [endregion]

  NodeId root_of(std::uint32_t subtree) const { return {full_tree_size(upper_) + subtree}; }
  std::uint32_t owner_of(std::uint32_t subtree) const { return owner_of_subtree(root_of(subtree), n_, ranks_.size()); }

  // [region cluster/exchange]
  /// Sends every point to the rank that finishes its subtree. Afterwards, records_ holds this rank's subtrees,
  /// of each a run from every rank.
  void exchange() {
    const std::uint32_t subtrees = n_ == 0 ? 0 : 1u << upper_;
    std::vector<std::uint32_t> sizes(subtrees);
    std::vector<std::uint64_t> to_rank(ranks_.size()), subtrees_of(ranks_.size()), zeros_to(ranks_.size());
    std::vector<NegativeZeros> zeros;
    const PointsView points = view_of(share_.points);
    std::size_t at = 0;
    for (std::uint32_t s = 0; s < subtrees; ++s) {
      const std::uint32_t owner = owner_of(s);
      sizes[s] = segments_[2 * s + 1] - segments_[2 * s];
      to_rank[owner] += sizes[s], ++subtrees_of[owner];
      for (const std::size_t end = at + sizes[s]; at < end; ++at) {
        std::uint32_t dims = 0;
        for (std::uint32_t d = 0; d < K; ++d)
          if (rule_.type == ScalarType::float32 && records_[at].keys[d] == ordered_key(0, rule_.type) &&
              points.word(records_[at].point.value - share_.first, d) != 0)
            dims |= 1u << d;
        if (dims != 0) zeros.push_back({records_[at].point, dims}), ++zeros_to[owner];
      }
    }
    share_.points.words = {};
    const auto sizes_of_all = ranks_.exchange(std::span<const std::uint32_t>(sizes), subtrees_of);
    zeros_ = ranks_.exchange(std::span<const NegativeZeros>(zeros), zeros_to).elements;
    std::ranges::sort(zeros_, {}, [](const NegativeZeros& z) { return z.point.value; });
    records_ = ranks_.exchange(std::span<const Record>(records_), to_rank).elements;
    // What came from each rank stands one rank after the other, and the subtrees in order in each
    for (std::uint32_t s = 0; s < subtrees; ++s)
      if (owner_of(s) == ranks_.rank()) own_.push_back(s);
    begins_.assign(1, 0);
    for (const std::uint32_t s : own_) begins_.push_back(begins_.back() + subtree_size(root_of(s), n_));
    runs_.assign(1, 0);
    for (const std::uint32_t size : sizes_of_all.elements) runs_.push_back(runs_.back() + size);
  }

  // [endregion]

  // [region cluster/finish]
  /// Calls take(begin, end) for the run of records that each rank has sent for own subtree `s`.
  template <class Take>
  void each_run(std::size_t s, const Take& take) const {
    for (std::size_t run = s; run + 1 < runs_.size(); run += own_.size())
      take(records_.begin() + runs_[run], records_.begin() + runs_[run + 1]);
  }
  /// Splits this rank's subtrees to the end, each as a tree of its own.
  void finish() {
    const std::size_t pivots = tree_.node.size(), rows = pivots + records_.size();
    tree_.node.resize(rows);
    tree_.point_of_node.resize(rows);
    tree_.split_dim.resize(rows);
    tree_.points.words.resize(rows * K);
    for_ranges(static_cast<std::uint32_t>(own_.size()), [&](std::uint32_t first, std::uint32_t last) {
      Buffer<Record> together;
      for (std::uint32_t s = first; s < last; ++s) {
        const std::uint32_t size = begins_[s + 1] - begins_[s];
        if (size == 0) continue;
        // The points of one subtree are put together at a time, when the caches hold them for the split
        together.resize(size);
        auto to = together.begin();
        each_run(s, [&](auto begin, auto end) { to = std::copy(begin, end, to); });
        const std::size_t row = pivots + begins_[s];
        const NodeId root = root_of(own_[s]);
        std::uint32_t box[2 * K] = {};
        if (rule_.split == Split::widest)
          rule_.box_of(
              root, [&](NodeId above) { return planes_[above.value]; }, box, box + K);
        const rank::SplitOnHost<K, ZeroWords> split{
            nullptr,
            ZeroWords{zeros_},
            size,
            rule_,
            0,
            true,
            nullptr,
            {tree_.points.words.data() + row * K, tree_.point_of_node.data() + row, tree_.split_dim.data() + row, K}};
        split.split_below(NodeId{0}, together.data(), size, upper_, box);
        for (std::uint32_t t = 0; t < size; ++t) {
          const int down = level_of(NodeId{t});
          tree_.node[row + t] = {((root.value + 1) << down) - 1 + (t - full_tree_size(down))};
        }
      }
    });
  }

  // [endregion]

  struct OwnPivot {
    NodeId node;
    std::uint32_t at;  ///< its record
  };

  Communicator& ranks_;
  PointShare share_;
  std::stop_token stop_;
  const BuildSizes& sizes_;
  const BuildObserver& observer_;
  std::uint32_t n_;
  rank::SplitRule rule_;
  int upper_ = 0;  ///< levels that all ranks split together
  Buffer<Record> records_;
  std::vector<std::uint32_t> domain_;
  std::vector<std::uint32_t> segments_;  ///< [2 x nodes of the level] begin and end of each node's own points
  std::vector<Plane> planes_;            ///< of the upper levels
  std::vector<OwnPivot> pivots_;
  Buffer<NegativeZeros> zeros_;
  std::vector<std::uint32_t> own_;     ///< subtrees that this rank finishes
  std::vector<std::uint32_t> begins_;  ///< [own_ + 1] where their rows begin
  std::vector<std::uint32_t> runs_;    ///< [ranks x own_ + 1] where their records begin
  TreeShare tree_;
};

template <int K = 1>
TreeShare build_of_dimension(Communicator& ranks, PointShare share, const rank::RankOptions& options,
                             std::stop_token stop, const BuildSizes& sizes, const BuildObserver& observer) {
  if constexpr (K < static_cast<int>(rank::max_dim))
    if (share.points.dim != K)
      return build_of_dimension<K + 1>(ranks, std::move(share), options, std::move(stop), sizes, observer);
  return Build<K>(ranks, std::move(share), options, std::move(stop), sizes, observer).run();
}

}  // namespace

TreeShare build_by_rank(Communicator& ranks, PointShare share, const rank::RankOptions& options, std::stop_token stop,
                        const BuildSizes& sizes, const BuildObserver& observer) {
  return build_of_dimension(ranks, std::move(share), options, std::move(stop), sizes, observer);
}

std::uint32_t owner_of_subtree(NodeId root, std::uint32_t n, std::uint32_t ranks) {
  return root.value >= n ? ranks - 1 : static_cast<std::uint32_t>(std::uint64_t{in_order_begin(root, n)} * ranks / n);
}

std::uint64_t tree_hash_of(Communicator& ranks, const TreeShare& share) {
  const PointsView points = view_of(share.points);
  std::uint64_t sum = 0;
  for (std::uint32_t row = 0; row < share.node.size(); ++row)
    if (share.node[row].value != no_id)
      sum += node_hash(share.node[row], share.point_of_node[row], share.split_dim[row], points, row);
  return finish_tree_hash(ranks.sum(sum), share.n, points.dim, points.type);
}

}  // namespace kdscope::cluster
