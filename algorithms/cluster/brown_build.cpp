#include "algorithms/cluster/brown_build.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/trees/median_stores/layout.hpp"

namespace kdscope::cluster {
namespace {

using brown::Reference;
using brown::SortedPart;
using OwnPart = brown::Part<CpuExec>;
using Words = std::vector<std::uint32_t>;

/// How many numbers of points are tested at once.
constexpr std::uint32_t tested_at_once = 63;

/// Turns the dimensions of points by `by`, so that dimension `by` becomes the first. Super keys are cyclic, so their
/// orders turn with them.
struct TurnDimensions {
  PointsView from;
  std::uint32_t by;
  std::uint32_t* to;  ///< [n * dim]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    for (std::uint32_t d = 0; d < from.dim; ++d) to[std::size_t(i) * from.dim + d] = from.word(i, (d + by) % from.dim);
  }
};

class BrownBuild {
 public:
  BrownBuild(Communicator& ranks, const PointShare& share, const brown::BrownOptions& options, std::uint32_t parts,
             std::stop_token stop)
      : ranks_(ranks),
        options_(options),
        parts_(parts),
        k_(share.points.dim),
        type_(share.points.type),
        stop_(std::move(stop)),
        group_(own_parts(), [&](std::uint32_t) { return std::make_unique<CpuExec>(stop_); }),
        build_{group_, {}, options_, recorder_} {
    tree_.stores = true;
    tree_.upper_nodes = parts_ - 1;
    tree_.n = ranks.sum(std::uint64_t{share.points.size()});
    tree_.points = {type_, k_, 0, {}};
    width_ = static_cast<std::uint32_t>((tree_.n + parts_ - 1) / parts_);
    distribute(share);
  }

  TreeShare run() {
    for (std::uint32_t together = parts_; together > 1; together /= 2, ++level_) {
      const std::uint32_t dim = static_cast<std::uint32_t>(level_) % k_;
      sort_references(build_, dim, [](const OwnPart& part) { return brown::Unsorted{nullptr, 0, part.points.n}; });
      for (std::uint32_t round = 0; round < (together == 2 ? 1 : together); ++round) exchange(together, round, dim);
      if (level_ == 0)
        remove_duplicates();
      else
        for (OwnPart& part : build_.parts)
          part.exec->for_each("copy references", part.n,
                              brown::PointsOfReferences{part.sorted, part.of_dimension[0].data()});
      rebalance(together, dim);
    }
    for (OwnPart& part : build_.parts) part.references = {}, part.merged = {}, part.of_dimension.clear();
    for (std::uint32_t p = first_part(); p < first_part() + own_parts(); ++p) finish(p);
    return std::move(tree_);
  }

 private:
  std::uint32_t rank_of(std::uint32_t part) const {
    return static_cast<std::uint32_t>(std::uint64_t{part} * ranks_.size() / parts_);
  }
  std::uint32_t first_part() const {
    std::uint32_t part = 0;
    while (rank_of(part) < ranks_.rank()) ++part;
    return part;
  }
  std::uint32_t own_parts() const {
    std::uint32_t count = 0;
    for (std::uint32_t part = 0; part < parts_; ++part) count += rank_of(part) == ranks_.rank();
    return count;
  }
  bool is_own(std::uint32_t part) const { return rank_of(part) == ranks_.rank(); }
  OwnPart& own(std::uint32_t part) { return build_.parts[part - first_part()]; }

  /// Words that one part sends to another. Both ranks know the number.
  struct Parcel {
    std::uint32_t from, to;
    std::uint64_t words;
  };
  /// The parcels that this rank has received.
  struct Delivery {
    Buffer<std::uint32_t> words;
    std::vector<std::size_t> begins;  ///< [parcels]
    const std::uint32_t* of(std::size_t parcel) const { return words.data() + begins[parcel]; }
  };
  /// Sends parcels between all parts at once. All ranks list them in the same order. pack(i, to): writes parcel i.
  template <class Pack>
  Delivery send(const std::vector<Parcel>& parcels, std::uint64_t LinkTraffic::*counted, const Pack& pack) {
    Words out;
    std::vector<std::uint64_t> counts(ranks_.size());
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (std::size_t i = 0; i < parcels.size(); ++i)
        if (is_own(parcels[i].from) && rank_of(parcels[i].to) == rank) {
          const std::size_t at = out.size();
          out.resize(at + parcels[i].words);
          if (parcels[i].words > 0) pack(i, out.data() + at);
          counts[rank] += parcels[i].words;
        }
    Delivery delivery{ranks_.exchange(std::span<const std::uint32_t>(out), counts, counted).elements,
                      std::vector<std::size_t>(parcels.size())};
    std::size_t at = 0;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (std::size_t i = 0; i < parcels.size(); ++i)
        if (rank_of(parcels[i].from) == rank && is_own(parcels[i].to)) {
          delivery.begins[i] = at;
          at += parcels[i].words;
        }
    return delivery;
  }

