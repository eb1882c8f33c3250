#pragma once
// A builder of left-balanced trees that moves each point once for several levels. The size of every subtree follows
// from n alone, so the rank of each pivot and the place of each subtree's points are known before any data is read.
// Exec and Recorder decide whether the function runs on the CPU or the GPU, stepped or timed.

#include <algorithm>
#include <optional>

#include "algorithms/builders/rank/arrays.hpp"
#include "algorithms/builders/rank/count.hpp"
#include "algorithms/builders/rank/domain.hpp"
#include "algorithms/builders/rank/finish.hpp"
#include "algorithms/builders/rank/narrow.hpp"
#include "algorithms/builders/rank/on_host.hpp"
#include "algorithms/builders/rank/partition.hpp"
#include "algorithms/builders/rank/ranked_subtrees.hpp"
#include "algorithms/builders/rank/recording.hpp"
#include "algorithms/builders/rank/sample.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/trees/left_balanced/on_device.hpp"

namespace kdscope::rank {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel ranks{"ranks", "rank/ranks", "The rank of every pivot follows from the number of points",
                                 StepKind::host};
inline constexpr StepLabel domain{"domain", "rank/domain", "Find the box of all points"};
inline constexpr StepLabel sample{"sample", "rank/sample"};
inline constexpr StepLabel count_bins{"count bins", "rank/count"};
inline constexpr StepLabel find_windows{"find windows", "rank/narrow"};
inline constexpr StepLabel list_windows{"list windows", "rank/count"};
inline constexpr StepLabel find_pivots{"find pivots", "rank/narrow"};
inline constexpr StepLabel partition{"partition", "rank/partition", "", StepKind::launch, true};
inline constexpr StepLabel finish{"finish subtrees", "rank/finish", "", StepKind::launch, true};
inline constexpr StepLabel finish_level{"finish level", "rank/finish", "", StepKind::launch, true};
inline constexpr StepLabel read{"read points", "rank/on_host"};
inline constexpr StepLabel split_nodes{"split nodes", "rank/on_host"};
inline constexpr StepLabel split_subtrees{"split subtrees", "rank/on_host"};
inline constexpr StepLabel lay_out{"lay out", "rank/finish", "Store the pivots of the upper levels in their nodes"};
}  // namespace steps

/// Returns the number of levels above subtrees of at most `subtree` points.
inline int upper_levels(std::uint32_t n, std::uint32_t subtree) {
  int level = 0;
  while (subtree_size(NodeId{full_tree_size(level)}, n) > subtree) ++level;
  return level;
}

/// Sets elements to 0.
struct Clear {
  std::uint32_t* values;
  KDSCOPE_HD void operator()(std::uint32_t i) const { values[i] = 0; }
};

/// Copies the words behind the coordinates to the nodes.
struct CopyPayload {
  const std::uint32_t* input;
  TreeArrays tree;
  std::uint32_t k;
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    const std::size_t from = std::size_t(tree.point_of_node[node].value) * tree.stride;
    for (std::uint32_t w = k; w < tree.stride; ++w) tree.words[std::size_t(node) * tree.stride + w] = input[from + w];
  }
};

/// One build: its state in a back end's memory.
template <class Exec>
class Build {
 public:
  Build(Exec& exec, PointsOnDevice<Exec> points, const RankOptions& options)
      : exec_(exec),
        input_(std::move(points)),
        options_(options),
        n_(input_.n),
        k_(input_.dim),
        upper_(upper_levels(n_, options.subtree)),
        rule_{options.split, k_, input_.type, nullptr},
        records_{input_.words.data(), nullptr, input_.stride, 1, input_.type} {}

