#pragma once
// The breadth-first index-array builder (Hu, Nooshabadi & Ahmadi 2015): each dimension's order of the points is sorted
// once and kept sorted within all nodes, so that boxes can be read from its ends. Exec and Recorder decide whether the
// function runs on the CPU or the GPU, stepped or timed.

#include <optional>
#include <span>
#include <utility>

#include "algorithms/builders/hu/arrays.hpp"
#include "algorithms/builders/hu/nodes.hpp"
#include "algorithms/builders/hu/recording.hpp"
#include "algorithms/builders/hu/sequences.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/leaf_buckets/on_device.hpp"

namespace kdscope::hu {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel initialise_sequences{"initialise sequences", "hu/sequences"};
inline constexpr StepLabel sort_dimensions{"sort dimensions", "hu/sort", "", StepKind::library};
inline constexpr StepLabel bounding_box{"bounding box", "hu/bounding_boxes"};
inline constexpr StepLabel split_nodes{"split nodes", "hu/split_nodes"};
inline constexpr StepLabel number_children{"number children", "hu/number_children"};
inline constexpr StepLabel settle_leaves{"settle leaves", "hu/settle_leaves"};
inline constexpr StepLabel mark{"mark", "hu/mark"};
inline constexpr StepLabel left_counter{"left counter", "hu/left_counter", "", StepKind::library};
inline constexpr StepLabel relocate{"relocate", "hu/relocate"};
inline constexpr StepLabel new_owners{"new owners", "hu/relocate"};
inline constexpr StepLabel bounding_boxes{"bounding boxes", "hu/bounding_boxes", "", StepKind::launch, true};
}  // namespace steps

/// The arrays that the levels of a build work in.
template <class Exec>
struct LevelArrays {
  LevelArrays(Exec& exec, std::uint32_t n, const Batches& batches, std::uint64_t nodes)
      : owners_before(exec.template array<std::uint32_t>("owner", n)),
        side_words(exec.template array<std::uint32_t>("side", PointSides::size<Exec>(n))),
        left_right_mark(exec.template array<std::uint8_t>("left right mark", std::size_t(batches.width) * n)),
        left_counter(exec.template array<std::uint32_t>("left counter", std::size_t(batches.width) * n)),
        before(exec, "split nodes before") {
    before.reserve(nodes / 2 + 2);
  }
  PointSides side() { return {side_words.data()}; }

  Array<std::uint32_t, Exec> owners_before;   ///< [n] owners of the level before
  Array<std::uint32_t, Exec> side_words;      ///< [n] by point
  Array<std::uint8_t, Exec> left_right_mark;  ///< [batch x n]
  Array<std::uint32_t, Exec> left_counter;    ///< [batch x n]
  GrowingArray<std::uint64_t, Exec> before;   ///< [nodes of the level + 1] split nodes and their points
};

/// A build under way. Its members are the steps.
template <class Exec, class Recorder>
class Build {
 public:
  Build(Exec& exec, PointsOnDevice<Exec> points, const HuOptions& options, Recorder& rec)
      : exec_(exec),
        rec_(rec),
        options_(options),
        points_there_(std::move(points)),
        points_(points_there_.view()),
        n_(points_.n),
        k_(points_.dim),
        batches_{k_, options.dimensions_at_once},
        sequences_(exec, n_, batches_),
        nodes_(exec, k_),
        buckets_(exec.template array<PointId>("buckets", n_)),
        owner_(exec.template array<std::uint32_t>("owner", n_)),
        m_(n_) {}

  BucketTreeOnDevice<Exec> tree() {
    initialise_sequences();
    sort_dimensions();
    make_root();
    if (n_ > 0) split_levels();
    return nodes_.release(std::move(buckets_));
  }

 private:
  using Arrays = LevelArrays<Exec>;

  template <class Writer>
  NodeList read_nodes(Writer& writer) const {
    return download_nodes(nodes_.tree(), k_,
                          [&](const auto* from, std::size_t count) { return writer.read(from, count); });
  }
  template <class Writer>
  StepPresenter::Sequences read_sequences(Writer& writer) {
    StepPresenter::Sequences there;
    for (std::uint32_t d = 0; d < k_; ++d) there.push_back(writer.read(sequences_.of(d), n_));
    return there;
  }
  void compute_boxes(std::uint32_t begin, std::uint32_t count) {
    for (std::uint32_t b = 0; b < batches_.count(); ++b)
      exec_.for_each(
          "bounding boxes", count * batches_.size(b),
          BoundingBoxes{points_, nodes_.view(), sequences_.batch(b), begin, batches_.begin(b), batches_.size(b)});
  }