  /// Learns how many points every part holds.
  void exchange_sizes() {
    Words own;
    for (const OwnPart& part : build_.parts) own.push_back(part.n);
    sizes_ = ranks_.gather_all(std::span<const std::uint32_t>(own));
  }

  /// Distributes the points over the parts in the order of their indices; the last parts may be shorter or empty.
  void distribute(const PointShare& share) {
    const PointsView points = view_of(share.points);
    std::vector<std::uint64_t> counts(ranks_.size());
    Words out;
    out.reserve(std::size_t(points.n) * (k_ + 1));
    for (std::uint32_t i = 0; i < points.n; ++i) {
      const auto original = static_cast<std::uint32_t>(share.first + i);
      counts[rank_of(original / width_)] += k_ + 1;
      out.push_back(original);
      for (std::uint32_t d = 0; d < k_; ++d) out.push_back(points.word(i, d));
    }
    const auto in = ranks_.exchange(std::span<const std::uint32_t>(out), counts).elements;
    out = {};
    for (std::uint32_t p = first_part(); p < first_part() + own_parts(); ++p) {
      const std::uint64_t begin = std::min<std::uint64_t>(tree_.n, std::uint64_t{p} * width_);
      const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(tree_.n - begin, width_));
      CpuExec& exec = group_[p - first_part()];
      OwnPart& part = build_.parts.emplace_back();
      part.exec = &exec, part.n = n;
      part.points = {exec.array<std::uint32_t>("points", std::size_t(n) * k_), n, k_, k_, type_};
      part.original = exec.array<std::uint32_t>("original", n);
      // Parts may grow to the longest part's length
      part.of_dimension.push_back(exec.array<PointId>("references", width_));
      part.less = exec.array<PointId>("less", width_);
      part.counts = exec.array<std::uint32_t>("counts", 2 * std::size_t(options_.warps));
      part.before = exec.array<std::uint32_t>("counts before", 2 * std::size_t(options_.warps) + 1);
      part.references = exec.array<Reference>("sort", width_, Allocation::scratch);
      part.merged = exec.array<Reference>("sort", width_, Allocation::scratch);
    }
    for (std::size_t at = 0; at < in.size(); at += k_ + 1) {
      const std::uint32_t original = in[at], i = original % width_;
      OwnPart& part = own(original / width_);
      std::copy_n(in.data() + at + 1, k_, part.points.words.data() + std::size_t(i) * k_);
      part.original.data()[i] = original;
    }
    exchange_sizes();
  }

  struct Pair {
    std::uint32_t low, high;
    std::uint32_t from = 0, to = 0;  ///< the number of points that change places lies between these
  };