  template <class Recorder>
  LeftBalancedTreeOnDevice<Exec> run(Recorder& rec) {
    rec.step(
        steps::ranks, [] {},
        [&](auto& writer) {
          recording_.emplace(PointSet{input_.type, k_, input_.stride - k_,
                                      writer.read(input_.words.data(), std::size_t(n_) * input_.stride)},
                             options_);
          recording_->started(writer);
        });
    if (options_.split == Split::widest) rec.step(steps::domain, [&](const char* name) { find_domain(name); });
    // At full speed, the host has its own schedule. Its recordings and step times are those of the device's steps.
    if constexpr (Exec::runs_on_host && !separate_launches<Recorder>) return build_on_host(rec);
    // Few subtrees are shared by several blocks each, and may be larger, which saves rounds: as far as one block can
    // rank their points along a dimension. Recordings have one block per subtree.
    if constexpr (!separate_launches<Recorder>) {
      std::size_t most = 4 * options_.subtree - 1;
      if constexpr (requires { exec_.shared_limit(); })
        most = std::min(most, (exec_.shared_limit() - 1024) / RankSubtrees::bytes_per_point);
      const int upper = upper_levels(n_, static_cast<std::uint32_t>(most));
      shared_ = 1u << upper <= max_shared && num_levels(n_) - upper > most_log_shares;
      if (shared_) upper_ = upper;
    }
    if (upper_ > 0) {
      planes_ = exec_.template array<Plane>("planes", full_tree_size(upper_));
      upper_words_ = exec_.template array<std::uint32_t>("upper records", std::size_t(k_) * full_tree_size(upper_));
      upper_points_ = exec_.template array<PointId>("upper points", full_tree_size(upper_));
      const std::size_t nodes = std::size_t{1} << upper_;
      brackets_ = exec_.template array<Bracket>("brackets", nodes);
      windows_ = exec_.template array<Window>("windows", nodes);
      counts_ = exec_.template array<std::uint32_t>("bins", count_size());
      listed_ = exec_.template array<std::uint32_t>("list lengths", nodes / 2);
      filled_ = exec_.template array<std::uint32_t>("filled", nodes);
    }
    // Spread the upper levels evenly over as few rounds as possible
    const int most = static_cast<int>(options_.levels_per_round);
    for (int level = 0, rounds = (upper_ + most - 1) / most; level < upper_; --rounds) {
      const int levels = (upper_ - level + rounds - 1) / rounds;
      split_levels(level, levels, rec);
      level += levels;
    }
    return finish(rec);
  }

 private:
  void find_domain(const char* name) {
    if (n_ == 0) return;
    const std::uint32_t tiles = (n_ - 1) / BoxOfTile::tile + 1;
    boxes_ = exec_.template array<std::uint32_t>("boxes", std::size_t(tiles) * 2 * k_);
    domain_ = exec_.template array<std::uint32_t>("domain", 2 * k_);
    exec_.for_each_block(name, tiles, BoxOfTile::lanes, 8 * k_ + 64,
                         BoxOfTile{records_, n_, k_, nullptr, boxes_.data()});
    exec_.for_each_block(name, 1, BoxOfTile::lanes, 8 * k_ + 64,
                         BoxOfTile{records_, tiles, k_, boxes_.data(), domain_.data()});
    rule_.domain = domain_.data();
  }

  /// Splits `levels` levels from `level` on: finds all their pivots, then moves every point once.
  template <class Recorder>
  void split_levels(int level, int levels, Recorder& rec) {
    // Until the points move, their next buffer holds the lists of window points
    Columns& to = columns_[next_];
    if (to.words.size() == 0) {
      to.words = exec_.template array<std::uint32_t>("coordinates", std::size_t(k_) * n_);
      to.points = exec_.template array<PointId>("points", n_);
    }
    const Round round{.from = records_,
                      .n = n_,
                      .intervals = options_.intervals,
                      .rule = rule_,
                      .level = level,
                      .levels = levels,
                      .planes = planes_.data(),
                      .brackets = brackets_.data(),
                      .windows = windows_.data(),
                      .counts = counts_.data(),
                      .listed = listed_.data(),
                      .list = reinterpret_cast<std::uint32_t*>(to.points.data()),
                      .filled = filled_.data()};
    const std::uint32_t segment = subtree_size(round.root(0), n_);  // the first is the largest
    rec.step(
        steps::sample.at(level),
        [&](const char* name) {
          if (level == 0) {  // later rounds find the counters as the last one left them: 0
            exec_.for_each("clear", static_cast<std::uint32_t>(counts_.size()), Clear{counts_.data()});
            exec_.for_each("clear", static_cast<std::uint32_t>(listed_.size()), Clear{listed_.data()});
          }
          const SampleBrackets sample{round, sample_size(segment)};
          exec_.for_each_block(name, round.segments(), SampleBrackets::lanes, sample.shared_bytes(), sample);
        },
        [&](auto& writer) {
          recording_->sampled(writer, level, levels,
                              writer.read(brackets_.data(), std::size_t(round.segments()) * round.node_count()));
        });
    for (int down = 0; down <= levels; ++down) {
      const StepLabel count =
          down < levels ? steps::count_bins.at(level + down) : steps::list_windows.at(level + down - 1);
      rec.step(
          count,
          [&](const char* name) {
            const std::uint32_t tile = std::clamp(n_ / 1024 / 256 * 256, 1024u, 8192u);
            switch (down) {
              case 0:
                return count_bins<0>(name, round, tile, segment);
              case 1:
                return count_bins<1>(name, round, tile, segment);
              case 2:
                return count_bins<2>(name, round, tile, segment);
              default:
                return count_bins<3>(name, round, tile, segment);
            }
          },
          [&](auto& writer) {
            if (down > 0)
              recording_->listed(writer, level + down - 1,
                                 writer.read(listed_.data(), std::size_t{1} << (level + down - 1)),
                                 writer.read(round.list, n_));
            if (down == levels) return;
            const Bins bins = round.bins(down);
            recording_->counted(writer, level + down, bins,
                                writer.read(counts_.data(), (std::size_t{1} << (level + down)) * (bins.count() + 1)));
          });
      const StepLabel narrow = down == 0 ? steps::find_windows.at(level)
                                         : steps::find_pivots.at(level + down - 1).ending_level(down < levels);
      rec.step(
          narrow,
          [&](const char* name) {
            const Narrow find{round, down};
            // Long lists need many lanes, many short ones many blocks
            const int lanes = find.blocks() < 64 ? 512 : find.blocks() < 2048 ? 256 : 128;
            exec_.for_each_block(name, find.blocks(), lanes, find.shared_bytes(), find);
          },
          [&](auto& writer) {
            if (down > 0)
              recording_->found_pivots(writer, level + down - 1, writer.read(planes_.data(), planes_.size()));
            if (down < levels)
              recording_->windowed(writer, level + down,
                                   writer.read(windows_.data(), std::size_t(round.segments()) * round.node_count()));
          });
    }
    move_points(round, segment, rec);
  }

