#pragma once
// Brown's O(kn log n) builder (Brown 2015) as Robinson runs it on GPUs: an array of references a dimension, sorted once by super key;
// level by level the median of one array becomes a node and the others are parted by it, their orders kept. One function for CPU and
// GPU, stepped and timed: Exec and Recorder decide.

#include <optional>
#include <vector>

#include "algorithms/builders/brown/duplicates.hpp"
#include "algorithms/builders/brown/merge_sort.hpp"
#include "algorithms/builders/brown/partition.hpp"
#include "algorithms/builders/brown/recording.hpp"
#include "algorithms/builders/brown/verify.hpp"
#include "algorithms/builders/run.hpp"

namespace kdscope::brown {

/// Names of a dimension's steps, for labels that must outlive a run.
constexpr const char* phase_of(std::uint32_t dim) {
  constexpr const char* names[max_dim] = {"dimension 0", "dimension 1", "dimension 2", "dimension 3", "dimension 4", "dimension 5", "dimension 6", "dimension 7",
                                          "dimension 8", "dimension 9", "dimension 10", "dimension 11", "dimension 12", "dimension 13", "dimension 14", "dimension 15"};
  return names[dim];
}

struct NoneRemoved {
  std::uint8_t* removed;
  KDSCOPE_HD void operator()(std::uint32_t i) const { removed[i] = 0; }
};

/// Fills with no point, no child.
struct Nothing {
  std::uint32_t* ids;
  KDSCOPE_HD void operator()(std::uint32_t i) const { ids[i] = no_id; }
};

/// The points of sorted references.
struct PointsOfReferences {
  const Reference* references;
  PointId* points;
  KDSCOPE_HD void operator()(std::uint32_t i) const { points[i] = references[i].point; }
};

/// All arrays of references, and two more that partitions and removals move through.
template <class Exec>
struct ReferenceArrays {
  std::vector<Array<PointId, Exec>> of_dimension;  ///< [k], [n] each
  Array<PointId, Exec> less, greater;              ///< [n] each
  Array<std::uint32_t, Exec> counts, before;       ///< [2 x warps], [2 x warps + 1]
};

/// Sorts `n` references of one dimension, from position `begin` on: of `order`, or all points where that is null. Where they end up is returned.
template <class Exec, class Recorder>
Reference* sort_references(Exec& exec, const PointsView& points, std::uint32_t dim, const PointId* order, std::uint32_t begin, std::uint32_t n, const BrownOptions& options, Reference* references,
                           Reference* other, Recorder& rec, std::optional<Recording>& recording) {
  const SuperKeyLess less{points, dim};
  const auto show = [&](const Reference* from, bool sorted) {
    return [&, from, sorted](auto& writer) {
      if (!recording) recording.emplace(PointSet{points.type, points.dim, points.stride - points.dim, writer.read(points.words, std::size_t(points.n) * points.stride)}, options);
      write(writer, recording->sorted(dim, begin, writer.read(from, n), sorted));
    };
  };
  rec.step({"initialise references", -1, "brown/initialise_references", StepKind::launch, false, phase_of(dim)}, [&] {
    exec.for_each("initialise references", n, InitialiseReferences{points, dim, order, references});
  }, show(references, false));
  if (options.sort == SortMethod::library) {
    rec.step({"sort", -1, "brown/super_key", StepKind::collective, false, phase_of(dim)}, [&] { exec.sort("sort", references, n, less); }, show(references, true));
    return references;
  }
  const std::uint32_t tiles = n == 0 ? 0 : (n - 1) / tile + 1;
  const std::size_t shared = 2 * tile * sizeof(Reference) + 64;
  rec.step({"sort tiles", -1, "brown/merge_sort", StepKind::launch, false, phase_of(dim)}, [&] {
    exec.for_each_block("sort tiles", tiles, sort_lanes, shared, SortTiles{references, n, less});
  }, show(references, n <= tile));
  int pass = 0;
  for (std::uint64_t run = tile; run < n; run *= 2, ++pass) {
    rec.step({"merge runs", -1, "brown/merge_sort", StepKind::launch, false, phase_of(dim), pass}, [&] {
      exec.for_each_block("merge runs", tiles, sort_lanes, shared, MergeRuns{references, other, n, static_cast<std::uint32_t>(run), less});
    }, show(other, 2 * run >= n));
    std::swap(references, other);
  }
  return references;
}

/// Parts one array by the level's medians; afterwards it holds the next level's arrays.
template <class Exec, class Recorder>
void partition(Exec& exec, const Parting& parting, std::uint32_t dim, Partitioner partitioner, std::uint32_t warps, ReferenceArrays<Exec>& arrays, Recorder& rec,
               std::optional<Recording>& recording) {
  const int level = parting.level;
  const std::uint32_t n = parting.n;
  Array<PointId, Exec>& array = arrays.of_dimension[dim];
  const std::size_t buffer = CoalescingBuffer::size * sizeof(PointId) + 16;
  const auto parted = [&](auto& writer) { write(writer, recording->parted(dim, writer.read(array.data(), n))); };
  if (partitioner == Partitioner::warps_an_array) {
    rec.step({"partition", level, "brown/warps_an_array", StepKind::launch, false, phase_of(dim)}, [&] {
      exec.for_each_warp("partition", warps, 2 * buffer, WarpsAnArray{parting, warps, arrays.less.data(), arrays.greater.data(), arrays.counts.data()});
    }, [&](auto& writer) {
      write(writer, recording->segmented(dim, warps, writer.read(arrays.less.data(), n), writer.read(arrays.greater.data(), n), writer.read(arrays.counts.data(), 2 * std::size_t(warps))));
    });
    rec.step({"close gaps", level, "brown/warps_an_array", StepKind::launch, false, phase_of(dim)}, [&] {
      exec.exclusive_sum_of("close gaps", 2 * warps, CountOf{arrays.counts.data(), 2 * warps}, arrays.before.data());
      exec.for_each_warp("close gaps", warps, 0, CloseArrayGaps{n, level, warps, arrays.less.data(), arrays.greater.data(), arrays.counts.data(), arrays.before.data(), array.data()});
    }, parted);
    return;
  }
  const bool whole = partitioner == Partitioner::warp_an_array;
  rec.step({"partition", level, whole ? "brown/warp_an_array" : "brown/sub_warps", StepKind::launch, false, phase_of(dim)}, [&] {
    const std::uint32_t width = sub_warp_width(longest_array(n, level)), a_warp = 32 / width, needed = ((1u << level) + a_warp - 1) / a_warp;
    if (whole) exec.for_each_warp("partition", warps, 2 * buffer, WarpAnArray{parting, warps, arrays.less.data()});
    else exec.for_each_warp("partition", needed, 0, SubWarps{parting, width, arrays.less.data()});
    array.swap(arrays.less);
  }, parted);
}

/// Builds the tree of `points`, which it takes over: [n] records, 0 <= n < 2^31, 1 to 16 dimensions, float or int32. Points whose
/// coordinates are another's are left out, the one with the lowest index stays. Nodes are the lower medians of their arrays in
/// the super-key order of dimension level mod k: balanced, and the same whatever sorts and partitioners are taken.
/// Work O(k n log n). Memory beside the points: k + 2 references a point, a value and a reference more, twice, while one dimension
/// is sorted, up to two entries of the stores a point, and two references a node. Throws ErrorException.
template <class Exec, class Recorder>
MedianStoreTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points_there, const BrownOptions& options, Recorder& rec) {
  const PointsView points = points_there.view();
  const std::uint32_t all = points.n, k = points.dim, warps = options.warps;
  ReferenceArrays<Exec> arrays;
  for (std::uint32_t d = 0; d < k; ++d) arrays.of_dimension.push_back(exec.template array<PointId>("references", all));
  arrays.less = exec.template array<PointId>("less", all);
  arrays.greater = exec.template array<PointId>("greater", all);
  arrays.counts = exec.template array<std::uint32_t>("counts", 2 * std::size_t(warps));
  arrays.before = exec.template array<std::uint32_t>("counts before", 2 * std::size_t(warps) + 1);
  MedianStoreTreeOnDevice<Exec> tree;
  tree.removed = exec.template array<std::uint8_t>("removed", all);
  // What the steps show. Nothing of this runs, or is even compiled, at full speed.
  std::optional<Recording> recording;

  std::uint32_t n = all;  // unique points, once the duplicates of dimension 0 are out
  {
    auto references = exec.template array<Reference>("sort", all, Purpose::temporary), other = exec.template array<Reference>("sort", all, Purpose::temporary);
    const WarpShare share = share_of(all, 0, warps);
    const int masks_a_warp = static_cast<int>((share.end - share.begin) / 32 + 1);
    for (std::uint32_t d = 0; d < k; ++d) {
      // After the first dimension, the median of all points parts the others before they are sorted: each half by itself.
      const bool halves = options.sorted == SortedFirst::first && d > 0 && n > 0;
      const std::uint32_t median = n > 0 ? median_position({0, n}) : 0;
      const PointId* const first = arrays.of_dimension[0].data();
      for (int half = 0; half < (halves ? 2 : 1); ++half) {
        const std::uint32_t begin = half == 0 ? 0 : median + 1, end = !halves ? all : half == 0 ? median : n;
        Reference* const sorted = sort_references(exec, points, d, halves ? first + begin : nullptr, begin, end - begin, options, references.data(), other.data(), rec, recording);
        if (halves) {
          exec.for_each("copy references", end - begin, PointsOfReferences{sorted, arrays.of_dimension[d].data() + begin});
          continue;
        }
        const auto masks = rec.template probe_rows<std::uint32_t>("compare mask", warps, masks_a_warp);
        if (d == 0) exec.for_each("none removed", all, NoneRemoved{tree.removed.data()});
        rec.step({"remove duplicates", -1, "brown/remove_duplicates", StepKind::launch, false, phase_of(d)}, [&] {
          exec.for_each_warp("remove duplicates", warps, CoalescingBuffer::size * sizeof(PointId) + 16,
                             RemoveDuplicates<decltype(masks.probe())>{points, d, sorted, all, warps, arrays.less.data(), arrays.counts.data(), d == 0 ? tree.removed.data() : nullptr, masks.probe(), masks_a_warp});
        }, [&](auto& writer) {
          write(writer, recording->compacted(d, warps, writer.read(arrays.less.data(), all), writer.read(arrays.counts.data(), warps), writer.read(masks.data(), std::size_t(warps) * masks_a_warp), masks_a_warp));
        });
        rec.step({"close gaps", -1, "brown/remove_duplicates", StepKind::launch, false, phase_of(d)}, [&] {
          exec.exclusive_sum_of("close gaps", warps + 1, CountOf{arrays.counts.data(), warps}, arrays.before.data());
          if (d == 0) exec.download(std::span(&n, 1), arrays.before.data() + warps);
          exec.for_each_warp("close gaps", warps, 0, CloseGaps{arrays.less.data(), arrays.before.data(), arrays.counts.data(), all, warps, arrays.of_dimension[d].data()});
        }, [&](auto& writer) { write(writer, recording->unique(d, writer.read(arrays.of_dimension[d].data(), n))); });
      }
    }
  }

  auto sides = exec.template array<std::int8_t>("sides", options.compare == Compare::sides && k > 1 ? (std::size_t(all) + 3) / 4 * 4 : 0);
  const std::uint64_t slots = store_slots(n);
  tree.stores = exec.template array<PointId>("median stores", slots);
  exec.for_each("median stores", static_cast<std::uint32_t>(slots), Nothing{reinterpret_cast<std::uint32_t*>(tree.stores.data())});
  if (options.form == Form::nodes) {
    tree.less = exec.template array<std::uint32_t>("less than", all);
    tree.greater = exec.template array<std::uint32_t>("greater than", all);
    exec.for_each("less than", all, Nothing{tree.less.data()});
    exec.for_each("greater than", all, Nothing{tree.greater.data()});
  }
  const auto read_arrays = [&](auto& writer) {
    std::vector<std::vector<PointId>> there;
    for (const auto& array : arrays.of_dimension) there.push_back(writer.read(array.data(), n));
    return there;
  };
  const auto read_stores = [&](auto& writer) { return writer.read(tree.stores.data(), slots); };
  for (int level = 0; n > 0; ++level) {
    const std::uint32_t dim = static_cast<std::uint32_t>(level) % k;
    const Partitioner partitioner = partitioner_of(n, level, warps);
    const PickMedians medians{n, level, arrays.of_dimension[dim].data(), tree.stores.data(), tree.less.data(), tree.greater.data()};
    if (partitioner == Partitioner::terminating) {
      rec.step({"terminate", level, "brown/terminating", StepKind::launch, true}, [&] { exec.for_each("terminate", 1u << level, Terminate{medians}); },
               [&](auto& writer) { write(writer, recording->terminated(level, read_stores(writer), writer.read(tree.less.data(), tree.less.size()), writer.read(tree.greater.data(), tree.greater.size()), writer.read(tree.removed.data(), all), read_arrays(writer))); });
      break;
    }
    rec.step({"pick medians", level, "brown/pick_medians", StepKind::launch, true}, [&] { exec.for_each("pick medians", 1u << level, medians); },
             [&](auto& writer) { write(writer, recording->picked(level, partitioner, read_stores(writer), writer.read(tree.less.data(), tree.less.size()), writer.read(tree.greater.data(), tree.greater.size()), read_arrays(writer))); });
    if (k == 1 || (level == 0 && options.sorted == SortedFirst::first)) continue;  // the halves that were sorted by themselves are the arrays of level 1 already
    if (options.compare == Compare::sides)
      rec.step({"mark sides", level, "brown/mark_sides"}, [&] {
        exec.for_each("all less", static_cast<std::uint32_t>(sides.size() / 4), AllLess{reinterpret_cast<std::uint32_t*>(sides.data())});
        exec.for_each("mark sides", n, MarkSides{n, level, arrays.of_dimension[dim].data(), sides.data()});
      },
               [&](auto& writer) { write(writer, recording->marked(writer.read(sides.data(), all))); });
    for (std::uint32_t d = 0; d < k; ++d)
      if (d != dim) partition(exec, {points, n, level, dim, tree.stores.data(), arrays.of_dimension[d].data(), sides.data()}, d, partitioner, warps, arrays, rec, recording);
  }
  if (options.verify)
    rec.step({"verify", -1, "brown/verify", StepKind::collective}, [&] {
      if (const std::uint32_t entry = first_violation(exec, points, n, tree); entry != no_id)
        throw ErrorException({ErrorKind::failed_check, "the finished tree is wrong at entry " + std::to_string(entry) + " of the median stores", "", "run again, or on another device"});
    }, [&](auto& writer) { writer.title("Every entry holds: its array's median, on its side of all nodes above it"); });
  return tree;
}

/// The two runs that the registry asks for, on one back end.
template <class Exec>
BuildReport run_build(Exec& exec, const BuildRequest& request, const Device& device, const RunControl& control) {
  const BrownOptions options = options_of(request.parameters);
  return run_timed(exec, request, device, control, [&](Exec& e, PointsOnDevice<Exec> points, auto& rec) { return build(e, std::move(points), options, rec); });
}

template <class Exec>
std::shared_ptr<const Trace> run_record(Exec& exec, const BuildRequest& request, TraceHeader header, const RunControl& control) {
  const BrownOptions options = options_of(request.parameters);
  const auto arrays = Recording::arrays(header, options);
  return run_recorded(exec, request, std::move(header), arrays, control,
                      [&](Exec& e, PointsOnDevice<Exec> points, auto& rec) { return build(e, std::move(points), options, rec); });
}

}  // namespace kdscope::brown