  /// Finds the first p for which low[n - p - 1] < high[p], for all pairs at once.
  void find_pivots(std::vector<Pair>& pairs, std::uint32_t dim) {
    std::uint32_t widest = 0;
    for (Pair& pair : pairs) {
      pair.to = std::min(sizes_[pair.low], sizes_[pair.high]);
      widest = std::max(widest, pair.to);
    }
    const auto tests = [](const Pair& pair) { return std::min(tested_at_once, pair.to - pair.from); };
    const auto tested = [&](const Pair& pair, std::uint32_t j) {
      const std::uint32_t wide = pair.to - pair.from;
      return pair.from + (wide <= tested_at_once
                              ? j
                              : static_cast<std::uint32_t>(std::uint64_t{wide} * (j + 1) / (tested_at_once + 1)));
    };
    // All ranks make as many passes, although they know the bounds of their own pairs alone
    for (; widest > 0; widest = widest <= tested_at_once ? 0 : widest / (tested_at_once + 1) + 1) {
      std::vector<Parcel> parcels;
      for (const Pair& pair : pairs)
        for (const auto& [from, to] : {std::pair{pair.low, pair.high}, std::pair{pair.high, pair.low}})
          parcels.push_back({from, to, std::uint64_t{tests(pair)} * (k_ + 1)});
      const auto record = [&](const OwnPart& part, std::uint32_t at, std::uint32_t* to) {
        const std::uint32_t point = part.sorted[at].point.value;
        std::copy_n(part.points.words.data() + std::size_t(point) * k_, k_, to);
        to[k_] = part.original.data()[point];
      };
      const auto of_side = [&](const Pair& pair, std::uint32_t part, std::uint32_t j, std::uint32_t* to) {
        record(own(part), part == pair.low ? sizes_[pair.low] - tested(pair, j) - 1 : tested(pair, j), to);
      };
      const Delivery got = send(parcels, &LinkTraffic::samples, [&](std::size_t i, std::uint32_t* to) {
        for (std::uint32_t j = 0; j < tests(pairs[i / 2]); ++j)
          of_side(pairs[i / 2], parcels[i].from, j, to + std::size_t(j) * (k_ + 1));
      });
      Words own_record(k_ + 1);
      for (std::size_t i = 0; i < parcels.size(); ++i) {
        Pair& pair = pairs[i / 2];
        if (!is_own(parcels[i].to) || (is_own(pair.low) && is_own(pair.high) && i % 2 == 1)) continue;
        const Pair before = pair;
        for (std::uint32_t j = 0; j < tests(before); ++j) {
          of_side(before, parcels[i].to, j, own_record.data());
          const std::uint32_t* const other = got.of(i) + std::size_t(j) * (k_ + 1);
          const bool holds = parcels[i].to == pair.low ? before_in_order(own_record.data(), other, dim)
                                                       : before_in_order(other, own_record.data(), dim);
          if (holds) {
            pair.to = tested(before, j);
            break;
          }
          pair.from = tested(before, j) + 1;
        }
      }
    }
  }
  /// Compares two records of k coordinates and an original index.
  bool before_in_order(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t dim) const {
    const PointsView of_a{a, 1, k_, k_ + 1, type_}, of_b{b, 1, k_, k_ + 1, type_};
    const int order = compare_super_keys(of_a, 0, of_b, 0, dim);
    return order != 0 ? order < 0 : a[k_] < b[k_];
  }

  /// Swaps the points that are out of order between neighbouring parts, and merges.
  void exchange(std::uint32_t together, std::uint32_t round, std::uint32_t dim) {
    std::vector<Pair> pairs;
    for (std::uint32_t begin = 0; begin < parts_; begin += together)
      for (std::uint32_t p = round % 2; p + 1 < together; p += 2) pairs.push_back({begin + p, begin + p + 1});
    find_pivots(pairs, dim);
    std::vector<Parcel> parcels;
    for (const Pair& pair : pairs)
      for (const auto& [from, to] : {std::pair{pair.low, pair.high}, std::pair{pair.high, pair.low}})
        parcels.push_back({from, to, is_own(from) || is_own(to) ? std::uint64_t{pair.from} * (k_ + 2) : 0});
    const auto leaving = [&](const Pair& pair, std::uint32_t part) {
      return own(part).sorted + (part == pair.low ? own(part).points.n - pair.from : 0);
    };
    const Delivery got = send(parcels, &LinkTraffic::points, [&](std::size_t i, std::uint32_t* to) {
      const Pair& pair = pairs[i / 2];
      const OwnPart& part = own(parcels[i].from);
      part.exec->for_each(
          "pack leaving", pair.from,
          brown::PackLeaving{part.points.words.data(), part.original.data(), k_, leaving(pair, parcels[i].from), to});
    });
    for (std::size_t i = 0; i < parcels.size(); ++i) {
      const Pair& pair = pairs[i / 2];
      if (!is_own(parcels[i].to) || pair.from == 0) continue;
      OwnPart& part = own(parcels[i].to);
      part.exec->for_each("take arriving", pair.from,
                          brown::TakeArriving{part.points.words.data(), part.original.data(), k_,
                                              leaving(pair, parcels[i].to), got.of(i)});
      Reference* const to = part.sorted == part.references.data() ? part.merged.data() : part.references.data();
      const std::uint32_t n = part.points.n, first_run = parcels[i].to == pair.low ? n - pair.from : pair.from;
      part.exec->for_each_block("merge", brown::tiles_of(n), brown::sort_lanes, brown::merge_shared_bytes,
                                brown::MergeTwoRuns{part.sorted, to, n, first_run, part.less_by(dim)});
      part.sorted = to;
    }
  }