  /// Moves every point of a round to its child segment. segment: the largest number of points of a segment.
  template <class Recorder>
  void move_points(const Round& round, std::uint32_t segment, Recorder& rec) {
    Columns& to = columns_[next_];
    const int level = round.level, levels = round.levels;
    rec.step(
        steps::partition.at(level + levels - 1),
        [&](const char* name) {
          for_dimensions<4>([&]<int K>() {
            Partition<K> partition{round,
                                   {to.words.data(), to.points.data(), upper_words_.data(), upper_points_.data()},
                                   (segment - 1) / Partition<K>::tile + 1};
            if constexpr (is_recording<Recorder>) {
              // Tiles take their places in turn, so that every recording of a build is the same
              for (; partition.first_block < partition.blocks(); ++partition.first_block)
                exec_.for_each_block(name, 1, Partition<K>::lanes, partition.shared_bytes(), partition);
            } else {
              exec_.for_each_block(name, partition.blocks(), Partition<K>::lanes, partition.shared_bytes(), partition);
            }
          });
          if (level == 0 && input_.stride == k_) input_.words = {};
          records_ = {to.words.data(), to.points.data(), 1, n_, input_.type};
          next_ = 1 - next_;
        },
        [&](auto& writer) {
          recording_->partitioned(writer, level + levels - 1, writer.read(records_.points, n_),
                                  writer.read(planes_.data(), planes_.size()));
        });
  }

  template <int Down>
  void count_bins(const char* name, const Round& round, std::uint32_t tile, std::uint32_t segment) {
    const auto run = [&](const auto& pass) {
      exec_.for_each_block(name, pass.blocks(), pass.lanes, pass.shared_bytes(), pass);
    };
    const std::uint32_t tiles = (segment - 1) / tile + 1;
    if (rule_.split == Split::round_robin)
      run(CountBins<Down, true>{round, tile, tiles});
    else
      run(CountBins<Down, false>{round, tile, tiles});
  }

  /// Builds the same tree by the host's own schedule.
  template <class Recorder>
  LeftBalancedTreeOnDevice<Exec> build_on_host(Recorder& rec) {
    LeftBalancedTreeOnDevice<Exec> tree = new_tree();
    // As many subtrees as keep all threads busy, but long enough for one
    int upper = 0;
    while (upper < 8 && n_ >> upper > 4096) ++upper;
    planes_ = exec_.template array<Plane>("planes", full_tree_size(upper));
    for_dimensions<8>([&]<int K>() {
      if constexpr (K > 0) {  // there are no more dimensions
        auto records = exec_.template array<HostRecord<K>>("records", n_);
        rec.step(steps::read, [&](const char* name) {
          exec_.for_each(name, n_, ReadOnHost<K>{records_, records.data()});
        });
        SplitOnHost<K, Records> split{records.data(), records_, n_, rule_, 0, false, planes_.data(), arrays_of(tree)};
        for (; split.level < upper; ++split.level)
          rec.step(steps::split_nodes.at(split.level),
                   [&](const char* name) { exec_.for_each(name, 1u << split.level, split); });
        split.to_the_end = true;
        rec.step(steps::split_subtrees,
                 [&](const char* name) { exec_.for_each(name, std::min(n_, 1u << upper), split); });
      }
    });
    rec.step(steps::lay_out, [&] { copy_payload(tree); });
    return tree;
  }