  void initialise_sequences() {
    rec_.step(
        steps::initialise_sequences,
        [&](const char* name) {
          for (std::uint32_t b = 0; b < batches_.count(); ++b)
            exec_.for_each(name, batches_.size(b) * n_, InitialiseSequences{sequences_.batch(b), n_});
        },
        [&](auto& writer) {
          presenter_.emplace(
              PointSet{points_.type, k_, points_.stride - k_, writer.read(points_.words, points_there_.words.size())},
              options_);
          presenter_->initialised(writer, read_sequences(writer));
        });
  }

  void sort_dimensions() {
    rec_.step(
        steps::sort_dimensions,
        [&] {
          for (std::uint32_t b = 0; b < batches_.count() && n_ > 0; ++b) {
            if (batches_.size(b) > 1)
              sort_batch<std::uint64_t>(exec_, points_, sequences_, b);
            else
              sort_batch<std::uint32_t>(exec_, points_, sequences_, b);
          }
        },
        [&](auto& writer) { presenter_->sorted(writer, read_sequences(writer)); });
  }

  void make_root() {
    rec_.step(
        steps::bounding_box,
        [&] {
          if (n_ == 0) return;
          nodes_.reserve(expected_nodes(n_, options_.leaf_size));
          nodes_.grow_to(1);
          exec_.for_each("root", n_, MakeRoot{nodes_.view(), n_, owner_.data()});
          compute_boxes(0, 1);
        },
        [&](auto& writer) { presenter_->rooted(writer, read_nodes(writer)); });
  }

  /// Splits the nodes of each level until all are leaves.
  void split_levels() {
    Arrays arrays(exec_, n_, batches_, expected_nodes(n_, options_.leaf_size));
    while (begin_ < nodes_.size()) {
      end_ = nodes_.size();
      split_nodes();
      const std::uint32_t points = number_children(arrays);
      const bool last = nodes_.size() == end_;
      settle_leaves(arrays, points, last);
      if (last) return;
      for (std::uint32_t b = 0; b < batches_.count(); ++b) {
        mark(arrays, b);
        count_lefts(arrays, b);
        relocate(arrays, b);
      }
      renew_owners(arrays);
      bound_children();
      begin_ = end_;
      ++level_;
    }
  }

  std::uint32_t frontier() const { return end_ - begin_; }
  ActiveNodes active(Arrays& arrays) { return {nodes_.view(), begin_, arrays.before.data(), owner_.data()}; }
  std::uint32_t items(std::uint32_t batch) const { return batches_.size(batch) * m_; }
  StepLabel in_batch(const StepLabel& step, std::uint32_t batch) const {
    return step.at(level_, static_cast<int>(batch)).of("relocation");
  }

  void split_nodes() {
    rec_.step(
        steps::split_nodes.at(level_),
        [&](const char* name) {
          exec_.for_each(name, frontier(), SplitNodes{nodes_.view(), begin_, options_.leaf_size, points_.type});
        },
        [&](auto& writer) { presenter_->split(writer, read_nodes(writer), begin_); });
  }

  /// Returns the number of points of split nodes.
  std::uint32_t number_children(Arrays& arrays) {
    std::uint64_t splits_and_points = 0;
    rec_.step(
        steps::number_children.at(level_),
        [&](const char* name) {
          arrays.before.grow_to(std::size_t(frontier()) + 1);
          exec_.transform_exclusive_scan("split nodes before", frontier() + 1,
                                         SplitNodesAndPoints{nodes_.view(), begin_, end_}, arrays.before.data());
          exec_.download(std::span(&splits_and_points, 1), arrays.before.data() + frontier());
          nodes_.grow_to(end_ + 2 * static_cast<std::uint32_t>(splits_and_points));
          exec_.for_each(name, frontier(), NumberChildren{active(arrays), end_});
        },
        [&](auto& writer) { presenter_->numbered(writer, read_nodes(writer)); });
    return static_cast<std::uint32_t>(splits_and_points >> 32);
  }

  /// Stores the points of leaves and closes their gaps: `points` positions stay active.
  void settle_leaves(Arrays& arrays, std::uint32_t points, bool last) {
    rec_.step(
        steps::settle_leaves.at(level_).ending_level(last),
        [&](const char* name) {
          owner_.swap(arrays.owners_before);
          exec_.for_each(name, m_,
                         SettleLeaves{active(arrays), arrays.owners_before.data(), sequences_.of(0), owner_.data(),
                                      buckets_.data()});
          m_ = points;
        },
        [&](auto& writer) { presenter_->settled(writer, writer.read(buckets_.data(), n_), last); });
  }

