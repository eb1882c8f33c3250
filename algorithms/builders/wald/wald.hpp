#pragma once
// Wald's left-balanced builder (Wald 2023). Level by level, it tags every point with its ancestor, sorts the points,
// and refines the tags. Exec and Recorder decide whether the function runs on the CPU or the GPU, stepped or timed.

#include <optional>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/wald/arrays.hpp"
#include "algorithms/builders/wald/bitonic_sort.hpp"
#include "algorithms/builders/wald/comparator_sort.hpp"
#include "algorithms/builders/wald/radix_sort.hpp"
#include "algorithms/builders/wald/recording.hpp"
#include "algorithms/builders/wald/update_tags.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/left_balanced/on_device.hpp"

namespace kdscope::wald {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel initialise_tags{"initialise tags", "wald/initialise_tags"};
inline constexpr StepLabel sort{"sort", "", "", StepKind::library};
inline constexpr StepLabel update_tags{"update tags", "wald/update_tags", "", StepKind::launch, true};
inline constexpr StepLabel final_sort{"final sort", "", "", StepKind::library, true};
inline constexpr StepLabel lay_out{"lay out", "left_balanced/lay_out"};
}  // namespace steps

/// Reads coordinates of one dimension as ordered keys, for the box of the domain.
struct KeyOfPoint {
  PointsView points;
  std::uint32_t dim;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return points.key(i, dim); }
};
struct Smaller {
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? a : b; }
};
struct Larger {
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

/// Returns the root's tag. For split=widest this first computes the box of all points (§6).
template <class Exec>
std::uint32_t root_tag(Exec& exec, const PointsView& points, SplitRule& rule) {
  if (rule.split == Split::round_robin || points.n == 0) return 0;
  for (std::uint32_t d = 0; d < rule.k; ++d) {
    rule.lo[d] = exec.template reduce<std::uint32_t>("domain", points.n, KeyOfPoint{points, d}, Smaller{}, 0xffffffffu);
    rule.hi[d] = exec.template reduce<std::uint32_t>("domain", points.n, KeyOfPoint{points, d}, Larger{}, 0u);
  }
  return rule.tag_of(NodeId{0}, widest_dimension(rule.lo, rule.hi, rule.k, rule.type));
}

/// Builds with one of the sorts: RadixSort, ComparatorSort or BitonicSort.
template <template <class> class Sort, class Exec, class Recorder>
LeftBalancedTreeOnDevice<Exec> build_sorting_by(Exec& exec, PointsOnDevice<Exec> points, Split split, Recorder& rec) {
  const std::uint32_t n = points.n;
  const int levels = num_levels(n);
  SplitRule rule{split, dim_bits_for(split, points.dim), points.dim, points.type};
  auto tags = exec.template array<std::uint32_t>("tags", n);
  Sort<Exec> sort(exec, points, rule);

  // Empty unless a trace is recorded: a full-speed build shows no step
  std::optional<StepPresenter> recording;
  const auto state = [&](auto& writer) {
    DownloadedState s{writer.read(tags.data(), n), writer.read(sort.ids(), n), {}};
    if (Sort<Exec>::moves_records) s.records = writer.read(points.words.data(), points.words.size());
    return s;
  };

  rec.step(
      steps::initialise_tags,
      [&](const char* name) {
        exec.for_each(name, n, InitialiseTags{tags.data(), root_tag(exec, points.view(), rule)});
        sort.start();
      },
      [&](auto& writer) {
        recording.emplace(PointSet{points.type, points.dim, points.stride - points.dim,
                                   writer.read(points.words.data(), points.words.size())},
                          rule);
        DownloadedState s{writer.read(tags.data(), n), std::vector<PointId>(n), {}};
        for (std::uint32_t i = 0; i < n; ++i) s.ids[i] = {i};
        recording->initialised(writer, s);
      });
  sort.prepare(rec, [&](auto& writer, const std::uint32_t* rank) {
    recording->ranked(writer, writer.read(rank, std::size_t(points.dim) * n));
  });

  // Subtrees of the last level have one point each and need no sort of their own (§7.1).
  for (int level = 0; level < levels - 1; ++level) {
    rec.step(
        steps::sort.at(level).done_by(Sort<Exec>::anchor), [&] { sort.sort(level, false, tags.data()); },
        [&](auto& writer) { recording->sorted(writer, state(writer), level); });

    rec.step(
        steps::update_tags.at(level),
        [&](const char* name) {
          const PointAt points_now{points.words.data(), Sort<Exec>::moves_records ? nullptr : sort.ids(), points.stride,
                                   points.type};
          exec.for_each(name, n - full_tree_size(level), UpdateTags{tags.data(), points_now, rule, n, level});
        },
        [&](auto& writer) { recording->updated(writer, state(writer), level); });
  }
  rec.step(
      steps::final_sort.done_by(Sort<Exec>::anchor),
      [&] {
        if (n > 0) sort.sort(levels - 1, true, tags.data());
      },
      [&](auto& writer) { recording->finished(writer, state(writer)); });

  LeftBalancedTreeOnDevice<Exec> tree;
  tree.point_of_node = sort.release();
  tree.split_dim = exec.template array<std::uint8_t>("split dimensions", n);
  rec.step(
      steps::lay_out,
      [&] {
        exec.for_each("split dimensions", n, SplitDimensions{tags.data(), tree.split_dim.data(), rule});
        if (!Sort<Exec>::moves_records) gather_records(exec, points, tree.point_of_node.data());
      },
      [](auto& writer) {
        writer.title() = Sort<Exec>::moves_records
                             ? "Note the dimension that each node splits: the records are in place"
                             : "Copy the records into the order of the tree";
      });
  tree.points = std::move(points);
  return tree;
}

/// Builds the left-balanced tree of `points`, which it consumes: [n] records, 0 <= n < 2^31, 1 to 8 dimensions, float
/// or int32. Payload behind the coordinates moves with them (§7.2). Equal coordinates are ordered by original index.
/// Work O(n log^2 n) with the comparator sort; O(n log n) times the digits of a key, at most 8, with the radix sort;
/// O(n log^3 n) with the bitonic sort. Takes O(log n) sorts and launches; each bitonic sort takes O(log^2 n) launches.
/// Memory beside the points: a tag, an index and a split dimension per point, and the sort's own memory. Except for the
/// bitonic sort, which moves the records themselves, the layout also needs a second copy of the records. Throws
/// ErrorException.
template <class Exec, class Recorder>
LeftBalancedTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points, const WaldOptions& options,
                                     Recorder& rec) {
  switch (options.sort) {
    case SortMethod::comparator:
      return build_sorting_by<ComparatorSort>(exec, std::move(points), options.split, rec);
    case SortMethod::bitonic:
      return build_sorting_by<BitonicSort>(exec, std::move(points), options.split, rec);
    case SortMethod::radix:
      break;
  }
  return build_sorting_by<RadixSort>(exec, std::move(points), options.split, rec);
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = LeftBalancedTree;
  using Options = WaldOptions;
  static constexpr UploadPoints upload{};
  static void declare(ArrayList& list, const Options& options) { wald::declare(list, options); }
  static void set_rules(LeftBalancedTree& tree, const WaldOptions& options) { tree.split = options.split; }
  template <class Exec, class Recorder>
  static auto build(Exec& exec, PointsOnDevice<Exec> points, const Options& options, Recorder& rec) {
    return wald::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::wald