  /// Removes duplicates from the references of all parts, which are sorted by dimension 0. What they name becomes rows
  /// without a node.
  void remove_duplicates() {
    // The first point of a part is compared with the last one of the part before, which may be on another rank
    Words last;
    for (const OwnPart& part : build_.parts)
      for (std::uint32_t d = 0; d < k_; ++d)
        last.push_back(part.n == 0 ? 0 : part.points.view().word(part.sorted[part.n - 1].point.value, d));
    last = ranks_.gather_all(std::span<const std::uint32_t>(last));
    const std::uint32_t warps = options_.warps;
    for (std::uint32_t p = first_part(); p < first_part() + own_parts(); ++p) {
      OwnPart& part = own(p);
      SortedPart previous{};
      Reference reference{};
      if (p > 0 && sizes_[p - 1] > 0) {
        const PointsView one{last.data() + std::size_t(p - 1) * k_, 1, k_, k_, type_};
        reference = {one.key(0, 0), PointId{0}};
        previous = {one, nullptr, &reference, 1};
      }
      std::vector<std::uint8_t> removed(part.points.n, 0);
      part.exec->for_each_warp(
          "remove duplicates", warps, brown::CoalescingBuffer::size * sizeof(PointId) + 16,
          brown::RemoveDuplicates<NoProbe>{{part.points.view(), nullptr, part.sorted, part.points.n},
                                           0,
                                           warps,
                                           part.less.data(),
                                           part.counts.data(),
                                           removed.data(),
                                           previous,
                                           options_.writes == brown::Writes::coalesced,
                                           {},
                                           0});
      part.exec->transform_exclusive_scan("close gaps", warps + 1, brown::CountOf{part.counts.data(), warps},
                                          part.before.data());
      part.exec->for_each_warp("close gaps", warps, 0,
                               brown::CloseGaps{part.less.data(), part.before.data(), part.counts.data(), part.points.n,
                                                warps, part.of_dimension[0].data()});
      part.exec->download(std::span(&part.n, 1), part.before.data() + warps);
      for (std::uint32_t i = 0; i < part.points.n; ++i)
        if (removed[i]) add_row(NodeId{no_id}, part, i, 0);
    }
    exchange_sizes();
  }

  /// Divides each group of parts at its median: lesser points are spread evenly over the first half of the parts and
  /// greater ones over the second.
  void rebalance(std::uint32_t together, std::uint32_t dim) {
    std::vector<std::uint64_t> first(parts_);  // position of each part's first point in its group
    std::vector<PositionRange> wanted(parts_);
    for (std::uint32_t p = 0; p < parts_; ++p) first[p] = p % together == 0 ? 0 : first[p - 1] + sizes_[p - 1];
    for (std::uint32_t p = 0; p < parts_; ++p) {
      const std::uint32_t last = p / together * together + together - 1, in_half = p % (together / 2);
      const PositionRange all{0, static_cast<std::uint32_t>(first[last] + sizes_[last])};
      const std::uint32_t median = all.size() == 0 ? 0 : median_position(all);
      const PositionRange half = p % together < together / 2 ? PositionRange{0, median}
                                                             : PositionRange{std::min(median + 1, all.end), all.end};
      const std::uint32_t width = (half.size() + together / 2 - 1) / (together / 2);
      wanted[p].begin = std::min(half.end, half.begin + in_half * width);
      wanted[p].end = std::min(half.end, wanted[p].begin + width);
      if (p % together != 0 || all.size() == 0) continue;
      // The rank that holds the median keeps its row
      std::uint32_t holder = p;
      while (first[holder] + sizes_[holder] <= median) ++holder;
      if (is_own(holder))
        add_row(NodeId{store_begin(level_) + p / together}, own(holder),
                own(holder).of_dimension[0].data()[median - first[holder]].value, dim);
    }
    std::vector<Parcel> parcels;
    std::vector<PositionRange> range_of;
    for (std::uint32_t p = 0; p < parts_; ++p)
      for (std::uint32_t to = p / together * together; to < p / together * together + together; ++to) {
        const std::uint64_t begin = std::max<std::uint64_t>(first[p], wanted[to].begin),
                            end = std::min<std::uint64_t>(first[p] + sizes_[p], wanted[to].end);
        if (begin >= end) continue;
        range_of.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
        parcels.push_back({p, to, (end - begin) * (k_ + 1)});
      }
    const Delivery got = send(parcels, &LinkTraffic::points, [&](std::size_t i, std::uint32_t* to) {
      const OwnPart& part = own(parcels[i].from);
      part.exec->for_each("rebalance", range_of[i].size(),
                          brown::MovePoints{part.points.view(), part.original.data(),
                                            part.of_dimension[0].data() + (range_of[i].begin - first[parcels[i].from]),
                                            to, to + std::size_t(range_of[i].size()) * k_});
    });
    for (std::uint32_t p = first_part(); p < first_part() + own_parts(); ++p) {
      OwnPart& part = own(p);
      part.n = wanted[p].size();
      part.points = {part.exec->array<std::uint32_t>("points", std::size_t(part.n) * k_), part.n, k_, k_, type_};
      part.original = part.exec->array<std::uint32_t>("original", part.n);
    }
    for (std::size_t i = 0; i < parcels.size(); ++i) {
      if (!is_own(parcels[i].to)) continue;
      OwnPart& part = own(parcels[i].to);
      const std::size_t begin = range_of[i].begin - wanted[parcels[i].to].begin, count = range_of[i].size();
      std::copy_n(got.of(i), count * k_, part.points.words.data() + begin * k_);
      std::copy_n(got.of(i) + count * k_, count, part.original.data() + begin);
    }
    for (std::uint32_t p = 0; p < parts_; ++p) sizes_[p] = wanted[p].size();
  }

