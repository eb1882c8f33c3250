#pragma once
// The breadth-first index-array builder (Hu, Nooshabadi & Ahmadi 2015): each dimension's order of the points is sorted
// once and kept sorted within all nodes, so that boxes can be read from its ends. Exec and Recorder decide whether the
// function runs on the CPU or the GPU, stepped or timed.

#include <bit>
#include <optional>

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
BucketTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points_there, const HuOptions& options, Recorder& rec) {
  const PointsView points = points_there.view();
  const std::uint32_t n = points.n, k = points.dim;
  const Batches batches{k, options.dimensions_at_once};
  Sequences<Exec> sequences(exec, n, batches);
  Nodes<Exec> nodes(exec, k);
  auto buckets = exec.template array<PointId>("buckets", n);
  auto owner = exec.template array<std::uint32_t>("owner", n);
  // Only a recording shows the steps; a full-speed build does not compile this code.
  std::optional<StepPresenter> recording;
  const auto read_nodes = [&](auto& writer) {
    return download_nodes(nodes.tree(), k,
                          [&](const auto* from, std::size_t count) { return writer.read(from, count); });
  };
  const auto read_sequences = [&](auto& writer) {
    StepPresenter::Sequences there;
    for (std::uint32_t d = 0; d < k; ++d) there.push_back(writer.read(sequences.of(d), n));
    return there;
  };
  const auto bound = [&](std::uint32_t begin, std::uint32_t count) {
    for (std::uint32_t b = 0; b < batches.count(); ++b)
      exec.for_each("bounding boxes", count * batches.size(b),
                    BoundingBoxes{points, nodes.view(), sequences.batch(b), begin, batches.begin(b), batches.size(b)});
  };

  rec.step(
      steps::initialise_sequences,
      [&](const char* name) {
        for (std::uint32_t b = 0; b < batches.count(); ++b)
          exec.for_each(name, batches.size(b) * n, InitialiseSequences{sequences.batch(b), n});
      },
      [&](auto& writer) {
        recording.emplace(
            PointSet{points.type, k, points.stride - k, writer.read(points.words, points_there.words.size())}, options);
        recording->initialised(writer, read_sequences(writer));
      });
  rec.step(
      steps::sort_dimensions,
      [&] {
        for (std::uint32_t b = 0; b < batches.count() && n > 0; ++b) {
          if (batches.size(b) > 1)
            sort_batch<std::uint64_t>(exec, points, sequences, b);
          else
            sort_batch<std::uint32_t>(exec, points, sequences, b);
        }
      },
      [&](auto& writer) { recording->sorted(writer, read_sequences(writer)); });
  rec.step(
      steps::bounding_box,
      [&] {
        if (n == 0) return;
        nodes.reserve(expected_nodes(n, options.leaf_size));
        nodes.grow_to(1);
        exec.for_each("root", n, MakeRoot{nodes.view(), n, owner.data()});
        bound(0, 1);
      },
      [&](auto& writer) { recording->rooted(writer, read_nodes(writer)); });
  if (n == 0) return nodes.release(std::move(buckets));

  auto owners_before = exec.template array<std::uint32_t>("owner", n);
  auto side_words = exec.template array<std::uint32_t>("side", PointSides::size<Exec>(n));
  const PointSides side{side_words.data()};
  auto left_right_mark = exec.template array<std::uint8_t>("left right mark", std::size_t(batches.width) * n);
  auto left_counter = exec.template array<std::uint32_t>("left counter", std::size_t(batches.width) * n);
  GrowingArray<std::uint64_t, Exec> before(exec, "split nodes before");
  before.reserve(expected_nodes(n, options.leaf_size) / 2 + 2);
  std::uint32_t m = n;  // active positions
  for (std::uint32_t level = 0, begin = 0; begin < nodes.size(); ++level) {
    const std::uint32_t end = nodes.size(), frontier = end - begin;
    const int at = static_cast<int>(level);
    std::uint64_t splits_and_points = 0;
    rec.step(
        steps::split_nodes.at(at),
        [&](const char* name) {
          exec.for_each(name, frontier, SplitNodes{nodes.view(), begin, options.leaf_size, points.type});
        },
        [&](auto& writer) { recording->split(writer, read_nodes(writer), begin); });

    const auto active = [&] { return ActiveNodes{nodes.view(), begin, before.data(), owner.data()}; };
    rec.step(
        steps::number_children.at(at),
        [&](const char* name) {
          before.grow_to(std::size_t(frontier) + 1);
          exec.transform_exclusive_scan("split nodes before", frontier + 1,
                                        SplitNodesAndPoints{nodes.view(), begin, end}, before.data());
          exec.download(std::span(&splits_and_points, 1), before.data() + frontier);
          nodes.grow_to(end + 2 * static_cast<std::uint32_t>(splits_and_points));
          exec.for_each(name, frontier, NumberChildren{active(), end});
        },
        [&](auto& writer) { recording->numbered(writer, read_nodes(writer)); });

    const bool last = nodes.size() == end;
    rec.step(
        steps::settle_leaves.at(at).ending_level(last),
        [&](const char* name) {
          owner.swap(owners_before);
          exec.for_each(name, m,
                        SettleLeaves{active(), owners_before.data(), sequences.of(0), owner.data(), buckets.data()});
          m = static_cast<std::uint32_t>(splits_and_points >> 32);
        },
        [&](auto& writer) { recording->settled(writer, writer.read(buckets.data(), n), last); });
    if (last) break;

    for (std::uint32_t b = 0; b < batches.count(); ++b) {
      const std::uint32_t items = batches.size(b) * m, first_dim = batches.begin(b);
      const char* const phase = "relocation";
      const int pass = static_cast<int>(b);
      rec.step(
          steps::mark.at(at, pass).of(phase),
          [&](const char* name) {
            if (level == 0 && b == 0)
              exec.for_each("clear sides", static_cast<std::uint32_t>(side_words.size()), ClearSides{side.words});
            if (b == 0) exec.for_each("side of points", m, SideOfPoint{points, active(), sequences.of(0), side});
            exec.for_each(name, items, Mark{active(), sequences.batch(b), side, n, m, left_right_mark.data()});
          },
          [&](auto& writer) { recording->marked(writer, first_dim, writer.read(left_right_mark.data(), items)); });
      rec.step(
          steps::left_counter.at(at, pass).of(phase),
          [&](const char* name) {
            exec.transform_exclusive_scan(name, items, GoesLeft{left_right_mark.data()}, left_counter.data());
            if (b == 0)
              exec.for_each("count children", frontier,
                            CountChildren{active(), left_right_mark.data(), left_counter.data()});
          },
          [&](auto& writer) {
            recording->counted(writer, first_dim, writer.read(left_counter.data(), items), read_nodes(writer));
          });
      rec.step(
          steps::relocate.at(at, pass).of(phase),
          [&](const char* name) {
            exec.for_each(name, items,
                          Relocate{active(), sequences.batch(b), left_right_mark.data(), left_counter.data(), n, m,
                                   sequences.spare()});
            sequences.swap_in(b);
          },
          [&](auto& writer) {
            recording->relocated(writer, first_dim, writer.read(sequences.batch(b), std::size_t(batches.size(b)) * n));
          });
    }
    rec.step(
        steps::new_owners.at(at),
        [&](const char* name) {
          exec.for_each(name, m, NewOwner{active(), owner.data()});
        },
        [&](auto& writer) { recording->renewed(writer, writer.read(owner.data(), m)); });
    rec.step(
        steps::bounding_boxes.at(at), [&] { bound(end, nodes.size() - end); },
        [&](auto& writer) {
          recording->bounded(writer, read_nodes(writer), read_sequences(writer), writer.read(owner.data(), m));
        });
    begin = end;
  }
  return nodes.release(std::move(buckets));
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = BucketTree;
  using Options = HuOptions;
  static constexpr UploadPoints upload{};
  static const OptionTable<Options>& option_table() { return hu::option_table(); }
  static void declare(ArrayList& list, const Options&) { hu::declare(list); }
  static void set_rules(BucketTree& tree, const HuOptions& options) { tree.leaf_size = options.leaf_size; }
  template <class Exec, class Recorder>
  static auto build(Exec& exec, PointsOnDevice<Exec> points, const Options& options, Recorder& rec) {
    return hu::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::hu