  /// Allocates the tree.
  LeftBalancedTreeOnDevice<Exec> new_tree() {
    LeftBalancedTreeOnDevice<Exec> tree;
    tree.points = {exec_.template array<std::uint32_t>("tree", std::size_t(n_) * input_.stride), n_, k_, input_.stride,
                   input_.type};
    tree.point_of_node = exec_.template array<PointId>("tree points", n_);
    tree.split_dim = exec_.template array<std::uint8_t>("split dimensions", n_);
    return tree;
  }
  TreeArrays arrays_of(const LeftBalancedTreeOnDevice<Exec>& tree) const {
    return {tree.points.words.data(), tree.point_of_node.data(), tree.split_dim.data(), input_.stride};
  }
  void copy_payload(const LeftBalancedTreeOnDevice<Exec>& tree) {
    if (input_.stride > k_) exec_.for_each("payload", n_, CopyPayload{input_.words.data(), arrays_of(tree), k_});
  }

  template <class Recorder>
  LeftBalancedTreeOnDevice<Exec> finish(Recorder& rec) {
    // The buffer that the last round has left makes room for the tree
    columns_[next_] = {};
    LeftBalancedTreeOnDevice<Exec> tree = new_tree();
    const TreeArrays arrays = arrays_of(tree);
    if constexpr (separate_launches<Recorder>) {
      // One launch per level shows what one launch does
      auto tags = exec_.template array<std::uint32_t>("node in subtree", n_);
      for (int down = 0, below = num_levels(n_) - upper_; down < below; ++down)
        rec.step(
            steps::finish_level.at(upper_ + down),
            [&](const char* name) { finish_subtrees(name, arrays, down, down, tags.data()); },
            [&](auto& writer) {
              recording_->finished_level(writer, upper_, upper_ + down, writer.read(tags.data(), n_));
            });
    } else {
      rec.step(steps::finish, [&](const char* name) {
        if (shared_)
          finish_shared_subtrees(name, arrays);
        else
          finish_subtrees(name, arrays, 0, num_levels(n_), nullptr);
      });
    }
    rec.step(steps::lay_out, [&] {
      exec_.for_each("upper nodes", upper_ > 0 ? full_tree_size(upper_) : 0,
                     CopyUpperNodes{upper_words_.data(), upper_points_.data(), planes_.data(), arrays, k_});
      copy_payload(tree);
    });
    return tree;
  }

  /// Splits levels [first, last] below the upper levels, counted from there.
  void finish_subtrees(const char* name, const TreeArrays& arrays, int first, int last, std::uint32_t* tags) {
    const std::uint32_t roots = std::min(n_, 1u << upper_);
    const auto size = [&](std::uint32_t root) { return subtree_size(NodeId{full_tree_size(upper_) + root}, n_); };
    for_dimensions<4>([&]<int K>() {
      // The first subtrees reach one level deeper than the others and take twice the memory: they get a launch of their
      // own, unless all subtrees fit on the device at once
      const std::uint32_t on_device = 256;
      for (std::uint32_t root = 0, count = 0; root < roots; root += count) {
        const std::uint32_t most = size(root);
        const bool all = roots <= on_device || size(roots - 1) > most / 2;
        count = all ? roots - root : std::max(1u, deeper_subtrees() - root);
        with_dimension_rule([&]<bool by_level>() {
          const FinishSubtrees<K, by_level, false> finish{records_, n_,    rule_, upper_, planes_.data(), arrays, most,
                                                          root,     first, last,  tags};
          exec_.for_each_block(name, count, finish.lanes(), finish.shared_bytes(), finish);
        });
      }
    });
  }