  /// Builds the subtree of a part, whose root is on level log2(parts), as a tree of its own whose dimensions are
  /// turned.
  void finish(std::uint32_t p) {
    OwnPart& part = own(p);
    const auto by = static_cast<std::uint32_t>(level_) % k_;
    DeviceGroup<CpuExec> alone(1, [&](std::uint32_t) { return std::make_unique<CpuExec>(stop_); });
    CpuExec& exec = alone.first();
    PointsOnDevice<CpuExec> turned{exec.array<std::uint32_t>("points", std::size_t(part.n) * k_), part.n, k_, k_,
                                   type_};
    exec.for_each("turn dimensions", part.n, TurnDimensions{part.points.view(), by, turned.words.data()});
    brown::BrownOptions options = options_;
    options.parts = 1, options.form = brown::Form::stores;
    std::vector<PointsOnDevice<CpuExec>> points;
    points.push_back(std::move(turned));
    const auto subtree = brown::build(alone, std::move(points), options, recorder_);
    for (std::uint32_t i = 0; i < part.n; ++i)
      if (subtree.removed.data()[i]) add_row(NodeId{no_id}, part, i, 0);
    for (std::uint32_t i = 0; i < subtree.stores.size(); ++i) {
      const std::uint32_t point = subtree.stores.data()[i].value;
      if (point == no_id) continue;
      const int level = level_of(NodeId{i});
      const std::uint32_t address = (p << level) + (i - store_begin(level));
      add_row(NodeId{store_begin(level + level_) + address}, part, point,
              static_cast<std::uint32_t>(level + level_) % k_);
    }
    part = {};
  }

  void add_row(NodeId node, const OwnPart& part, std::uint32_t record, std::uint32_t split_dim) {
    tree_.node.push_back(node);
    tree_.point_of_node.push_back({part.original.data()[record]});
    tree_.split_dim.push_back(static_cast<std::uint8_t>(split_dim));
    for (std::uint32_t d = 0; d < k_; ++d) tree_.points.words.push_back(part.points.view().word(record, d));
  }

  Communicator& ranks_;
  const brown::BrownOptions& options_;
  std::uint32_t parts_, k_;
  ScalarType type_;
  std::stop_token stop_;
  NullRecorder recorder_;
  DeviceGroup<CpuExec> group_;
  brown::Build<CpuExec, NullRecorder> build_;
  std::uint32_t width_ = 0;  ///< points of the longest part
  int level_ = 0;            ///< upper levels whose medians divide the parts
  Words sizes_;              ///< [parts]
  TreeShare tree_;
};

}  // namespace

std::uint32_t parts_for(std::uint32_t ranks) { return std::bit_ceil(ranks); }

TreeShare build_by_brown(Communicator& ranks, PointShare share, const brown::BrownOptions& options, std::uint32_t parts,
                         std::stop_token stop) {
  BrownBuild build(ranks, share, options, parts, std::move(stop));
  share = {};
  return build.run();
}

}  // namespace kdscope::cluster