  void mark(Arrays& arrays, std::uint32_t b) {
    const PointSides side = arrays.side();
    rec_.step(
        in_batch(steps::mark, b),
        [&](const char* name) {
          if (level_ == 0 && b == 0)
            exec_.for_each("clear sides", static_cast<std::uint32_t>(arrays.side_words.size()), ClearSides{side.words});
          if (b == 0)
            exec_.for_each("side of points", m_, SideOfPoint{points_, active(arrays), sequences_.of(0), side});
          exec_.for_each(name, items(b),
                         Mark{active(arrays), sequences_.batch(b), side, n_, m_, arrays.left_right_mark.data()});
        },
        [&](auto& writer) {
          presenter_->marked(writer, batches_.begin(b), writer.read(arrays.left_right_mark.data(), items(b)));
        });
  }

  void count_lefts(Arrays& arrays, std::uint32_t b) {
    rec_.step(
        in_batch(steps::left_counter, b),
        [&](const char* name) {
          exec_.transform_exclusive_scan(name, items(b), GoesLeft{arrays.left_right_mark.data()},
                                         arrays.left_counter.data());
          if (b == 0)
            exec_.for_each("count children", frontier(),
                           CountChildren{active(arrays), arrays.left_right_mark.data(), arrays.left_counter.data()});
        },
        [&](auto& writer) {
          presenter_->counted(writer, batches_.begin(b), writer.read(arrays.left_counter.data(), items(b)),
                              read_nodes(writer));
        });
  }

  void relocate(Arrays& arrays, std::uint32_t b) {
    rec_.step(
        in_batch(steps::relocate, b),
        [&](const char* name) {
          exec_.for_each(name, items(b),
                         Relocate{active(arrays), sequences_.batch(b), arrays.left_right_mark.data(),
                                  arrays.left_counter.data(), n_, m_, sequences_.spare()});
          sequences_.swap_in(b);
        },
        [&](auto& writer) {
          presenter_->relocated(writer, batches_.begin(b),
                                writer.read(sequences_.batch(b), std::size_t(batches_.size(b)) * n_));
        });
  }

  void renew_owners(Arrays& arrays) {
    rec_.step(
        steps::new_owners.at(level_),
        [&](const char* name) {
          exec_.for_each(name, m_, NewOwner{active(arrays), owner_.data()});
        },
        [&](auto& writer) { presenter_->renewed(writer, writer.read(owner_.data(), m_)); });
  }

  void bound_children() {
    rec_.step(
        steps::bounding_boxes.at(level_), [&] { compute_boxes(end_, nodes_.size() - end_); },
        [&](auto& writer) {
          presenter_->bounded(writer, read_nodes(writer), read_sequences(writer), writer.read(owner_.data(), m_));
        });
  }

  Exec& exec_;
  Recorder& rec_;
  HuOptions options_;
  PointsOnDevice<Exec> points_there_;
  PointsView points_;
  std::uint32_t n_, k_;
  Batches batches_;
  Sequences<Exec> sequences_;
  Nodes<Exec> nodes_;
  Array<PointId, Exec> buckets_;            // [n]
  Array<std::uint32_t, Exec> owner_;        // [active positions]
  std::optional<StepPresenter> presenter_;  // empty unless a trace is recorded: a full-speed build shows no step
  int level_ = 0;
  std::uint32_t begin_ = 0, end_ = 0;  // nodes of the level
  std::uint32_t m_;                    // active positions
};

/// Builds the tree of `points`, which it consumes: [n] records, 0 <= n < 2^31, 1 to 512 dimensions, finite floats or
/// int32. Nodes are numbered breadth first. A node is split at the middle of the widest side of its smallest box
/// (core/middle_split.hpp; the choice of the widest side is our assumption, nodes.hpp), unless it has at most leaf_size
/// points or its points coincide. No child is ever empty. Equal coordinates are ordered by original index. Work O(k n
/// (log n + depth)); depth is about log2(n / leaf_size) for evenly spread points, at most n. Each level takes O(1)
/// launches and scans per batch of dimensions and one download. Memory beside the points: one index per point and
/// dimension; a second copy of one batch of dimensions, first with two sort keys, then with a mark and a counter; about
/// 13 bytes per point; the list of nodes with 2k coordinates each. Throws ErrorException. Departures from the source:
/// owners are not kept per dimension, because they follow from its marks, and points of leaves are no longer moved.
template <class Exec, class Recorder>
BucketTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points, const HuOptions& options, Recorder& rec) {
  return Build<Exec, Recorder>(exec, std::move(points), options, rec).tree();
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = BucketTree;
  using Options = HuOptions;
  static constexpr UploadPoints upload{};
  static void declare(ArrayList& list, const Options&) { hu::declare(list); }
  static void set_rules(BucketTree& tree, const HuOptions& options) { tree.leaf_size = options.leaf_size; }
  template <class Exec, class Recorder>
  static auto build(Exec& exec, PointsOnDevice<Exec> points, const Options& options, Recorder& rec) {
    return hu::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::hu