  /// Finishes subtrees that several blocks share.
  void finish_shared_subtrees(const char* name, const TreeArrays& arrays) {
    const std::uint32_t roots = 1u << upper_;
    const auto size = [&](int level) { return subtree_size(NodeId{full_tree_size(level)}, n_); };
    auto ranks = exec_.template array<std::uint16_t>("ranks", std::size_t(k_) * n_);
    const RankSubtrees rank{records_, n_, k_, upper_, size(upper_), ranks.data()};
    exec_.for_each_block("rank subtrees", roots * k_, rank.lanes(), rank.shared_bytes(), rank);
    // A quarter of a subtree is no larger than subtrees that are not shared. Share them further until every
    // multiprocessor has a block.
    int log_shares = 2;
    while (log_shares < most_log_shares && roots << log_shares < 128) ++log_shares;
    for_dimensions<4>([&]<int K>() {
      with_dimension_rule([&]<bool by_level>() {
        const FinishSubtrees<K, by_level, true> finish{.from = records_,
                                                       .n = n_,
                                                       .rule = rule_,
                                                       .level = upper_,
                                                       .planes = planes_.data(),
                                                       .tree = arrays,
                                                       .most = size(upper_ + log_shares),
                                                       .log_shares = log_shares,
                                                       .most_shared = size(upper_),
                                                       .shared_ranks = ranks.data()};
        exec_.for_each_block(name, roots << log_shares, finish.lanes(), finish.shared_bytes(), finish);
      });
    });
  }

  /// Calls run.template operator()<true>() if all nodes of a level split the same dimension, else with false.
  template <class Run>
  void with_dimension_rule(const Run& run) const {
    if (rule_.split == Split::round_robin)
      run.template operator()<true>();
    else
      run.template operator()<false>();
  }
  /// Calls run.template operator()<K>() with the number of dimensions, so that lanes hold coordinates in registers, or
  /// with 0 for more than `most`.
  template <int most, int K = 1, class Run>
  void for_dimensions(const Run& run) const {
    if constexpr (K > most)
      run.template operator()<0>();
    else if (k_ == K)
      run.template operator()<K>();
    else
      for_dimensions<most, K + 1>(run);
  }
  /// Returns how many of the subtrees below the upper levels have points on the tree's last level.
  std::uint32_t deeper_subtrees() const {
    const int levels = num_levels(n_), below = levels - 1 - upper_;
    return ((n_ - full_tree_size(levels - 1)) + (1u << below) - 1) >> below;
  }
  /// Returns the points of a segment's sample: as many as requested, but ranking them must not outweigh the segment.
  std::uint32_t sample_size(std::uint32_t segment) const {
    std::uint32_t root = 16;
    while (root * root < 4 * segment && root < options_.sample) ++root;
    return std::min(root, options_.sample);
  }
  /// Returns the number of counters of the upper level that needs most.
  std::size_t count_size() const {
    std::size_t most = 0;
    for (int level = 0; level < upper_; ++level)
      most =
          std::max(most, (std::size_t{1} << level) *
                             (Bins::of(options_.intervals, subtree_size({full_tree_size(level)}, n_), 0).count() + 1));
    return most;
  }

  struct Columns {
    Array<std::uint32_t, Exec> words;  ///< [k x n]
    Array<PointId, Exec> points;
  };
  static constexpr int most_log_shares = 4;
  Exec& exec_;
  PointsOnDevice<Exec> input_;
  RankOptions options_;
  std::uint32_t n_, k_;
  int upper_;            ///< levels that rounds split
  bool shared_ = false;  ///< several blocks share a subtree
  SplitRule rule_;
  Records records_;  ///< the points as they stand
  Array<std::uint32_t, Exec> boxes_, domain_;
  Array<Plane, Exec> planes_;
  Array<std::uint32_t, Exec> upper_words_;
  Array<PointId, Exec> upper_points_;
  Array<Bracket, Exec> brackets_;
  Array<Window, Exec> windows_;
  Array<std::uint32_t, Exec> counts_, listed_, filled_;
  Columns columns_[2];
  int next_ = 0;
  std::optional<StepPresenter> recording_;  ///< only for recordings
};

/// Builds the left-balanced tree of `points`, which it consumes: [n] records, 0 <= n < 2^31, 1 to 8 dimensions, float
/// or int32. Payload behind the coordinates moves with them. Equal coordinates are ordered by original index, so the
/// tree is that of `wald`, whatever the options. Work O(n log n). Memory beside the points: two buffers of k + 1 words
/// per point while they move, then one and the tree; the host's own schedule takes one beside the tree. Throws
/// ErrorException.
template <class Exec, class Recorder>
LeftBalancedTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points, const RankOptions& options,
                                     Recorder& rec) {
  return Build<Exec>(exec, std::move(points), options).run(rec);
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction : BuildsPoints<LeftBalancedTree, RankOptions> {
  static void declare(ArrayList& list, const Options&) { rank::declare(list); }
  static void set_rules(LeftBalancedTree& tree, const Options& options) { tree.split = options.split; }
  static auto build(auto& exec, auto points, const Options& options, auto& rec) {
    return rank::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::rank
